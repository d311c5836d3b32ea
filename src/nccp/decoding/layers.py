"""The layer loop: from words to one node. Records which gaps close in which layer, and the new vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nccp.decoding.confidence import chunking, meeting
from nccp.decoding.engine import Engine, Floats, Lengths

Places = NDArray[np.int64]


def run_layers(engine: Engine, x: Floats, lengths: Lengths, *, scores: bool = False) -> Loop:
    """Run the loop of Alg. 1, lines 6 to 10, for a batch of sentences laid end to end.

    With ``scores`` it also keeps how confident each decision was, and λ.
    """
    loop = Loop(x, lengths, scores)
    if not engine.binary:
        loop.run_multi(engine)
    elif engine.triangular:
        loop.run_triangle(engine)
    else:
        loop.run_binary(engine)
    return loop


class Loop:
    """The nodes of the current layer, and what has been combined so far. Gap i is the one before word i."""

    def __init__(self, x: Floats, lengths: Lengths, scores: bool = False) -> None:
        self.heights = np.zeros(len(x), np.int32)  # of each gap, the layer that closed it
        self.vectors: list[Floats] = []  # of what has combined, layer by layer
        self.gaps: list[Places] = []  # the gap that stands for each of them
        self.shared: list[tuple[Places, Places]] = []  # further gaps of a constituent, and that one
        self.stuck: list[int] = []  # sentences in which no nodes combined
        self.invalid = np.zeros(len(lengths), np.int64)  # of each sentence, see `_count_invalid`
        self.joins: list[Floats] | None = [] if scores else None  # the confidence of each of ``vectors``
        self.weights: Floats | None = None  # (2N,) of words and of what has combined, mean λ in its parent
        self._starts = np.arange(len(x))  # of each node, its first word
        self._nodes = np.arange(len(x))  # of each node, its number: N + its gap for what has combined
        self._x, self._lengths, self._layer = x, lengths, 0
        self._sentences = np.arange(len(lengths))  # those still there
        self._drop_complete()

    def tops(self, lengths: Lengths) -> NDArray[np.int32]:
        """The height of each sentence's tree."""
        return np.maximum.reduceat(self.heights, np.cumsum(lengths) - lengths)

    def run_binary(self, engine: Engine) -> None:
        """Alg. 2: neighbours that point at each other combine, the others relay."""
        while len(self._lengths):
            scores = engine.orient(self._x, self._lengths)
            right = scores > 0
            first, last = self._ends()
            self._count_invalid(right, first, last, self._sentences)
            right[first], right[last] = True, False
            left = np.flatnonzero(right[:-1] & ~right[1:])
            new, _ = engine.compose(self._x[left], self._x[left + 1])
            if self.joins is not None:
                self.joins.append(meeting(scores, left, first, last))
            self._combine(left + 1, left + 1, new)

    def run_multi(self, engine: Engine) -> None:
        """Alg. 3: the nodes of a chunk combine."""
        if self.joins is not None:
            self.weights = np.full(2 * len(self.heights), np.nan, np.float32)
        while len(self._lengths):
            scores, hints = engine.chunk(self._x, self._lengths)
            first, _ = self._ends()
            sentence = np.repeat(np.arange(len(self._lengths)), self._lengths)
            scores = scores[np.arange(len(self._x)) + sentence]  # of the boundary before each node
            begins = scores > 0
            begins[first] = True
            stuck = np.add.reduceat(begins, first) == self._lengths
            self.stuck += self._sentences[stuck].tolist()
            self.invalid[self._sentences[stuck]] += 1
            begins[stuck[sentence]] = False  # join all that is left
            begins[first] = True
            chunk = begins.cumsum() - 1
            member = np.bincount(chunk)[chunk] > 1
            new, lam = engine.merge(self._x[member], hints[member], begins[member])
            if self.joins is not None and self.weights is not None:
                self.joins.append(chunking(scores, begins, first)[member[begins]])
                self.weights[self._nodes[member]] = lam.mean(1)
            closing = np.flatnonzero(~begins)
            stands_for = np.flatnonzero(begins & member) + 1  # a chunk's first gap
            own = (begins & member).cumsum() - 1  # of each node, which of the chunks that combine
            self.shared.append((self._starts[closing], self._starts[stands_for][own[closing]]))
            self._combine(closing, stands_for, new)

    def run_triangle(self, engine: Engine) -> None:
        """As `run_binary`, but each pair leaves a cell; one whose two point away is the placeholder <0>.

        The first and the last cell always hold a node, so the single cell on top does too.
        """
        x, starts, lengths, sentences = self._x, self._starts, self._lengths, self._sentences
        real, height = np.ones(len(x), bool), np.zeros(len(x), np.int32)
        while len(lengths):
            last = np.cumsum(lengths) - 1
            scores = engine.orient(x, lengths)
            right = scores > 0
            first = last - lengths + 1
            self._count_invalid(right, first, last, sentences)
            right[first], right[last] = True, False
            left = np.delete(np.arange(len(x)), last)  # the left one of each pair
            from_left, from_right = (right & real)[left], (~right & real)[left + 1]
            meet = np.flatnonzero(from_left & from_right)
            new, _ = engine.compose(x[left[meet]], x[left[meet] + 1])
            closed = starts[left[meet] + 1]
            self.vectors.append(new)
            self.gaps.append(closed)
            if self.joins is not None:
                self.joins.append(meeting(scores, left[meet], first, last))
            taken = np.where(from_left, left, left + 1)
            tops = height[taken]
            tops[meet] = np.maximum(height[left[meet]], height[left[meet] + 1]) + 1
            self.heights[closed] = tops[meet]
            x, starts, height, real = x[taken], starts[taken], tops, from_left | from_right
            x[meet], x[~real] = new, 0
            alive = lengths > 2
            cells = np.repeat(alive, lengths - 1)
            x, starts, height, real = x[cells], starts[cells], height[cells], real[cells]
            lengths, sentences = lengths[alive] - 1, sentences[alive]

    def _count_invalid(
        self, right: NDArray[np.bool_], first: Places, last: Places, sentences: Places
    ) -> None:
        """Count the layers that the scores alone would leave invalid, before the frame is imposed.

        A layer is invalid if its first node points left or its last right. Between a first node that points
        right and a last one that points left, two always meet: no valid layer combines nothing.
        """
        self.invalid[sentences] += ~right[first] | right[last]

    def _ends(self) -> tuple[Places, Places]:
        """The first and the last node of each sentence."""
        last = np.cumsum(self._lengths) - 1
        return last - self._lengths + 1, last

    def _combine(self, closing: Places, stands_for: Places, new: Floats) -> None:
        """Close the gaps before the nodes ``closing``; one of these ``stands_for`` each vector of ``new``."""
        self._layer += 1
        self.heights[self._starts[closing]] = self._layer
        self.vectors.append(new)
        self.gaps.append(self._starts[stands_for])
        kept = np.ones(len(self._x), bool)
        kept[closing] = False
        gone = np.add.reduceat(~kept, self._ends()[0])
        places = kept.cumsum() - 1  # a node that goes is counted to the one before it
        x = self._x[kept]
        x[places[stands_for]] = new
        nodes = self._nodes[kept]
        nodes[places[stands_for]] = len(self.heights) + self._starts[stands_for]
        self._x, self._nodes, self._starts = x, nodes, self._starts[kept]
        self._lengths = self._lengths - gone
        self._drop_complete()

    def _drop_complete(self) -> None:
        alive = self._lengths > 1
        if not alive.all():
            nodes = np.repeat(alive, self._lengths)
            self._x, self._nodes, self._starts = self._x[nodes], self._nodes[nodes], self._starts[nodes]
            self._lengths, self._sentences = self._lengths[alive], self._sentences[alive]


def merge(x: Floats, logits: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """MULTI of Alg. 3 for chunks that lie end to end: their vectors (P, d) and the members' λ (M, d)."""
    first = np.flatnonzero(begins)
    chunk = begins.cumsum() - 1
    exp = np.exp(logits - np.maximum.reduceat(logits, first)[chunk])
    lam = exp / np.add.reduceat(exp, first)[chunk]
    return np.add.reduceat(lam * x, first), lam
