"""From raw text to sentences, one at a time, in linear time and a few hundred kilobytes whatever its length.

    split_text("Mr. Smith left. Why?", "en")      Mr. Smith left .  |  Why ?

A sentence longer than `LONGEST` characters is cut at white space. Text may also come in pieces, such as the
lines of an open file: how it is cut into pieces makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nccp.languages.cjk_ends import find_cjk_end
from nccp.languages.english.ends import find_english_end
from nccp.languages.segmenters import Cuts
from nccp.languages.tokens import Token, base_language, cut_words

LONGEST = 1 << 15
"""Characters of a sentence, at most."""

_REACH = 1000  # how far beyond a sentence's end its finder may look; see the bounds in its expressions
_WINDOW = 1 << 17
_SPACE = re.compile(r"\s*")

EndFinder = Callable[[str, int, int], int]
"""``find(text, start, stop)``: where the sentence from ``start`` ends, not after ``stop``; or -1."""

_FINDERS: dict[str, EndFinder] = {"en": find_english_end, "ja": find_cjk_end, "zh": find_cjk_end}


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence and where it stands in the text, in characters."""

    tokens: tuple[Token, ...]
    start: int
    end: int


def split_text(
    text: str | Iterable[str], language: str = "en", *, split_hyphens: bool = False
) -> Iterator[Sentence]:
    """The sentences of a text, in words as `tokenize` cuts them."""
    find_end = _FINDERS[base_language(language)]
    return _split(text, find_end, lambda sentence: cut_words(sentence, language, split_hyphens))


def find_sentences(text: str | Iterable[str], language: str = "en") -> Iterator[tuple[str, int]]:
    """The sentences of a text as raw text, each with the place where it starts: `split_text` without words.

    Beginning anew at the start of any of them gives the same sentences from there on.
    """
    return _sentences(text, _FINDERS[base_language(language)])


def _split(text: str | Iterable[str], find_end: EndFinder, cut: Callable[[str], Cuts]) -> Iterator[Sentence]:
    for sentence, start in _sentences(text, find_end):
        tokens = tuple(Token(sentence[one:two], start + one, start + two) for one, two in cut(sentence))
        yield Sentence(tokens, start, start + len(sentence))


def _sentences(text: str | Iterable[str], find_end: EndFinder) -> Iterator[tuple[str, int]]:
    """The sentences as text, each with its place, none empty or with white space around."""
    pieces = _slices(text) if isinstance(text, str) else iter(text)
    buffer, offset, start, more = "", 0, 0, True
    while True:
        start = _SPACE.match(buffer, start).end()  # type: ignore[union-attr]  # it always matches
        if more and len(buffer) - start < LONGEST + _REACH:
            buffer, offset, start = buffer[start:], offset + start, 0
            buffer, more = _fill(buffer, pieces)
        elif start < len(buffer):
            end = _end(buffer, start, find_end)
            sentence = buffer[start:end].rstrip()
            yield sentence, offset + start
            start = end
        else:
            return


def _end(text: str, start: int, find_end: EndFinder) -> int:
    """Where the sentence ends that starts at ``start``: by the rules, or else for its length."""
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
