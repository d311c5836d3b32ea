"""Japanese words, cut by SudachiPy; its longest units (mode C) come nearest to Keyaki's words."""

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
    who = "tokenising Japanese"
    sudachipy = need("sudachipy", "ja", who)
    need("sudachidict_core", "ja", who)
    tokenizer = sudachipy.Dictionary(dict="core").tokenizer(mode=sudachipy.SplitMode.C)
    return lambda text: [morpheme.surface() for morpheme in tokenizer.tokenize(text)]
