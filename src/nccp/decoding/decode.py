"""The layer loop: a batch of sentences to trees in compact form (paper, Alg. 1 to 3 and 5).

Decoding is greedy and never fails. The first node of a layer may not point left, nor the last right, so in a
binary layer there are always two nodes that point at each other. In a multi-branching model, if a layer would
combine nothing, all its nodes are joined under one root, and the tree is marked as ``joined``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nccp.decoding.confidence import Confidence, log_softmax
from nccp.decoding.engine import Engine, Floats
from nccp.decoding.layers import Loop, run_layers
from nccp.trees import Gaps, Names, Symbols
from nccp.trees.labels import POS, SUB


@dataclass(frozen=True)
class Decoded:
    """The trees of a batch, sentences end to end. Gap i is the one before word i; a first word has none."""

    sentences: Sequence[Sequence[str]]
    tags: NDArray[np.int64]  # (N,)
    leaf_labels: NDArray[np.int64]  # (N,)
    heights: NDArray[np.int32]  # (N,)
    labels: NDArray[np.int64]  # (N,)
    joined: NDArray[np.bool_]  # (S,) whether the fallback joined what was left
    invalid: NDArray[np.int64]  # (S,) layers whose scores alone would not have made a layer
    symbols: Symbols
    confidence: Confidence | None = None

    def gaps(self) -> Iterator[Gaps]:
        """The trees one by one."""
        start = 0
        for words in self.sentences:
            end = start + len(words)
            yield Gaps(
                words,
                self.tags[start:end].astype(np.int32),
                self.leaf_labels[start:end].astype(np.int32),
                self.heights[start + 1 : end],
                self.labels[start + 1 : end].astype(np.int32),
                self.symbols,
            )
            start = end


def decode(engine: Engine, sentences: Sequence[Sequence[str]], *, scores: bool = False) -> Decoded:
    """Parse a batch of sentences, none of them empty; ``scores`` adds the confidence of each decision."""
    lengths = np.array([len(words) for words in sentences], np.int64)
    context = engine.context(sentences)
    loop = run_layers(engine, context.x, lengths, scores=scores)
    logits = label_logits(engine, context.x, loop, lengths)
    return assemble(engine.symbols, sentences, context.tags, loop, logits, logits.argmax(1), scores=scores)


def label_logits(engine: Engine, x: Floats, loop: Loop, lengths: NDArray[np.int64]) -> Floats:
    """Of each node, the words first and then those of ``loop.gaps``: label logits, -inf where not allowed."""
    # labels decide nothing on the way, so all nodes of all layers are labelled at once
    logits = engine.labels(np.concatenate([x, *loop.vectors]))
    allowed = _Allowed(engine.symbols.labels)
    gaps = np.concatenate([np.zeros(0, np.int64), *loop.gaps])
    top = loop.heights[gaps] == np.repeat(loop.tops(lengths), lengths)[gaps]
    leaves, inner = logits[: len(x)], logits[len(x) :]
    leaves += allowed.leaf  # in place: this is a large array
    inner += allowed.inner
    inner[top] += allowed.top
    return logits


def assemble(
    symbols: Symbols,
    sentences: Sequence[Sequence[str]],
    tags: Floats,
    loop: Loop,
    logits: Floats,
    chosen: NDArray[np.int64],
    *,
    scores: bool = False,
) -> Decoded:
    """The trees of a finished loop, with the label ``chosen`` for each row of ``logits``."""
    words = len(tags)
    gaps = np.concatenate([np.zeros(0, np.int64), *loop.gaps])
    labels = np.full(words, -1, np.int64)
    labels[gaps] = chosen[words:]
    for others, first in loop.shared:  # the other gaps of a multi-branching constituent
        labels[others] = labels[first]
    joined = np.zeros(len(sentences), bool)
    joined[loop.stuck] = True
    best = tags.argmax(1)
    found = None
    if scores:
        sure = log_softmax(logits, chosen)
        found = _confidence(loop, gaps, log_softmax(tags, best), sure[:words], sure[words:])
    return Decoded(
        sentences, best, chosen[:words], loop.heights, labels, joined, loop.invalid, symbols, found
    )


def _confidence(
    loop: Loop, gaps: NDArray[np.int64], tags: Floats, leaves: Floats, inner: Floats
) -> Confidence:
    nodes = np.zeros(len(tags), np.float32)
    nodes[gaps] = np.concatenate([np.zeros(0, np.float32), *(loop.joins or [])]) + inner
    if loop.weights is None:
        return Confidence(tags, leaves, nodes, None, None)
    return Confidence(tags, leaves, nodes, loop.weights[: len(tags)], loop.weights[len(tags) :])


class _Allowed:
    """0 for labels that may stand over a word, inside a tree, on top of it; -inf for the others."""

    def __init__(self, labels: Names) -> None:
        any_sub = np.array([name == SUB for name in labels])  # model.unify_sub: both marks in one class
        sub = np.array([name.startswith(SUB) for name in labels]) & ~any_sub
        pos = np.array([name.startswith(POS) for name in labels])
        self.leaf, self.inner, self.top = map(self._bar, (sub, pos, sub | pos | any_sub))

    @staticmethod
    def _bar(barred: NDArray[np.bool_]) -> Floats:
        return np.where(barred & ~barred.all(), -np.inf, 0).astype(np.float32)
