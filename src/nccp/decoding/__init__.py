"""Decoding: the layer loop over any engine that can run the network's parts."""

from nccp.decoding.decode import Decoded, decode
from nccp.decoding.engine import Context, Engine

__all__ = ["Context", "Decoded", "Engine", "decode"]
