"""Running a word segmenter over any text, for languages written without spaces between words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from nccp.characters import replace_surrogates
from nccp.languages.language import Cuts

_RUN = re.compile(r"\S{1,4000}")  # what a segmenter gets at a time; SudachiPy refuses more than 49,149 bytes
_WHOLE = re.compile(  # what a segmenter must not take apart: addresses, and marks that go together
    r"""
      (?:https?://|www\.)[!-~]{0,2000}[\w/]
    | (?<![\w.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}@[A-Za-z0-9.-]{1,253}[A-Za-z]
    | ([.…‥・—―─~～〜=*_-])\1+
    | [!?！？‼⁇⁈⁉]{2,}
    """,
    re.VERBOSE | re.ASCII,
)


def cut_runs(text: str, segment: Callable[[str], Iterable[str]]) -> Cuts:
    """The words of a text; ``segment`` cuts what stands between white space.

    If it loses or changes a character, its input stays one word, so that offsets are always exact.
    """
    cuts: Cuts = []
    clean = replace_surrogates(text)  # segmenters need text that has a UTF-8 form
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
    piece = text[start:end]
    words = [word for word in segment(piece) if word]
    if "".join(words) != piece:
        words = [piece]
    for word in words:
        cuts.append((start, start + len(word)))
        start += len(word)
