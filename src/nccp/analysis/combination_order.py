"""The order in which a binary model combines flat constituents: Figure "m_ary" (top) of the paper.

A treebank does not say in which order the children of a flat NP combine; a binary model has to decide. Its
parts ``_NP`` are not in the finished tree::

            NP                   the pair that combined first     DT JJ
        ____|____                the child that came last         NN
       _NP       |
     ___|___     |
    DT      JJ   NN

A model learns this order from the factors in its training data: after mostly left-factored trees it combines
mostly at the left end. Its own preferences show where it deviates, and in what it leaves for last.

Counted over constituents of at least three children. Several pairs may be first, in different places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nccp.analysis.errors import ranked
from nccp.decoding import Parse
from nccp.trees.gaps import Gaps, fold
from nccp.trees.labels import POS, SUB, is_sub, split_chain

SIDES = ("left", "right", "inside")


@dataclass
class Internals:
    """The counts of many parses."""

    flat: Counter[str] = field(default_factory=Counter)
    """Constituents of three children or more."""
    children: Counter[str] = field(default_factory=Counter)
    """Their children, by label or tag."""
    first: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Parent, left and right child that combined with each other before anything else."""
    early: Counter[str] = field(default_factory=Counter)
    """Children that were in such a pair."""
    late: Counter[str] = field(default_factory=Counter)
    """Children that came last, to a part that held all others."""
    side: Counter[str] = field(default_factory=Counter)
    """Where those pairs stand: at the left end of their parent, at the right end, inside."""

    def add(self, gaps: Gaps) -> None:
        """Count one more parse of a binary model."""
        labels = [gaps.symbols.labels[place] for place in gaps.labels.tolist()]
        leaves = [gaps.symbols.labels[place] for place in gaps.leaf_labels.tolist()]
        tags = [gaps.symbols.tags[place] for place in gaps.tags.tolist()]
        top = int(gaps.heights.max(initial=0))

        def node(owned: list[int], parts: list[_Piece]) -> _Piece:
            label = labels[owned[0]]
            joined = _join(parts)
            if is_sub(label) and gaps.heights[owned[0]] < top:
                return joined
            if len(joined.names) > 2:
                self._count(_lowest(label), parts, joined)
            return _Piece([_highest(label)], [])

        fold(
            gaps.heights.tolist(),
            lambda i: _Piece([tags[i] if is_sub(leaves[i]) or not leaves[i] else _highest(leaves[i])], []),
            node,
        )

    def _count(self, parent: str, parts: list[_Piece], joined: _Piece) -> None:
        names = joined.names
        self.flat[parent] += 1
        self.children.update(names)
        for place in joined.pairs:
            self.first[parent, names[place], names[place + 1]] += 1
            self.early.update(names[place : place + 2])
            self.side["left" if place == 0 else "right" if place + 2 == len(names) else "inside"] += 1
        self.late.update(part.names[0] for part in parts if len(part.names) == 1)

    def to_dict(self, top: int = 20) -> dict[str, Any]:
        """For JSON."""
        return {
            "flat": dict(ranked(self.flat, top)),
            "side": {side: self.side[side] for side in SIDES},
            "first": [
                {"parent": parent, "left": left, "right": right, "count": count}
                for (parent, left, right), count in ranked(self.first, top)
            ],
            "children": {
                name: {"count": count, "first": self.early[name], "last": self.late[name]}
                for name, count in ranked(self.children, top)
            },
        }


def count_internals(parses: Iterable[Parse]) -> Internals:
    """Count over parses of a binary model."""
    internals = Internals()
    for parse in parses:
        if parse.gaps is not None:
            internals.add(parse.gaps)
    return internals


class _Piece(NamedTuple):
    """A constituent or a word, by one name; or a part, by the names of all that was put together in it."""

    names: list[str]
    pairs: list[int]
    """Where two that combined with each other first stand among the names."""


def _join(parts: list[_Piece]) -> _Piece:
    names: list[str] = []
    pairs: list[int] = []
    for part in parts:
        pairs += [len(names) + place for place in part.pairs]
        names += part.names
    if len(parts) == 2 and len(names) == 2:
        pairs = [0]
    return _Piece(names, pairs)


def _highest(label: str) -> str:
    return split_chain(label)[0] if not is_sub(label) else ""


def _lowest(label: str) -> str:
    if label.startswith(POS):
        return ""
    return split_chain(label[1:] if label.startswith(SUB) else label)[-1]
