"""Which constituents of a predicted tree are in the gold one, as EVALB matches them, node by node.

EVALB says how many; to say what went wrong one has to know which. Spans are over the words that count: under
Collins' parameters punctuation does not. The gold tags decide which words those are, for both trees, so that
no sentence is lost for a wrong tag: as `score_trees` does with ``gold_deletion``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from nccp.decoding.nodes import walk
from nccp.scoring import Parameters
from nccp.trees import Tree

Span = tuple[int, int]


class Part(NamedTuple):
    """A child of a constituent: a constituent or a word, which has its tag for a label."""

    label: str
    start: int
    end: int
    is_word: bool


class Constituent(NamedTuple):
    """A bracket that counts."""

    label: str
    start: int
    end: int
    number: int
    """Among all nodes of its tree, ``tree.subtrees()``."""
    parent: int
    """The constituent that holds it; -1 for one on top."""
    parts: list[Part]
    """Its children that count."""

    @property
    def span(self) -> Span:
        """The words that it covers."""
        return self.start, self.end


@dataclass(frozen=True, eq=False)
class Brackets:
    """The brackets of a tree that count, parents first."""

    nodes: list[Constituent]
    tags: list[str]
    """Of the words that count."""

    @cached_property
    def labels(self) -> dict[Span, str]:
        """What is over each span; the highest where there are several."""
        return {node.span: node.label for node in reversed(self.nodes)}

    @cached_property
    def _innermost(self) -> list[Span]:
        """Of each place between two words, the smallest bracket that it is inside of."""
        words = len(self.tags)
        found = [(-1, words + 1)] * (words + 1)
        for node in self.nodes:
            found[node.start + 1 : node.end] = [node.span] * (node.end - node.start - 1)
        return found

    def crosses(self, span: Span) -> bool:
        """Whether a bracket here overlaps the span without holding it or being held."""
        start, end = span
        return self._innermost[start][1] < end or self._innermost[end][0] > start

    def host(self, node: Constituent) -> Constituent | None:
        """The lowest constituent that holds this one and more."""
        while node.parent >= 0:
            parent = self.nodes[node.parent]
            if parent.span != node.span:
                return parent
            node = parent
        return None


@dataclass(frozen=True, eq=False)
class Matching:
    """Gold and predicted brackets of one sentence; numbers are places in their ``nodes``."""

    gold: Brackets
    pred: Brackets
    pairs: list[tuple[int, int]]
    missed: list[int]
    """Gold brackets without a partner."""
    extra: list[int]
    """Predicted brackets without a partner."""


def match(gold: Tree, pred: Tree, parameters: Parameters) -> Matching:
    """Compare two trees over the same words."""
    counts = [tag not in parameters.delete_labels for tag in gold.tags()]
    one, two = read_brackets(gold, counts, parameters), read_brackets(pred, counts, parameters)
    equal = parameters.equal_labels | {(b, a) for a, b in parameters.equal_labels}
    waiting: dict[Span, list[int]] = {}
    for place, node in enumerate(two.nodes):
        waiting.setdefault(node.span, []).append(place)
    pairs, missed = [], []
    for place, node in enumerate(one.nodes):
        candidates = waiting.get(node.span, [])
        for other in candidates:
            label = two.nodes[other].label
            if label == node.label or not parameters.labelled or (node.label, label) in equal:
                pairs.append((place, other))
                candidates.remove(other)
                break
        else:
            missed.append(place)
    return Matching(one, two, pairs, missed, sorted(place for left in waiting.values() for place in left))


def read_brackets(tree: Tree, counts: Sequence[bool], parameters: Parameters) -> Brackets:
    """The brackets of a tree over the words that count; deleted labels and empty spans left out."""
    equal = parameters.equal_labels | {(b, a) for a, b in parameters.equal_labels}
    deleted = parameters.delete_labels | {b for a, b in equal if a in parameters.delete_labels}
    before = list(accumulate(counts, initial=0))
    nodes: list[Constituent] = []
    tags: list[str] = []
    owners: dict[int, int] = {}  # of a node by its id, the constituent that holds it
    for number, (node, first, last) in enumerate(walk(tree)):
        start, end, owner = before[first], before[last], owners.get(id(node), -1)
        label = node.label()
        if node.is_preterminal:
            if end > start:
                tags.append(label)
                _add_part(nodes, owner, Part(label, start, end, True))
            continue
        label = re.split("[-=]", label, maxsplit=1)[0]
        own = owner
        if end > start and label not in deleted:
            own = len(nodes)
            nodes.append(Constituent(label, start, end, number, owner, []))
            _add_part(nodes, owner, Part(label, start, end, False))
        owners.update((id(child), own) for child in node)
    return Brackets(nodes, tags)


def _add_part(nodes: list[Constituent], owner: int, part: Part) -> None:
    if owner >= 0:
        nodes[owner].parts.append(part)
