"""What is still right after a mistake: a dynamic oracle for the binary model, in the compact form.

Training on gold layers only, a network never sees what its own mistakes lead to. Here a tree is followed
along any path, that is, any order in which its gaps close, and at every layer the oracle says where each
node should point so that no more is lost::

    gold   (S (NP the cat) (VP sat down))          the path closes the gap cat|sat first: a mistake

    layer 1      the →   [cat sat] →  ← down       NP and VP cross the node [cat sat]: both are out of
    layer 0   the →  cat →  ← sat  ← down          reach, and S is all that is left to aim at

A gold constituent is in reach as long as no node crosses it. The goal of a gap is the lowest constituent
in reach that holds both its neighbours; of two neighbouring gaps the deeper goal closes first, and gaps of
one goal close in the order of the factor. A node that is a gold constituent has its label, any other is a
part ``_X`` of the lowest constituent in reach around it (that has an ``_X``, where the labels are frozen).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nccp.errors import TreeError
from nccp.trees.gaps import Gaps, Ints, fold
from nccp.trees.labels import sub_label


@dataclass(frozen=True, eq=False)
class Explored(Gaps):
    """A binary tree along a path: ``heights`` are the path's, labels and goals the oracle's."""

    goals: Sequence[tuple[int, Ints]] = ()
    """From which layer on: the order in which the gaps should close; later ones replace earlier ones."""


def explore(gold: Gaps, path: Ints, factor: str) -> Explored:
    """Follow ``path``, the heights of a binary tree over the words of ``gold``, which is not binarized.

    Along the path of ``binarize(gold, factor)`` everything comes out as it is there.
    """
    if factor not in ("left", "right"):
        raise TreeError(f"no order of closing is known for the factor {factor!r}")
    reach = _Reach(gold)
    n, sign = len(gold), 1 if factor == "left" else -1
    heights = path.tolist()
    labels = [-1] * (n - 1)
    goals = [(0, reach.order(sign))]
    spans = _spans(heights)
    lowest: list[int] = [-1] * n  # of the node that starts at a word, the lowest constituent around it
    lost = False
    for at, gap in enumerate(order := sorted(range(n - 1), key=heights.__getitem__)):
        start, end = spans[gap]
        inside = (lowest[start], reach.owners[gap], lowest[gap + 1])
        lowest[start] = around = min((c for c in inside if c >= 0), key=reach.depths.__getitem__)
        labels[gap] = reach.label(around, start, end)
        lost |= reach.lose(start, end)
        if lost and (at == n - 2 or heights[order[at + 1]] > heights[gap]):
            goals.append((heights[gap], reach.order(sign)))
            lost = False
    return Explored(
        gold.words, gold.tags, gold.leaf_labels, path, np.array(labels, np.int32), gold.symbols, goals
    )


class _Reach:
    """The constituents of a gold tree, numbered from below, and which of them can still be formed."""

    def __init__(self, gold: Gaps) -> None:
        self.owners = [0] * (len(gold) - 1)  # of each gap
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.parents: list[int] = []
        self.labels: list[int] = []
        self.names = gold.symbols.labels
        labels = gold.labels.tolist()

        def node(owned: list[int], children: list[tuple[int, int, int]]) -> tuple[int, int, int]:
            number = len(self.parents)
            for gap in owned:
                self.owners[gap] = number
            for _, _, child in children:
                if child >= 0:
                    self.parents[child] = number
            self.parents.append(-1)
            self.starts.append(children[0][0])
            self.ends.append(children[-1][1])
            self.labels.append(labels[owned[0]])
            return self.starts[-1], self.ends[-1], number

        fold(gold.heights.tolist(), lambda i: (i, i + 1, -1), node)
        self.depths = [0] * len(self.parents)
        for number in range(len(self.parents) - 2, -1, -1):  # parents have higher numbers
            self.depths[number] = self.depths[self.parents[number]] + 1
        self.crossed = [False] * len(self.parents)

    def lose(self, start: int, end: int) -> bool:
        """Take note of a node; True if it crosses constituents that were in reach."""
        lost = False
        if start:
            number = self.owners[start - 1]  # reaches over the node's left edge, and so do those above it
            while self.ends[number] < end:
                lost |= not self.crossed[number]
                self.crossed[number] = True
                number = self.parents[number]
        if end <= len(self.owners):
            number = self.owners[end - 1]
            while self.starts[number] > start:
                lost |= not self.crossed[number]
                self.crossed[number] = True
                number = self.parents[number]
        return lost

    def goal(self, number: int) -> int:
        """The lowest constituent in reach that holds this one."""
        while self.crossed[number]:
            number = self.parents[number]
        return number

    def order(self, sign: int) -> Ints:
        """Of each gap, when it should close: only neighbours compare."""
        depths = [self.depths[self.goal(owner)] for owner in self.owners]
        count = len(depths)
        return (-np.array(depths, np.int32) * count + sign * np.arange(count)).astype(np.int32)

    def label(self, around: int, start: int, end: int) -> int:
        """Of a node, given the lowest constituent around it, in reach or not."""
        if self.starts[around] == start and self.ends[around] == end:
            return self.labels[around]
        number = self.goal(around)
        while number >= 0:
            label = self.names.add(sub_label(self.names[self.labels[number]]))
            if label >= 0:
                return label
            number = self.parents[number]
        return -1


def _spans(heights: list[int]) -> list[tuple[int, int]]:
    """Of each gap of a binary tree, the first word and the end of the node that it closes."""
    n = len(heights) + 1
    starts, ends = [0] * (n - 1), [n] * (n - 1)
    spine: list[int] = []  # gaps that are still to find a higher one behind them
    for gap, height in enumerate(heights):
        while spine and heights[spine[-1]] <= height:
            if heights[spine[-1]] == height:
                raise TreeError("an oracle follows binary trees")
            ends[spine.pop()] = gap + 1
        starts[gap] = spine[-1] + 1 if spine else 0
        spine.append(gap)
    return list(zip(starts, ends))
