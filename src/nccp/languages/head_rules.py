"""Heads of phrases by tables of rules, the form that Collins gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Literal

from nccp.languages.language import HeadFinder

Side = Literal["left", "right"]


def head_finder(rules: Mapping[str, tuple[Side, str]], conjunctions: Set[str]) -> HeadFinder:
    """What finds heads by rules: for each label, a side and the labels and tags to search for.

    The first label of a rule that some child has decides; of several such children the first from the side.
    If none of them is there, the first child from the side is the head. In a coordination the head is the
    conjunct before the conjunction::

        "NP": ("left", "NNO NP")       (NP (ART para) (NNO anak) (ADJ kecil))  ->  anak
    """
    orders = {label: (side, tuple(wanted.split())) for label, (side, wanted) in rules.items()}

    def find_head(parent: str, children: Sequence[str]) -> int | None:
        """The head's place among children (labels or tags, without punctuation); None if no rule applies."""
        if not children or parent not in orders:
            return None
        side, wanted = orders[parent]
        order = from_side(children, side)
        head = next((i for label in wanted for i in order if children[i] == label), order[0])
        return head - 2 if head >= 2 and children[head - 1] in conjunctions else head

    return find_head


def from_side(children: Sequence[str], side: Side) -> range:
    """The places of the children, searched from this side."""
    return range(len(children)) if side == "left" else range(len(children) - 1, -1, -1)
