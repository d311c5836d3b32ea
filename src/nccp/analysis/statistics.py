"""Orientation, compression and complexity of stratified trees (paper, sections 3.1 and A.1).

Everything follows from the gap heights of a tree. Five words, binary, with heights 1 3 1 2:

        layer 3     ────────── X ──────────     1 node,  no orientation
        layer 2     ── x ──    ───── x ─────    2 nodes, > <        gaps open: 3
        layer 1     ── x ──    ── x ──     x    3 nodes, > > <      gaps open: 3 2
        layer 0     x     x    x     x     x    5 nodes, > < > < <  gaps open: 1 3 1 2
        gaps           1     3    1     2

Layer j has one node more than it has open gaps (height > j), and a node points towards the lower of the two
gaps around it: that is the neighbour it meets first. All trees of a batch are laid end to end, so that a
batch costs a few numpy calls and no Python loop over trees or nodes.

Orientations are counted in both formats. In the triangular one (the paper's Table "ori"), a child waits one
layer for each word of its sister: the left children of a tree point right as often as its right children
have words, and the reverse.

A :class:`FactorStatistics` holds counts, never means: two of them add up, and a treebank may be read in
pieces of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nccp.trees import FACTORS, Gaps, binarize, group_flat

MULTI = "multi"
LONG = 40  # the paper tells layers longer than this apart (Table "comp_ratios")

IntArray = NDArray[np.int64]
_END = np.iinfo(np.int64).max  # the gap at either end of a sentence never closes
_BATCH = 2048


@dataclass(frozen=True)
class Ratio:
    """Mean and standard deviation of a compression ratio, and how many layers they come from."""

    mean: float
    deviation: float
    layers: int

    def __str__(self) -> str:
        return f"{self.mean:.2f} ±{self.deviation:.2f}"


@dataclass(frozen=True)
class Regression:
    """A least-squares polynomial; ``coefficients`` run from the highest power down to the constant."""

    coefficients: tuple[float, ...]
    r2: float

    def __call__(self, n: Any) -> Any:
        return np.polyval(self.coefficients, n)


@dataclass(frozen=True)
class Orientations:
    """How many nodes point left and right."""

    left: int = 0
    right: int = 0

    def __add__(self, other: Orientations) -> Orientations:
        return Orientations(self.left + other.left, self.right + other.right)

    @property
    def right_share(self) -> float | None:
        """Of all nodes with an orientation, those that point right."""
        total = self.left + self.right
        return self.right / total if total else None


@dataclass(frozen=True, eq=False)
class FactorStatistics:
    """What one factor makes of a treebank, as counts that add up.

    ``transitions`` has a row (length of a layer, length of the next, how often), ``sentences`` a row (words,
    nodes in all layers, how often); both are sorted and each pair occurs once. ``stratified`` and
    ``triangular`` count orientations in the two formats; multi-branching trees have none.
    """

    stratified: Orientations | None
    triangular: Orientations | None
    transitions: IntArray  # (k, 3)
    sentences: IntArray  # (k, 3)

    def __add__(self, other: FactorStatistics) -> FactorStatistics:
        return FactorStatistics(
            _add(self.stratified, other.stratified),
            _add(self.triangular, other.triangular),
            _tally(*np.concatenate([self.transitions, other.transitions]).T),
            _tally(*np.concatenate([self.sentences, other.sentences]).T),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FactorStatistics):
            return NotImplemented
        return (
            (self.stratified, self.triangular) == (other.stratified, other.triangular)
            and np.array_equal(self.transitions, other.transitions)
            and np.array_equal(self.sentences, other.sentences)
        )

    @property
    def trees(self) -> int:
        return int(self.sentences[:, 2].sum())

    @property
    def words(self) -> int:
        return int(self.sentences[:, 0] @ self.sentences[:, 2])

    @property
    def nodes(self) -> int:
        """Nodes in all layers of all trees, relaying ones and top ones included."""
        return int(self.sentences[:, 1] @ self.sentences[:, 2])

    def ratio(self, longer_than: int = 0) -> Ratio | None:
        """Next layer's length by this layer's, over layers of more than ``longer_than`` nodes but the top."""
        length, following, count = self.transitions[self.transitions[:, 0] > longer_than].T
        if not len(count):
            return None
        ratio = following / length
        mean = float(np.average(ratio, weights=count))
        deviation = float(np.sqrt(np.average((ratio - mean) ** 2, weights=count)))
        return Ratio(mean, deviation, int(count.sum()))

    def regression(self, degree: int) -> Regression | None:
        """Nodes of a tree as a polynomial of its words; None where too few lengths are there to tell."""
        words, nodes, count = self.sentences.T
        if len(np.unique(words)) <= degree:
            return None
        coefficients = np.polyfit(words, nodes, degree, w=np.sqrt(count))
        residue = float(count @ (nodes - np.polyval(coefficients, words)) ** 2)
        spread = float(count @ (nodes - np.average(nodes, weights=count)) ** 2)
        return Regression(tuple(map(float, coefficients)), 1 - residue / spread if spread else 1.0)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: orientation, ratio, nodes."""
        return {
            "orientation": self.stratified
            and {"triangular": _plain(self.triangular), "stratified": _plain(self.stratified)},
            "ratio": {"all": _plain(self.ratio()), f"longer_than_{LONG}": _plain(self.ratio(LONG))},
            "nodes": {
                "total": self.nodes,
                "linear": _plain(self.regression(1)),
                "quadratic": _plain(self.regression(2)),
            },
        }


@dataclass(frozen=True)
class Statistics:
    """The statistics of a treebank: one :class:`FactorStatistics` per factor, in the order of the table."""

    trees: int
    words: int
    factors: Mapping[str, FactorStatistics]
    grouped: Mapping[str, FactorStatistics] = field(default_factory=dict)
    """The same after flat structure was grouped; empty unless asked for."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "trees": self.trees,
            "words": self.words,
            "factors": {name: one.to_dict() for name, one in self.factors.items()},
            **(
                {"grouped": {name: one.to_dict() for name, one in self.grouped.items()}}
                if self.grouped
                else {}
            ),
        }


def treebank_statistics(trees: Iterable[Gaps], *, group: bool = False, seed: int = 0) -> Statistics:
    """Binarize and stratify trees in compact form with every factor, and count.

    ``group`` counts them all a second time, with flat structure grouped into sub-constituents before they
    are binarized (appendix A.1). Each factor draws its coins from a generator of its own, so that a column
    never depends on another.
    """
    plain, grouped = _Counts(seed), _Counts(seed)
    for batch in _batches(trees):
        plain.add(batch)
        if group:
            grouped.add([group_flat(gaps) for gaps in batch])
    multi = plain.totals[MULTI]
    return Statistics(multi.trees, multi.words, plain.totals, grouped.totals if group else {})


class _Counts:
    """The totals of all factors over the batches so far."""

    def __init__(self, seed: int) -> None:
        self.rngs = {factor: np.random.default_rng((seed, i)) for i, factor in enumerate(FACTORS)}
        self.totals = {name: measure([], oriented=name in self.rngs) for name in (*FACTORS, MULTI)}

    def add(self, batch: Sequence[Gaps]) -> None:
        for name in self.totals:
            rng = self.rngs.get(name)
            shaped = batch if rng is None else [binarize(gaps, name, rng) for gaps in batch]
            self.totals[name] += measure([gaps.heights for gaps in shaped], oriented=rng is not None)


def measure(heights: Sequence[NDArray[Any]], *, oriented: bool) -> FactorStatistics:
    """Count over trees given by their gap heights: n-1 for n words, each 1 or more."""
    if not heights:
        empty = np.zeros((0, 3), np.int64)
        none = Orientations() if oriented else None
        return FactorStatistics(none, none, empty, empty)
    gaps = np.array([len(one) for one in heights], np.int64)  # (trees,)
    flat = np.concatenate(heights).astype(np.int64)  # (all gaps,)
    owner = np.repeat(np.arange(len(gaps)), gaps)  # (all gaps,) the tree of each
    depth = np.zeros_like(gaps)  # (trees,) the layer of the top node
    np.maximum.at(depth, owner, flat)

    # Every layer of every tree but the tops, end to end: the gaps that close after it, its nodes, the next's.
    first = np.cumsum(depth) - depth  # (trees,) where the layers of each begin
    closing = np.bincount(first[owner] + flat - 1, minlength=int(depth.sum()))  # (all layers,)
    gone = np.cumsum(closing) - closing  # closed below this layer, in this tree and those before it
    length = np.repeat(1 + np.cumsum(gaps), depth) - gone

    # Layer j has 1 + #{heights > j} nodes; summed over layers 0 to depth, that is depth + 1 + sum(heights).
    nodes = depth + 1
    np.add.at(nodes, owner, flat)

    stratified, triangular = _orientations(flat, gaps) if oriented else (None, None)
    return FactorStatistics(stratified, triangular, _tally(length, length - closing), _tally(gaps + 1, nodes))


def _orientations(flat: IntArray, gaps: IntArray) -> tuple[Orientations, Orientations]:
    """How many nodes point left and right in the stratified and in the triangular format."""
    ends = np.concatenate([[0], np.cumsum(gaps)])
    line = np.insert(flat, ends, _END)  # | h h h | h h | h |
    places = np.arange(len(line))
    left = right = layer = left_words = right_words = 0
    while len(line) > len(ends):  # gaps are left
        left += int((line[:-1] < line[1:]).sum())
        right += int((line[1:] < line[:-1]).sum())
        layer += 1
        closing = np.flatnonzero(line == layer)  # between a left and a right child
        left_words += int((places[closing] - places[closing - 1]).sum())
        right_words += int((places[closing + 1] - places[closing]).sum())
        line, places = line[line > layer], places[line > layer]
    return Orientations(left, right), Orientations(left_words, right_words)


def _add(one: Orientations | None, two: Orientations | None) -> Orientations | None:
    return None if one is None or two is None else one + two


def _tally(first: IntArray, second: IntArray, count: IntArray | None = None) -> IntArray:
    """Rows (first, second, how often), sorted, each pair once."""
    base = int(second.max()) + 1 if len(second) else 1
    keys, where = np.unique(first * base + second, return_inverse=True)
    counts = np.zeros(len(keys), np.int64)
    np.add.at(counts, where, 1 if count is None else count)
    return np.stack([keys // base, keys % base, counts], axis=1)


def _batches(trees: Iterable[Gaps]) -> Iterator[list[Gaps]]:
    iterator = iter(trees)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _plain(value: Ratio | Regression | Orientations | None) -> dict[str, Any] | None:
    return None if value is None else dict(vars(value))
