"""Chinese words, by jieba's dictionary and model, in the fast form of rjieba."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from nccp.errors import need
from nccp.languages.segmenters import Cuts, cut_runs


def cut_words(text: str) -> Cuts:
    """Where each word starts and ends."""
    return cut_runs(text, _segmenter())


@lru_cache(maxsize=1)
def _segmenter() -> Callable[[str], list[str]]:
    cut: Callable[[str], list[str]] = need("rjieba", "zh", "tokenizing Chinese").cut
    return cut
