"""The interface between the decoder and a network: torch during training, onnxruntime for parsing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nccp.trees import Symbols

Floats = NDArray[np.float32]
Lengths = NDArray[np.int64]


class Context(NamedTuple):
    """The words of a batch, sentences end to end."""

    x: Floats  # (N, d)
    tags: Floats  # (N, tags) logits


class Engine(Protocol):
    """A network's parts over flat batches: N nodes of several sentences, end to end, with their lengths.

    A binary engine has ``orient`` and ``compose``, a multi-branching one ``chunk`` and ``merge``. To the
    decoder the rows x are opaque: an engine may keep more in them than the vectors.
    """

    binary: bool
    triangular: bool
    symbols: Symbols

    def context(self, sentences: Sequence[Sequence[str]]) -> Context:
        """Alg. 1, lines 2 to 4."""

    def labels(self, x: Floats) -> Floats:
        """Alg. 1, line 8: label logits (N, labels)."""

    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        """Alg. 2, lines 2 to 4: scores of pointing right (N,)."""

    def compose(self, x_L: Floats, x_R: Floats) -> tuple[Floats, Floats | None]:
        """Alg. 2, lines 9 to 14, for pairs that combine: their rows (P, ...) and the mean λ of the left (P,).

        There is no λ if the composition is not a weighted mean.
        """

    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        """Alg. 3, lines 2 to 9: boundary scores (N + S,), and what ``merge`` needs of each node (N, ...)."""

    def merge(self, x: Floats, hints: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """MULTI of Alg. 3 for chunks that lie end to end: their rows (P, ...) and the members' λ (M, d)."""
