"""What languages without spaces between words have in common: running a segmenter over any text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Cuts = list[tuple[int, int]]
"""Words as ``(start, end)``, in order, without overlap."""

_RUN = re.compile(r"\S{1,4000}")  # given to a segmenter at a time; SudachiPy refuses more than 49,149 bytes
_SURROGATE = re.compile("[\ud800-\udfff]")
_WHOLE = re.compile(  # what no segmenter shall take apart: addresses, and marks that go together
    r"""
      (?:https?://|www\.)[!-~]{0,2000}[\w/]
    | (?<![\w.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}@[A-Za-z0-9.-]{1,253}[A-Za-z]
    | ([.…‥・—―─~～〜=*_-])\1+
    | [!?！？‼⁇⁈⁉]{2,}
    """,
    re.VERBOSE | re.ASCII,
)


def cut_runs(text: str, segment: Callable[[str], Iterable[str]]) -> Cuts:
    """Words of a text whose spaces matter little; ``segment`` takes apart what stands between white space.

    Were it to lose or change a character, what it was given stays one word: offsets are exact in any case.
    """
    cuts: Cuts = []
    clean = _SURROGATE.sub("\ufffd", text)  # segmenters want text that has a UTF-8 form
    for run in _RUN.finditer(clean):
        done = run.start()
        for whole in _WHOLE.finditer(clean, run.start(), run.end()):
            _segment(clean, done, whole.start(), segment, cuts)
            cuts.append(whole.span())
            done = whole.end()
        _segment(clean, done, run.end(), segment, cuts)
    return cuts


def _segment(text: str, start: int, end: int, segment: Callable[[str], Iterable[str]], cuts: Cuts) -> None:
    """Add the words of ``text[start:end]`` to ``cuts``."""
    if start == end:
        return
    given = text[start:end]
    words = [word for word in segment(given) if word]
    if "".join(words) != given:
        words = [given]
    for word in words:
        cuts.append((start, start + len(word)))
        start += len(word)
