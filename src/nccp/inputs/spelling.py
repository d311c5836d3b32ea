"""One spelling for a word, whether it comes from a treebank or from a user."""

from __future__ import annotations

from nccp.trees.labels import unescape_word

_QUOTES = dict.fromkeys(("``", "''", "“", "”", "„", "«", "»"), '"') | dict.fromkeys(("‘", "’", "`"), "'")


def plain_word(word: str) -> str:
    """A word as every input sees it: ``-LRB-`` becomes ``(``, quotes become ``"``."""
    return _QUOTES.get(word) or unescape_word(word).replace("’", "'")
