"""Decoding: the layer loop over any engine that can run the network's parts, and the parser around it."""

from nccp.decoding.confidence import Confidence
from nccp.decoding.constraints import Constraint
from nccp.decoding.decode import Decoded, decode
from nccp.decoding.engine import Context, Engine
from nccp.decoding.input_sentence import InputSentence, Parsable
from nccp.decoding.k_best import Candidate
from nccp.decoding.nodes import Branching
from nccp.decoding.parser import Parser
from nccp.decoding.results import Parse, Span
from nccp.decoding.tables import to_frame, to_rows

__all__ = [
    "Branching",
    "Candidate",
    "Confidence",
    "Constraint",
    "Context",
    "Decoded",
    "Engine",
    "InputSentence",
    "Parsable",
    "Parse",
    "Parser",
    "Span",
    "decode",
    "to_frame",
    "to_rows",
]
