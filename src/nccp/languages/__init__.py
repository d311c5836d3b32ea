"""Everything that depends on a language: tokenisers, sentence ends, spacing, heads, meanings of labels."""

from nccp.languages.glosses import explain
from nccp.languages.language import HeadFinder, Language
from nccp.languages.lines import LONGEST_LINE, LONGEST_WORD, LinePiece, split_lines
from nccp.languages.registry import LANGUAGES, find_language, known_language
from nccp.languages.sentences import Sentence, SentenceText, Token, find_sentences, split_text, tokenize

__all__ = [
    "LANGUAGES",
    "LONGEST_LINE",
    "LONGEST_WORD",
    "HeadFinder",
    "Language",
    "LinePiece",
    "Sentence",
    "SentenceText",
    "Token",
    "explain",
    "find_language",
    "find_sentences",
    "known_language",
    "split_lines",
    "split_text",
    "tokenize",
]
