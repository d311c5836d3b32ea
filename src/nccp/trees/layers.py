"""Stratified trees: what the models see, layer by layer, and the way back (paper, section 3.1).

::

    binary, left factor                            multi-branching
    layer 2         S                              layer 2         S
    layer 1    NP →   ← VP                         layer 1   |NP       VP|
    layer 0  #DT→ ←NN  #VBD→ ←ADVP                 layer 0   |#DT NN | #VBD ADVP|
              the  cat   sat  down                            the cat   sat  down

Orientations: a left child points right (1), a right child left (0); two that point at each other combine,
the rest relay. Chunks: n_j + 1 boundaries per layer, 1 where a chunk begins or ends. The triangular format
(paper, section 4.3) is the chart of n, n-1, ... 1 cells: each neighbouring pair gives a cell, which is a
combination, a relay, or the placeholder ``<0>`` where both point away::

             S
          NP   VP                each layer one cell shorter; a child waits on its parent's edge
        NP  <0>  VP
      #DT #NN #VBD ADVP
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nccp.errors import TreeError
from nccp.trees.gaps import Gaps, Ints, fold
from nccp.trees.labels import Symbols

NIL = -1  # the placeholder <0>: no label, no orientation
_END = np.int32(np.iinfo(np.int32).max)  # the height of a sentence's two ends, which never close


class Layer(NamedTuple):
    """One layer of a batch of trees laid end to end; a tree is left out above its top node."""

    starts: Ints  # (m,) of each node, the place of its first word in the batch
    nodes: Ints  # (m,) its number: words come first, then a constituent is N + the place of its last gap
    borders: Ints  # (m+1,) heights of the gaps before, between and behind the nodes; _END: a sentence's end

    @property
    def orientations(self) -> NDArray[np.bool_]:
        """Of each node, whether it points right (a single top node has none: False)."""
        return self.borders[1:] < self.borders[:-1]

    @property
    def ready(self) -> NDArray[np.bool_]:
        """Of each border, whether it closes now: it and its like are lower than those before and behind."""
        runs = np.flatnonzero(np.append(True, self.borders[1:] != self.borders[:-1]))
        heights = np.concatenate(([_END], self.borders[runs], [_END]))
        low = (heights[1:-1] < heights[:-2]) & (heights[1:-1] < heights[2:])
        return np.repeat(low, np.diff(np.append(runs, len(self.borders))))


def iterate_layers(heights: Sequence[Ints]) -> Iterator[Layer]:
    """The layers of a batch of trees, lowest first, given the heights of each tree's gaps.

    Node numbers: word i of the batch is i, the constituent that the gap behind word i closes (the last of
    its gaps) is N + i, with N words in the batch.
    """
    lengths = np.array([len(h) + 1 for h in heights], np.int64)
    first = np.cumsum(lengths) - lengths
    total = int(lengths.sum())
    before = np.full(total + 1, _END, np.int32)  # the height of the gap before each word
    inner = np.ones(total + 1, bool)
    inner[first] = inner[-1] = False
    before[inner] = np.concatenate(heights)
    tops = np.array([h.max(initial=0) for h in heights], np.int32)
    top = np.append(np.repeat(tops, lengths), _END)  # of each word, its tree's height
    ends = set(tops.tolist())
    starts = np.arange(total + 1, dtype=np.int32)  # the last is the end of all
    nodes = starts[:-1]
    for j in range(max(ends) + 1):
        borders = before[starts]
        yield Layer(starts[:-1], nodes, borders)
        kept = borders > j + 1
        closing = np.flatnonzero(borders == j + 1)  # here a left and a right neighbour combine
        nodes = nodes[kept[:-1]]
        nodes[kept.cumsum()[closing] - 1] = starts[closing] + (total - 1)
        starts = starts[kept]
        if j in ends:  # some trees are complete
            alive = top[starts] > j
            starts, nodes = starts[alive], nodes[alive[:-1]]


@dataclass(frozen=True, eq=False)
class Layers:
    """A stratified tree: for each layer, lowest first, its labels and its orientations or chunks."""

    words: Sequence[str]
    tags: Ints  # (n,)
    labels: list[Ints]  # k arrays of n_j
    joints: list[NDArray[np.uint8]]  # k-1 arrays: orientations of n_j, or chunks of n_j + 1
    symbols: Symbols
    binary: bool

    @property
    def sizes(self) -> list[int]:
        """The number of nodes in each layer."""
        return [len(labels) for labels in self.labels]


def stratify(gaps: Gaps, *, binary: bool) -> Layers:
    """The layers of a tree: of orientations if ``binary`` (``gaps`` must be binarized), else of chunks."""
    node_labels = np.concatenate((gaps.leaf_labels, gaps.labels, [-1])).astype(np.int32)
    labels, joints = [], []
    for j, layer in enumerate(iterate_layers([gaps.heights])):
        labels.append(node_labels[layer.nodes])
        if binary:
            joints.append(layer.orientations.astype(np.uint8))
        else:
            joints.append((layer.borders > j + 1).astype(np.uint8))
    return Layers(gaps.words, gaps.tags, labels, joints[:-1], gaps.symbols, binary)


def recover(layers: Layers) -> Gaps:
    """The inverse of :func:`stratify` (paper, Alg. 5), total: what is left apart joins on top, unnamed."""
    n = len(layers.words)
    heights = np.full(n - 1, len(layers.labels), np.int32)
    labels = np.full(n - 1, -1, np.int32)
    starts = np.arange(n, dtype=np.int32)
    for j, joint in enumerate(layers.joints):
        above = layers.labels[j + 1]
        kept = np.ones(len(starts), bool)
        kept[1:] = (joint[:-1] == 0) | (joint[1:] == 1) if layers.binary else joint[1:-1] == 1
        places = kept.cumsum() - 1
        if len(above) != places[-1] + 1:
            raise TreeError(f"layer {j} gives {places[-1] + 1} nodes, layer {j + 1} has {len(above)}")
        closes = ~kept
        closed = starts[closes] - 1
        heights[closed] = j + 1
        labels[closed] = above[places[closes]]
        starts = starts[kept]
    return Gaps(layers.words, layers.tags, layers.labels[0], heights, labels, layers.symbols)


@dataclass(frozen=True, eq=False)
class Triangle:
    """A binary tree in the triangular format: n layers of n, n-1, ... 1 cells; NIL is ``<0>``."""

    words: Sequence[str]
    tags: Ints
    labels: list[Ints]
    orientations: list[NDArray[np.int8]]
    symbols: Symbols


def triangulate(gaps: Gaps) -> Triangle:
    """The chart of a binarized tree: a constituent over words a..b stands in layer b-a at place a.

    Until its parent forms, a left child is relayed along the parent's left edge (place a), a right child
    along its right edge (one place to the left each layer); every other cell is ``<0>``.
    """
    node_labels = np.concatenate((gaps.leaf_labels, gaps.labels, [-1, NIL])).astype(np.int32)
    cells = list(iterate_triangle(gaps.heights))
    return Triangle(
        gaps.words,
        gaps.tags,
        [node_labels[nodes] for nodes, _ in cells],
        [orientations for _, orientations in cells],
        gaps.symbols,
    )


def iterate_triangle(heights: Ints) -> Iterator[tuple[Ints, NDArray[np.int8]]]:
    """The n layers of the triangle: node numbers as in :class:`Layer` and orientations; NIL in ``<0>``."""
    n = len(heights) + 1
    nodes = np.full((n, n), NIL, np.int32)  # (layer, place)
    orientations = np.full((n, n), NIL, np.int8)

    def node(owned: list[int], children: list[tuple[int, int, int]]) -> tuple[int, int, int]:
        if len(owned) > 1:
            raise TreeError("the triangular format takes binarized trees")
        (a, middle, left), (_, b, right) = children
        nodes[middle - a - 1 : b - a - 1, a] = left
        orientations[middle - a - 1 : b - a - 1, a] = 1
        layers = np.arange(b - middle - 1, b - a - 1)
        nodes[layers, b - 1 - layers] = right
        orientations[layers, b - 1 - layers] = 0
        return a, b, n + owned[0]

    nodes[n - 1, 0] = fold(heights.tolist(), lambda i: (i, i + 1, i), node)[2]
    for j in range(n):
        yield nodes[j, : n - j], orientations[j, : n - j]


def recover_triangle(triangle: Triangle) -> Gaps:
    """The inverse of :func:`triangulate`."""
    n = len(triangle.words)
    heights = np.zeros(n - 1, np.int32)
    labels = np.full(n - 1, -1, np.int32)
    ends = np.arange(1, n + 1)  # of the node in each cell, its end and its height
    tops = np.zeros(n, np.int32)
    for j in range(n - 1):
        orientation = triangle.orientations[j]
        rightward, leftward = orientation[:-1] == 1, orientation[1:] == 0
        combined = np.flatnonzero(rightward & leftward)
        new_ends = np.where(rightward, ends[:-1], ends[1:])
        new_tops = np.where(rightward, tops[:-1], tops[1:])
        new_ends[combined] = ends[combined + 1]
        new_tops[combined] = np.maximum(tops[combined], tops[combined + 1]) + 1
        closed = ends[combined] - 1
        heights[closed] = new_tops[combined]
        labels[closed] = triangle.labels[j + 1][combined]
        ends, tops = new_ends, new_tops
    if not (n == 1 or heights.all()):
        raise TreeError("the triangle does not end in one tree")
    return Gaps(triangle.words, triangle.tags, triangle.labels[0], heights, labels, triangle.symbols)
