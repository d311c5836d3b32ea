"""From raw text to words that remember where they stood.

    tokenize("I can't (yet).", "en")
        I  ca  n't  (  yet  )  .            text[token.start:token.end] == token.text, always

Every character of the text that is no white space is in exactly one token, whatever the text. Treebank
spellings (``-LRB-``, ```` `` ````) belong to the parser; tokens are the user's own letters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nccp.errors import InputError
from nccp.languages.chinese import tokens as chinese
from nccp.languages.english import tokens as english
from nccp.languages.japanese import tokens as japanese
from nccp.languages.segmenters import Cuts


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text and where it stands there, in characters."""

    text: str
    start: int
    end: int


_TOKENIZERS: dict[str, Callable[[str], Cuts]] = {
    "en": english.cut_words,
    "ja": japanese.cut_words,
    "zh": chinese.cut_words,
}


def base_language(language: str) -> str:
    """The language without its region, ``zh`` of ``zh-TW``; an error for those without a tokenizer."""
    base = language.replace("_", "-").split("-")[0].lower()
    if base not in _TOKENIZERS:
        known = ", ".join(_TOKENIZERS)
        raise InputError(f"no tokenizer for language {language!r} (known: {known}): give words instead")
    return base


def tokenize(text: str, language: str = "en", *, split_hyphens: bool = False) -> list[Token]:
    """The words of a sentence.

    English follows the Penn Treebank. Its newer releases, and treebanks such as GUM and CRAFT, cut words
    at hyphens (``well - known``) where the classic one does not: ``split_hyphens`` says which.
    Japanese and Chinese need a segmenter: ``pip install 'nccp[ja]'``, ``'nccp[zh]'``.
    """
    return [Token(text[start:end], start, end) for start, end in cut_words(text, language, split_hyphens)]


def cut_words(text: str, language: str, split_hyphens: bool = False) -> Cuts:
    """`tokenize`, as mere pairs ``(start, end)``."""
    base = base_language(language)
    if base == "en" and split_hyphens:
        return english.cut_words(text, split_hyphens=True)
    return _TOKENIZERS[base](text)
