"""What a word is to the network, without torch: the seam between words and BiLSTM_cxt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Words(NamedTuple):
    """The words of a batch, sentences end to end: word i is ``vectors[rows[i]]``."""

    vectors: Floats  # (M, size)
    rows: NDArray[np.int64]  # (N,)


class Input(Protocol):
    """What BiLSTM_cxt reads."""

    size: int

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        """The vectors of all words; safe to call from several threads."""
