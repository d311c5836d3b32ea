"""Chinese words, cut by rjieba: jieba's dictionary and model in a fast implementation."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from nccp.errors import need
from nccp.languages.language import Cuts
from nccp.languages.segmenters import cut_runs


def cut_words(text: str, *, split_hyphens: bool = False) -> Cuts:
    """Where each word starts and ends; hyphens are the segmenter's matter."""
    return cut_runs(text, _segmenter())


@lru_cache(maxsize=1)
def _segmenter() -> Callable[[str], list[str]]:
    cut: Callable[[str], list[str]] = need("rjieba", "zh", "tokenising Chinese").cut
    return cut
