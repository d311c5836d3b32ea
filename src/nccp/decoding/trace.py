"""The layers of one sentence, from its words to the root: how its tree was built.

The decoder runs over an engine that records its answers, and the layers are rebuilt from the recording. So
the tree is exactly the one that the parser gives, and the decoder's loop needs no code for this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nccp.decoding.confidence import chunking, log_sigmoid, meeting
from nccp.decoding.decode import Decoded, decode
from nccp.decoding.engine import Context, Engine, Floats, Lengths
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.results import Parse
from nccp.errors import InputError

LONGEST = 2000
"""The most words of a sentence whose layers are kept; n words may have n² / 2 nodes in all layers."""

How = Literal["word", "relay", "combined"]


@dataclass(frozen=True, slots=True)
class LayerNode:
    """A node of a layer: words ``start`` to ``end``, and what happens to it in the next layer.

    In the last layer ``right``, ``begins`` and ``sure`` are None.
    """

    label: str
    start: int
    end: int
    score: float
    """The confidence of the label, from 0 to 1."""
    how: How
    children: tuple[int, ...] = ()
    """Their places in the layer below."""
    right: bool | None = None
    """Binary models: whether it points right, to combine with that neighbour or to wait for it."""
    begins: bool | None = None
    """Multi-branching models: whether a chunk begins with it."""
    sure: float | None = None
    """The confidence of the orientation or chunk boundary; 1 at the ends, which are fixed."""
    lam: float | None = None
    """Binary models, of combined nodes: the weight λ of the left child; None if children are only added."""
    weights: tuple[float, ...] | None = None
    """Multi-branching models, of combined nodes: the mean λ of each child."""


Layer = list[LayerNode]


@dataclass(frozen=True, eq=False)
class Trace:
    """A parse and its layers, the words first. A sentence without words has no layers.

    The rows of a triangular model are shown without their placeholders: a node that moves on beside one
    has been relayed.
    """

    parse: Parse
    layers: list[Layer]


def trace(engine: Engine, sentence: InputSentence) -> Trace:
    """Parse one sentence and keep its layers."""
    if not len(sentence):
        return Trace(Parse(sentence, None), [])
    if len(sentence) > LONGEST:
        raise InputError(
            f"layers are kept of sentences up to {LONGEST:,} words; this one has {len(sentence):,}"
        )
    recorder = _Recorder(engine)
    decoded = decode(recorder, [sentence.readable()], scores=True)
    parse = Parse(
        sentence, next(decoded.gaps()), bool(decoded.joined[0]), int(decoded.invalid[0]), decoded.confidence
    )
    layers = _Rebuilder(decoded)
    rebuild = layers.triangle if engine.triangular else layers.binary if engine.binary else layers.multi
    return Trace(parse, list(rebuild(recorder.rounds)))


class _Round(NamedTuple):
    """The engine's answers between one layer and the next."""

    scores: Floats  # of each node: of pointing right, or of the boundary before it
    weights: Floats | None  # λ of the left one of each pair, or the mean λ of each member of a chunk


class _Recorder:
    """An engine that passes on the answers of another and records them; for one sentence."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.rounds = engine, list[_Round]()
        self.binary, self.triangular, self.symbols = engine.binary, engine.triangular, engine.symbols
        self._scores = np.zeros(0, np.float32)

    def context(self, sentences: Sequence[Sequence[str]]) -> Context:
        return self.engine.context(sentences)

    def labels(self, x: Floats) -> Floats:
        return self.engine.labels(x)

    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        self._scores = self.engine.orient(x, lengths)
        return self._scores

    def compose(self, x_L: Floats, x_R: Floats) -> tuple[Floats, Floats | None]:
        new, lam = self.engine.compose(x_L, x_R)
        self.rounds.append(_Round(self._scores, lam))
        return new, lam

    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        scores, hints = self.engine.chunk(x, lengths)
        self._scores = scores[:-1]  # without the boundary behind the last node
        return scores, hints

    def merge(self, x: Floats, hints: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        new, lam = self.engine.merge(x, hints, begins)
        self.rounds.append(_Round(self._scores, lam.mean(1)))
        return new, lam


class _Rebuilder:
    """Rebuilds the layers from the engine's answers and the labels of the result."""

    def __init__(self, decoded: Decoded) -> None:
        assert decoded.confidence is not None
        self._confidence = decoded.confidence
        names = decoded.symbols.labels
        self._labels = [names[place] for place in decoded.labels.tolist()]
        labels = [names[place] for place in decoded.leaf_labels.tolist()]
        scores = np.exp(self._confidence.leaves).tolist()
        self._words = [
            LayerNode(label, i, i + 1, score, "word") for i, (label, score) in enumerate(zip(labels, scores))
        ]

    def binary(self, rounds: Sequence[_Round]) -> Iterator[Layer]:
        """Neighbours that point at each other combine."""
        layer = self._words
        for scores, weights in rounds:
            right, sure = _orientations(scores)
            yield [replace(node, right=o, sure=p) for node, o, p in zip(layer, right, sure)]
            meet = [i for i in range(len(layer) - 1) if right[i] and not right[i + 1]]
            joins = _meeting(scores, meet)
            pairs = {i: k for k, i in enumerate(meet)}
            above, i = [], 0
            while i < len(layer):
                if (k := pairs.get(i)) is None:
                    above.append(_relay(layer[i], i))
                    i += 1
                else:
                    lam = None if weights is None else float(weights[k])
                    above.append(replace(self._combine(layer, (i, i + 1), joins[k]), lam=lam))
                    i += 2
            layer = above
        yield layer

    def triangle(self, rounds: Sequence[_Round]) -> Iterator[Layer]:
        """The same between neighbouring cells, each pair of which leaves one; None is an empty cell."""
        row: list[LayerNode | None] = list(self._words)
        for scores, weights in rounds:
            right, sure = _orientations(scores)
            yield [replace(node, right=o, sure=p) for node, o, p in zip(row, right, sure) if node]
            layer = [node for node in row if node]
            places = np.cumsum([node is not None for node in row]) - 1  # of a node, among those shown
            left = [row[i] if right[i] else None for i in range(len(row) - 1)]
            others = [None if right[i] else row[i] for i in range(1, len(row))]
            meet = [i for i, pair in enumerate(zip(left, others)) if all(pair)]
            joins = _meeting(scores, meet)
            above: list[LayerNode | None] = []
            met = iter(range(len(meet)))
            for i, (one, other) in enumerate(zip(left, others)):
                place = int(places[i])
                if one and other:
                    k = next(met)
                    lam = None if weights is None else float(weights[k])
                    above.append(replace(self._combine(layer, (place, place + 1), joins[k]), lam=lam))
                elif one:
                    above.append(_relay(one, place))
                else:
                    above.append(other and _relay(other, int(places[i + 1])))
            row = above
        yield [node for node in row if node]

    def multi(self, rounds: Sequence[_Round]) -> Iterator[Layer]:
        """The nodes of a chunk combine."""
        layer = self._words
        for scores, weights in rounds:
            assert weights is not None
            begins = scores > 0
            begins[0] = True
            if begins.all():  # nothing would combine: all that is left is joined
                begins[1:] = False
            sure = np.exp(log_sigmoid(np.where(begins, scores, -scores)))
            sure[0] = 1
            marks = zip(layer, begins.tolist(), sure.tolist())
            yield [replace(node, begins=c, sure=p) for node, c, p in marks]
            joins = chunking(scores, begins, np.zeros(1, np.int64)).tolist()
            first = [*np.flatnonzero(begins).tolist(), len(layer)]
            above, used = [], 0
            for start, end, join in zip(first, first[1:], joins):
                if end == start + 1:
                    above.append(_relay(layer[start], start))
                    continue
                own = tuple(weights[used : used + end - start].tolist())
                used += end - start
                above.append(replace(self._combine(layer, tuple(range(start, end)), join), weights=own))
            layer = above
        yield layer

    def _combine(self, layer: Layer, children: tuple[int, ...], join: float) -> LayerNode:
        """A new node; ``join``, the confidence that its children combine, is taken out of its score."""
        gap = layer[children[1]].start
        score = float(np.exp(min(float(self._confidence.nodes[gap]) - join, 0.0)))
        start, end = layer[children[0]].start, layer[children[-1]].end
        return LayerNode(self._labels[gap], start, end, score, "combined", children)


def _relay(node: LayerNode, place: int) -> LayerNode:
    return replace(node, how="relay", children=(place,), lam=None, weights=None)


def _orientations(scores: Floats) -> tuple[list[bool], list[float]]:
    right, sure = scores > 0, np.exp(log_sigmoid(np.abs(scores)))
    right[0], right[-1], sure[0], sure[-1] = True, False, 1, 1
    return right.tolist(), sure.tolist()


def _meeting(scores: Floats, left: list[int]) -> list[float]:
    ends = np.zeros(1, np.int64), np.array([len(scores) - 1])
    joins: list[float] = meeting(scores, np.array(left, np.int64), *ends).tolist()
    return joins
