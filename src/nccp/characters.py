"""Properties of characters that several rooms need, whatever the language."""

from __future__ import annotations

import re
import unicodedata

_SURROGATE = re.compile("[\ud800-\udfff]")


def has_surrogates(text: str) -> bool:
    """Whether a text holds half a surrogate pair, which is no character and has no UTF-8 form."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def replace_surrogates(text: str) -> str:
    """The text in valid Unicode: each half of a surrogate pair becomes U+FFFD; the length stays the same."""
    return _SURROGATE.sub("\ufffd", text) if has_surrogates(text) else text


def is_punctuation(word: str) -> bool:
    """Whether a word consists of punctuation marks only: ``.``, ``--``, ``。``."""
    return all(unicodedata.category(letter)[0] == "P" for letter in word)
