"""The lines of a text in pieces of bounded length, so that no line is too long for the memory.

A line is one sentence of ``--input lines`` and ``tokens``. If it has more than `LONGEST_LINE` characters, it
comes in several pieces, each of which is parsed by itself::

    the cat | sat on | the mat \\n        three pieces; only the last ends the line
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nccp.errors import InputError

LONGEST_LINE = 1 << 17
"""The most characters of a piece: 8,192 words of 16 characters each. Only a longer word makes it longer."""
LONGEST_WORD = 1 << 20
"""The most characters of a word that may not be cut."""

_BLANKS = " \t\r\f\v"
_LAST_BLANK = re.compile(f".*[{_BLANKS}]", re.DOTALL)
_BLANK = re.compile(f"[{_BLANKS}]")


class LinePiece(NamedTuple):
    """A line without its line end, or a part of one."""

    text: str
    number: int
    """Of the line, from 1."""
    start: int
    """Characters of the line before this piece."""
    last: bool
    """Whether the line ends here."""


def split_lines(
    blocks: Iterable[str], *, source: str, whole_words: bool, longest: int | None = None
) -> Iterator[LinePiece]:
    """The lines of a text, which comes in blocks of any size; only ``\\n`` ends one.

    A long line is cut after a blank. Where it has none, it is cut anywhere or, with ``whole_words``, not at
    all: a word of more than `LONGEST_WORD` characters is then an error, which names the ``source``. How the
    text is cut into blocks makes no difference, nor does it to start at the start of a piece.
    """
    longest = longest or LONGEST_LINE
    rest, number, start = "", 1, 0
    for block in blocks:
        *ends, more = block.split("\n")
        for place, text in enumerate([*ends, more]):
            rest += text
            while len(rest) > longest:
                cut = _cut(rest, longest, whole_words)
                if cut is None:
                    if len(rest.rstrip(_BLANKS)) > LONGEST_WORD:
                        what = f"a word of more than {LONGEST_WORD:,} characters, the limit"
                        raise InputError(f"{source}: line {number}: {what}")
                    break
                yield LinePiece(rest[:cut], number, start, False)
                rest, start = rest[cut:], start + cut
            if place < len(ends):
                yield LinePiece(rest, number, start, True)
                rest, number, start = "", number + 1, 0
    if rest or start:
        yield LinePiece(rest, number, start, True)


def _cut(text: str, longest: int, whole_words: bool) -> int | None:
    """Where the first piece of a text ends that is longer than ``longest``; None if more text must decide."""
    blank = _LAST_BLANK.match(text, 0, longest)
    if blank is not None:
        return blank.end()
    if not whole_words:
        return longest
    after = _BLANK.search(text, longest, len(text) - 1)  # a blank at the very end may end the line
    return after and after.end()
