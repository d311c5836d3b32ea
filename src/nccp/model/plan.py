"""The work that a batch of gold trees requires of the network, computed beforehand in numpy.

Training forces the gold structure (paper, section 3.2), so which vectors combine in which layer is known
before the first number is computed. A `Plan` holds it as indices: for each step from layer j to j+1 the
places that combine and the order of the new layer; the target of every tag, label, orientation and chunk.
A tree that was explored (`nccp.trees.oracle`) has a structure that may err beside targets that do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nccp.model.bilstm import Sequences
from nccp.model.multi import BoundaryTensors
from nccp.runtime.padding import boundaries
from nccp.trees.gaps import Gaps, Ints
from nccp.trees.layers import NIL, Layer, iterate_layers, iterate_triangle
from nccp.trees.oracle import Explored

Places = NDArray[np.int64]
_ToTensor = Callable[[NDArray[Any]], Tensor]


@dataclass(frozen=True)
class Chunks:
    """One layer of the multi-branching model."""

    layer: Sequences
    ends: BoundaryTensors
    targets: Tensor  # (n_j + S,) 1 at a boundary
    members: Tensor  # (M,) nodes that combine
    segment: Tensor  # (M,) the chunk each belongs to


@dataclass(frozen=True)
class Step:
    """From one layer to the next: what combines, and the order of what comes out.

    ``order`` holds places in [old layer, combined ones, one row of zeros].
    """

    left: Tensor  # (P,)
    right: Tensor  # (P,)
    order: Tensor  # (n_{j+1},)
    chunks: Chunks | None


@dataclass(frozen=True)
class Plan:
    """A batch of trees. Nodes: the words, then what combines, step by step."""

    words: Sequences
    steps: list[Step]
    tags: Tensor  # (N,)
    labels: Tensor  # (N + P,)
    lives: Tensor  # (N + P,) in how many layers a node stands
    layers: Sequences | None  # binary: all layers of all sentences, one after the other
    orientations: Tensor  # binary: (all nodes of all layers,) 1, 0, or NIL where there is none


class _Layer(NamedTuple):
    nodes: Places  # (m,)
    lengths: Places  # (S,) of the sentences still there
    joints: NDArray[np.int8]  # (m,) targets: the orientation, or whether a chunk begins
    left: Places | None  # of each node, the place below it (or below its left child) in the layer before


def make_plan(
    trees: Sequence[Gaps], *, binary: bool, triangular: bool = False, device: torch.device | None = None
) -> Plan:
    """The plan of a batch of trees; for a binary model the trees must be binarized."""
    heights = [tree.heights for tree in trees]
    lengths = np.array([len(tree) for tree in trees], np.int64)
    layers = list(_triangles(heights) if triangular else _strata(trees, lengths, binary))
    node_labels = np.concatenate(
        [tree.leaf_labels for tree in trees] + [_padded(tree.labels) for tree in trees]
    )
    lives = np.bincount(
        np.concatenate([layer.nodes[layer.nodes >= 0] for layer in layers]), minlength=len(node_labels)
    )
    born = [np.arange(int(lengths.sum()))]
    steps = []

    def tensor(array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(device)

    for below, above in pairwise(layers):
        assert above.left is not None
        order = above.left.copy()
        inside = np.minimum(order + 1, len(below.nodes) - 1)
        from_right = (below.nodes[order] != above.nodes) & (below.nodes[inside] == above.nodes)
        order[from_right] += 1  # only in a triangle: relayed along a right edge
        new = (below.nodes[order] != above.nodes) & (above.nodes >= 0)
        left = order[new]
        order[new] = len(below.nodes) + np.arange(len(left))
        order[above.nodes == NIL] = len(below.nodes) + len(left)
        born.append(above.nodes[new])
        chunks = None if binary else _chunks(below, above.left, tensor, device)
        steps.append(Step(tensor(left), tensor(left + 1), tensor(order), chunks))
    nodes = np.concatenate(born)
    return Plan(
        Sequences(lengths, device=device),
        steps,
        tensor(np.concatenate([tree.tags for tree in trees]).astype(np.int64)),
        tensor(node_labels[nodes].astype(np.int64)),
        tensor(lives[nodes].astype(np.float32)),
        Sequences(np.concatenate([layer.lengths for layer in layers]), device=device) if binary else None,
        tensor(np.concatenate([layer.joints for layer in layers]) if binary else np.zeros(0, np.int8)),
    )


def _padded(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """A tree's gap labels with one more behind its last word, so that gap i of the batch is at i."""
    return np.append(labels, np.int32(NIL))


def _strata(trees: Sequence[Gaps], lengths: Places, binary: bool) -> Iterator[_Layer]:
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    goals = _Goals(trees, lengths)
    before = None
    for j, layer in enumerate(iterate_layers([tree.heights for tree in trees])):
        sizes = np.bincount(sentence[layer.starts], minlength=len(lengths))
        sizes = sizes[sizes > 0]
        aims = goals.aims(j, layer)
        joints = (aims.orientations if binary else ~aims.ready[:-1]).astype(np.int8)
        joints[np.repeat(sizes == 1, sizes)] = NIL  # a top node has none
        left = None if before is None else np.searchsorted(before, layer.starts)
        before = layer.starts
        yield _Layer(layer.nodes.astype(np.int64), sizes, joints, left)


class _Goals:
    """The targets of the nodes of a layer: from the tree itself or, if it was explored, from its goals."""

    def __init__(self, trees: Sequence[Gaps], lengths: Places) -> None:
        self._turns: dict[int, list[tuple[int, Ints]]] = {}  # by layer: a sentence's first gap, its order
        for tree, first in zip(trees, np.cumsum(lengths) - lengths):
            for j, order in tree.goals if isinstance(tree, Explored) else ():
                self._turns.setdefault(j, []).append((int(first) + 1, order))
        self._order: Ints | None = None  # of the gap before each word of the batch

    def aims(self, j: int, layer: Layer) -> Layer:
        """Layer j, its borders as they should close."""
        if not self._turns:
            return layer
        if self._order is None:
            self._order = layer.borders.copy()  # in layer 0 each node is a word
        for first, order in self._turns.get(j, ()):
            self._order[first : first + len(order)] = order
        return layer._replace(borders=self._order[np.append(layer.starts, len(self._order) - 1)])


def _triangles(heights: Sequence[NDArray[np.int32]]) -> Iterator[_Layer]:
    lengths = np.array([len(h) + 1 for h in heights], np.int64)
    total, first = int(lengths.sum()), np.cumsum(lengths) - lengths
    charts = [list(iterate_triangle(h)) for h in heights]
    sizes = np.zeros(0, np.int64)
    for j in range(int(lengths.max())):
        alive = np.flatnonzero(lengths > j)
        before, sizes = sizes, lengths[alive] - j
        nodes = []
        for i in alive:
            cells, n = charts[i][j][0].astype(np.int64), lengths[i]
            cells[cells >= n] += total - n  # constituents are numbered behind all words of the batch
            cells[cells >= 0] += first[i]
            nodes.append(cells)
        left = None
        if j:
            offsets = (np.cumsum(before) - before)[before > 1]
            left = np.concatenate([offset + np.arange(size) for offset, size in zip(offsets, sizes)])
        orientations = np.concatenate([charts[i][j][1] for i in alive])
        yield _Layer(np.concatenate(nodes), sizes, orientations, left)


def _chunks(below: _Layer, kept: Places, tensor: _ToTensor, device: torch.device | None) -> Chunks:
    """The chunks of a layer, given which of its nodes are the first of a node above."""
    count, lengths = len(below.nodes), below.lengths
    first = np.cumsum(lengths) - lengths
    begins = np.zeros(count, bool)
    begins[kept] = begins[first] = True
    chunk = np.cumsum(begins) - 1
    member = np.bincount(chunk)[chunk] > 1
    ends = boundaries(lengths)
    targets = np.append(below.joints, np.int8(1))[ends.behind]
    targets[np.repeat(lengths == 1, lengths + 1)] = NIL  # a top node has none
    return Chunks(
        Sequences(lengths, device=device),
        BoundaryTensors(*map(tensor, ends)),
        tensor(targets),
        tensor(np.flatnonzero(member)),
        tensor(np.cumsum(begins[member]) - 1),
    )
