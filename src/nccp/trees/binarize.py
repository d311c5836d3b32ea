"""The four binarizing factors, and the grouping of flat structure for the multi-branching model.

All work on the compact form: a constituent with children c1..cm owns m-1 gaps, and a factor only says in
which order these close. The last to close keeps the label X, the others become sub-constituents ``_X``::

    left     X(_X(_X(_X(c1,c2),c3),c4),c5)      gaps close 1 2 3 4
    right    X(c1,_X(c2,_X(c3,_X(c4,c5))))      gaps close 4 3 2 1
    midin    X(c1,_X(_X(c2,_X(c3,c4)),c5))      peeled off left, right, left, ... (the first side by coin)
    midout   X(_X(c1,c2),_X(c3,_X(c4,c5)))      halved again and again (an odd middle by coin)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from nccp.trees.gaps import Gaps, fold
from nccp.trees.labels import Names, sub_label

FACTORS = ("left", "right", "midin", "midout")

Coin = Callable[[], bool]
Split = tuple[int, int, int]  # children lo..hi are split behind child mid


def binarize(gaps: Gaps, factor: str, rng: np.random.Generator | None = None) -> Gaps:
    """The binary tree of ``gaps`` under ``factor``; ``rng`` tosses the coins of midin and midout.

    Without ``rng`` midin starts at the left and midout takes the left middle.
    """
    splits = _SPLITS[factor]
    coin: Coin = (lambda: bool(rng.integers(2))) if rng is not None else (lambda: False)
    sub = _Subs(gaps.symbols.labels)
    heights = gaps.heights.tolist()
    old_labels = gaps.labels.tolist()
    labels = list(old_labels)

    def node(owned: list[int], children: list[int]) -> int:
        if len(owned) == 1:
            heights[owned[0]] = top = max(children) + 1
            return top
        tops: dict[tuple[int, int], int] = {(i, i): height for i, height in enumerate(children)}
        label = sub[old_labels[owned[0]]]
        for lo, mid, hi in reversed(splits(len(children), coin)):  # inner splits first
            top = tops[lo, hi] = max(tops[lo, mid], tops[mid + 1, hi]) + 1
            heights[owned[mid]] = top
            if hi - lo < len(owned):
                labels[owned[mid]] = label
        return top

    fold(gaps.heights.tolist(), lambda _: 0, node)
    return replace(gaps, heights=np.array(heights, np.int32), labels=np.array(labels, np.int32))


def _left(m: int, coin: Coin) -> Sequence[Split]:
    return [(0, hi - 1, hi) for hi in range(m - 1, 0, -1)]


def _right(m: int, coin: Coin) -> Sequence[Split]:
    return [(lo, lo, m - 1) for lo in range(m - 1)]


def _midin(m: int, coin: Coin) -> Sequence[Split]:
    splits, lo, hi, from_right = [], 0, m - 1, coin()
    while lo < hi:
        splits.append((lo, hi - 1 if from_right else lo, hi))
        lo, hi = (lo, hi - 1) if from_right else (lo + 1, hi)
        from_right = not from_right
    return splits


def _midout(m: int, coin: Coin) -> Sequence[Split]:
    splits, todo = [], [(0, m - 1)]
    while todo:
        lo, hi = todo.pop()
        if lo < hi:
            odd = (hi - lo) % 2 == 0  # an odd number of children has two middles
            mid = lo + (hi - lo - 1) // 2 + int(odd and coin())
            splits.append((lo, mid, hi))
            todo += [(lo, mid), (mid + 1, hi)]
    return splits


_SPLITS: dict[str, Callable[[int, Coin], Sequence[Split]]] = {
    "left": _left,
    "right": _right,
    "midin": _midin,
    "midout": _midout,
}


def group_flat(gaps: Gaps) -> Gaps:
    """Group neighbouring children that would wait for a higher sister into ``_X`` (paper, Fig. "m_ary_sub").

    No layer is added; the waiting relays go::

        X(a, b, C, d, e)  with C two layers or more above the rest   ->   X(_X(a,b), C, _X(d,e))
    """
    sub = _Subs(gaps.symbols.labels)
    heights = gaps.heights.tolist()
    old_labels = gaps.labels.tolist()
    labels = list(old_labels)

    def node(owned: list[int], children: list[int]) -> int:
        top = max(children) + 1
        todo = [(0, len(children), top)] if len(owned) > 1 else []
        while todo:
            lo, hi, height = todo.pop()
            start = lo
            for i in range(lo, hi + 1):
                if i < hi and children[i] < height - 1:
                    continue
                if i - start > 1:  # children start..i-1 form in time to be a group
                    lower = max(children[start:i]) + 1
                    for gap in owned[start : i - 1]:
                        heights[gap], labels[gap] = lower, sub[old_labels[gap]]
                    todo.append((start, i, lower))
                start = i + 1
        return top

    fold(gaps.heights.tolist(), lambda _: 0, node)
    return replace(gaps, heights=np.array(heights, np.int32), labels=np.array(labels, np.int32))


def add_sub_labels(gaps: Gaps) -> None:
    """Add to the symbols of ``gaps`` every label ``_X`` that a factor or grouping can need."""
    sub = _Subs(gaps.symbols.labels)
    labels = gaps.labels.tolist()

    def node(owned: list[int], children: list[int]) -> int:
        return sub[labels[owned[0]]] if len(owned) > 1 else 0

    fold(gaps.heights.tolist(), lambda _: 0, node)


class _Subs(dict[int, int]):
    """From a label's place to that of its ``_X``, added when first needed."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def __missing__(self, place: int) -> int:
        self[place] = made = self.names.add(sub_label(self.names[place])) if place >= 0 else -1
        return made
