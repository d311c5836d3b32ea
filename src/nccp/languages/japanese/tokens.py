"""Japanese words, by SudachiPy; its longest units (mode C) come nearest to Keyaki's words."""

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
    who = "tokenizing Japanese"
    sudachipy = need("sudachipy", "ja", who)
    need("sudachidict_core", "ja", who)
    tokenizer = sudachipy.Dictionary(dict="core").tokenizer(mode=sudachipy.SplitMode.C)
    return lambda text: [morpheme.surface() for morpheme in tokenizer.tokenize(text)]
