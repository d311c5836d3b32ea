"""What is still right after a mistake: a dynamic oracle for both models, in the compact form.

Training on gold layers only, a network never sees what its own mistakes lead to. Here a tree is followed
along any path, that is, any order in which its gaps close, and at every layer the oracle says what should
combine so that no more is lost::

    gold   (S (NP the cat) (VP sat down))          the path closes the gap cat|sat first: a mistake

    layer 1      the →   [cat sat] →  ← down       NP and VP cross the node [cat sat]: both are out of
    layer 0   the →  cat →  ← sat  ← down          reach, and S is all that is left to aim at

A gold constituent is in reach as long as no node crosses it. The goal of a gap is the lowest constituent
in reach that holds both its neighbours. Of two neighbouring gaps the deeper goal closes first; gaps of one
goal close in the order of the factor or, for the multi-branching model, together. A node that is a gold
constituent has its label, any other is a part ``_X`` of the lowest constituent in reach around it (that
has an ``_X``, where the labels are frozen).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from nccp.errors import TreeError
from nccp.trees.gaps import Gaps, Ints, fold
from nccp.trees.labels import sub_label


@dataclass(frozen=True, eq=False)
class Explored(Gaps):
    """A tree along a path: ``heights`` are the path's, labels and goals the oracle's."""

    goals: Sequence[tuple[int, Ints]] = ()
    """From which layer on: the order in which the gaps should close; later ones replace earlier ones."""


def explore(gold: Gaps, path: Ints, factor: str = "") -> Explored:
    """Follow ``path``, the heights of any tree over the words of ``gold``, which is not binarized.

    ``factor``: "left" or "right" for the binary model, else none. Along the path of ``gold`` itself, under
    that factor, everything comes out as it is there.
    """
    sign = _SIGNS.get(factor)
    if sign is None:
        raise TreeError(f"no order of closing is known for the factor {factor!r}")
    reach = _Reach(gold)
    heights = path.tolist()
    labels = [-1] * len(heights)
    goals = [(0, reach.order(sign))]
    lowest = [-1] * len(gold)  # of the node that starts at a word, the lowest constituent around it
    for height, start, end, gaps in _nodes(heights):
        inside = [lowest[start]]
        for gap in gaps:
            inside += reach.owners[gap], lowest[gap + 1]
        lowest[start] = around = min((c for c in inside if c >= 0), key=reach.depths.__getitem__)
        label = reach.label(around, start, end)
        for gap in gaps:
            labels[gap] = label
        if reach.lose(start, end):
            if goals[-1][0] == height:
                goals.pop()
            goals.append((height, reach.order(sign)))
    made = np.array(labels, np.int32)
    return Explored(gold.words, gold.tags, gold.leaf_labels, path, made, gold.symbols, goals)


_SIGNS = {"left": 1, "right": -1, "": 0}


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
        self.top = len(self.parents) - 1

    def lose(self, start: int, end: int) -> bool:
        """Take note of a node; True if it crosses constituents that were in reach."""
        lost = False
        # what reaches over one of the node's edges crosses it, up to the first that holds all of it
        for gap in (start - 1, end - 1):
            number = self.owners[gap] if 0 <= gap < len(self.owners) else self.top
            while self.starts[number] > start or self.ends[number] < end:
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


def _nodes(heights: list[int]) -> list[tuple[int, int, int, list[int]]]:
    """The nodes of a tree, the lowest first: height, first word, end, and the gaps that it closes."""
    found: list[tuple[int, int, int, list[int]]] = []

    def node(owned: list[int], children: list[tuple[int, int]]) -> tuple[int, int]:
        start, end = children[0][0], children[-1][1]
        found.append((heights[owned[0]], start, end, owned))
        return start, end

    fold(heights, lambda i: (i, i + 1), node)
    return sorted(found, key=itemgetter(0))
