"""The confidence of the decoder in its labels and combinations, and the λ of a constituent's children.

Confidences are logarithms of probabilities: for labels from a softmax over the labels that are allowed at a
node, for orientations and chunk boundaries, which are trained by their margin, from a logistic function.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

SHARPNESS = np.float32(3)
"""Slope of the logistic function: the margin of 1 that training aims at has a confidence of 95 %."""


@dataclass(frozen=True, eq=False)
class Confidence:
    """The confidences of a batch or of one sentence; those of a gap are at the index of the word after it."""

    tags: Floats  # (n,)
    leaves: Floats  # (n,) the constituent over a word alone, or that there is none
    nodes: Floats  # (n,) what a gap's constituent is called and that it formed; 0 at all but one of its gaps
    word_weights: Floats | None  # (n,) mean λ in the constituent that a word went into; NaN on top
    node_weights: Floats | None  # (n,) the same of constituents, at the gap that stands for each

    def cut(self, start: int, end: int) -> Confidence:
        """The part for words ``start`` to ``end``."""
        parts = (self.tags, self.leaves, self.nodes, self.word_weights, self.node_weights)
        return Confidence(*(None if part is None else part[start:end] for part in parts))  # type: ignore[arg-type]

    @staticmethod
    def join(parts: list[Confidence]) -> Confidence:
        """The confidences of pieces that were parsed separately; joining them has a confidence of 0.5."""
        nodes = np.concatenate([part.nodes for part in parts])
        nodes[np.cumsum([len(part.nodes) for part in parts[:-1]])] = np.log(np.float32(0.5))
        tags, leaves = ([getattr(part, name) for part in parts] for name in ("tags", "leaves"))
        return Confidence(np.concatenate(tags), np.concatenate(leaves), nodes, None, None)


def log_softmax(logits: Floats, chosen: Places) -> Floats:
    """Of each row, (N, labels), the log-probability of the chosen column."""
    shifted = logits - logits.max(1, keepdims=True)
    found: Floats = shifted[np.arange(len(shifted)), chosen] - np.log(np.exp(shifted).sum(1))
    return found


def log_sigmoid(margin: Floats) -> Floats:
    """The confidence of a decision by this margin; a negative margin is a decision against its score."""
    sure: Floats = -np.logaddexp(np.float32(0), -SHARPNESS * margin)
    return sure


def meeting(scores: Floats, left: Places, first: Places, last: Places) -> Floats:
    """The confidence that each of ``left`` and its right neighbour meet; the ends have no choice."""
    sure = log_sigmoid(np.abs(scores))
    sure[first], sure[last] = 0, 0
    return sure[left] + sure[left + 1]


def chunking(scores: Floats, begins: NDArray[np.bool_], first: Places) -> Floats:
    """The confidence of the two boundaries of each chunk, from the ``scores`` before each node."""
    sure = log_sigmoid(np.where(begins, scores, -scores))
    sure[first] = 0
    chunks = np.flatnonzero(begins)
    behind = np.append(sure[chunks[1:]], np.float32(0))
    found: Floats = np.add.reduceat(sure, chunks) + behind
    return found
