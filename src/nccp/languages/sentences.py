"""From raw text to words and sentences that remember where they stood.

    tokenize("I can't (yet).", "en")              I  ca  n't  (  yet  )  .
    split_text("Mr. Smith left. Why?", "en")      Mr. Smith left .  |  Why ?

``text[token.start:token.end] == token.text``, always, and every character of the text that is no white space
is in exactly one token. Treebank spellings (``-LRB-``, ```` `` ````) belong to the parser; tokens are the
user's own letters.

Text is split one sentence at a time, in linear time and a few hundred kilobytes whatever its length. A
sentence longer than `LONGEST` characters is cut at white space. Text may also come in pieces, such as the
lines of an open file; how it is cut into pieces makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nccp.languages.language import EndFinder
from nccp.languages.registry import find_language

LONGEST = 1 << 15
"""The most characters that a sentence has."""

_REACH = 1000  # how far beyond a sentence's end its finder may look; see the bounds in its expressions
_WINDOW = 1 << 17
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text and where it stands there, in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in words, and where it stands in the text, in characters."""

    text: str
    tokens: tuple[Token, ...]
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)


class SentenceText(NamedTuple):
    """A sentence before it is cut into words."""

    text: str
    start: int


def tokenize(text: str, language: str = "en", *, split_hyphens: bool = False) -> list[Token]:
    """The words of a sentence.

    English follows the Penn Treebank. Its newer releases, and treebanks such as GUM and CRAFT, cut words
    at hyphens (``well - known``) where the classic one does not: ``split_hyphens`` chooses.
    Japanese and Chinese need a segmenter: the extras ``ja`` and ``zh``.
    """
    return _tokens(text, 0, language, split_hyphens)


def split_text(
    text: str | Iterable[str], language: str = "en", *, split_hyphens: bool = False
) -> Iterator[Sentence]:
    """The sentences of a text, in words as `tokenize` cuts them."""
    return (
        Sentence(sentence, tuple(_tokens(sentence, start, language, split_hyphens)), start)
        for sentence, start in find_sentences(text, language)
    )


def find_sentences(text: str | Iterable[str], language: str = "en") -> Iterator[SentenceText]:
    """The sentences of a text as raw text, none empty or with white space around; needs no segmenter.

    Starting again at the start of any of them gives the same sentences from there on.
    """
    return _sentences(text, find_language(language).find_end)


def _tokens(text: str, offset: int, language: str, split_hyphens: bool) -> list[Token]:
    cuts = find_language(language).cut_words(text, split_hyphens=split_hyphens)
    return [Token(text[start:end], offset + start, offset + end) for start, end in cuts]


def _sentences(text: str | Iterable[str], find_end: EndFinder) -> Iterator[SentenceText]:
    pieces = _slices(text) if isinstance(text, str) else iter(text)
    buffer, offset, start, more = "", 0, 0, True
    while True:
        start = _SPACE.match(buffer, start).end()  # type: ignore[union-attr]  # it always matches
        if more and len(buffer) - start < LONGEST + _REACH:
            buffer, offset, start = buffer[start:], offset + start, 0
            buffer, more = _fill(buffer, pieces)
        elif start < len(buffer):
            end = _end(buffer, start, find_end)
            yield SentenceText(buffer[start:end].rstrip(), offset + start)
            start = end
        else:
            return


def _end(text: str, start: int, find_end: EndFinder) -> int:
    """Where the sentence that starts at ``start`` ends: by the rules, or at the greatest length."""
    stop = min(start + LONGEST, len(text))
    end = find_end(text, start, stop)
    if end > start:
        return end
    if stop == len(text):
        return stop
    words = text[start:stop].rsplit(None, 1)
    return start + len(words[0]) if len(words) > 1 else stop


def _slices(text: str) -> Iterator[str]:
    for start in range(0, len(text), _WINDOW):
        yield text[start : start + _WINDOW]


def _fill(buffer: str, pieces: Iterator[str]) -> tuple[str, bool]:
    """The buffer with a window's worth of text added, and whether there may be more."""
    parts, size = [buffer], 0
    while size < _WINDOW:
        piece = next(pieces, None)
        if piece is None:
            return "".join(parts), False
        parts.append(piece)
        size += len(piece)
    return "".join(parts), True
