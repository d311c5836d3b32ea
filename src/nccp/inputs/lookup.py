"""The numpy half of an input: what parsing asks for the vectors of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
BundleFile = Callable[[str], Path]
"""Where in a bundle the file of a name is."""


class Words(NamedTuple):
    """The words of a batch, sentences end to end: the vector of word i is ``vectors[rows[i]]``."""

    vectors: Floats  # (M, size)
    rows: NDArray[np.int64]  # (N,)


class Lookup(Protocol):
    """Words to vectors without torch; loaded from the files of a bundle."""

    size: int
    """Numbers per word."""

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        """The vectors of all words; safe to call from several threads."""
