"""One spelling for a word, wherever it comes from."""

from __future__ import annotations

from nccp.trees.labels import unescape_word

_QUOTES = dict.fromkeys(("``", "''", "“", "”", "„", "«", "»"), '"') | dict.fromkeys(("‘", "’", "`"), "'")


def plain_word(word: str) -> str:
    """A word as all inputs see it, from a treebank or from a user: ``-LRB-`` is ``(``, quotes are ``"``."""
    return _QUOTES.get(word) or unescape_word(word).replace("’", "'")
