"""The one bracket matcher: which brackets of a predicted tree are in the gold tree.

`pair_brackets` is EVALB's rule, and everything that counts brackets uses it: scores count the pairs, the
error analysis and the page ask `match` which constituents they are. Spans are over the words that count:
under Collins' parameters punctuation does not. In `match` the gold tags decide which words those are, for
both trees, so that no sentence is lost because of a wrong tag, as in `score_trees` with ``gold_deletion``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from nccp.scoring.flat import Flat, flatten
from nccp.scoring.parameters import Pairs, Parameters
from nccp.trees import Tree

Span = tuple[int, int]
Bracket = tuple[Span, str]  # ((start, end), label)


class _Labels(dict[str, str | None]):
    """From a constituent's label to what is compared: cut at ``-`` and ``=``; None if it is not counted."""

    def __init__(self, delete: Iterable[str], equal: Pairs) -> None:
        deleted = set(delete)
        # A bracket is also left out when its label *equals* a deleted one, unlike a tag
        self._delete = deleted | {two for one, two in equal if one in deleted}

    def __missing__(self, label: str) -> str | None:
        cut = re.split("[-=]", label, maxsplit=1)[0]
        self[label] = kept = None if cut in self._delete else cut
        return kept


class Rules:
    """EVALB's parameters, prepared for comparing trees; `rules_of` caches them."""

    def __init__(self, parameters: Parameters) -> None:
        self.labelled = parameters.labelled
        self.equal = _both_ways(parameters.equal_labels)
        self.equal_words = _both_ways(parameters.equal_words)
        self.delete = parameters.delete_labels
        self.delete_for_length = parameters.delete_for_length
        self.labels = _Labels(parameters.delete_labels, self.equal)

    def keep(self, flat: Flat) -> list[int]:
        """1 for a word that is scored, 0 for one that its tag deletes."""
        delete = self.delete
        return [0 if tag in delete else 1 for tag in flat.tags]

    def brackets(self, flat: Flat) -> list[Bracket]:
        """What is compared: brackets over at least one word, with a label that is not deleted."""
        labels = self.labels
        return [
            ((start, end), cut)
            for start, end, label in zip(flat.starts, flat.ends, flat.labels)
            if start != end and (cut := labels[label]) is not None
        ]


@lru_cache(maxsize=16)
def rules_of(parameters: Parameters) -> Rules:
    """The rules that these parameters give."""
    return Rules(parameters)


def _both_ways(pairs: Pairs) -> Pairs:
    return pairs | {(two, one) for one, two in pairs}


class Pairing(NamedTuple):
    """Which gold bracket goes with which predicted one, by their places in the two lists."""

    pairs: list[tuple[int, int]]
    missed: list[int]
    """Gold brackets without a partner."""
    extra: list[int]
    """Predicted brackets without a partner."""


def pair_brackets(gold: Sequence[Bracket], test: Sequence[Bracket], rules: Rules) -> Pairing:
    """Each gold bracket, parents first, takes the first free predicted one of its span that fits."""
    waiting: dict[Span, list[int]] = {}
    for place, (span, _) in enumerate(test):
        if span in waiting:
            waiting[span].append(place)
        else:
            waiting[span] = [place]
    equal, labelled = rules.equal, rules.labelled
    pairs, missed = [], []
    for place, (span, label) in enumerate(gold):
        candidates = waiting.get(span, [])
        for other in candidates:
            candidate = test[other][1]
            if candidate == label or not labelled or (label, candidate) in equal:
                pairs.append((place, other))
                candidates.remove(other)
                break
        else:
            missed.append(place)
    return Pairing(pairs, missed, sorted(place for left in waiting.values() for place in left))


def innermost_brackets(brackets: Iterable[Span], words: int) -> list[Span]:
    """Of each boundary between words, the smallest bracket that it is inside of; parents come first."""
    found = [(-1, words + 1)] * (words + 1)
    for start, end in brackets:
        found[start + 1 : end] = [(start, end)] * (end - start - 1)
    return found


def crosses(innermost: Sequence[Span], span: Span) -> bool:
    """Whether a bracket overlaps ``span`` without holding it or being held.

    Brackets nest, so those with a boundary strictly inside form a chain; the innermost one has the latest
    start and the earliest end. No need to try every pair.
    """
    start, end = span
    return innermost[start][1] < end or innermost[end][0] > start


# ---- by node ----------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A child of a constituent: a constituent, or a word with its tag as the label."""

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

    @property
    def compared(self) -> list[Bracket]:
        """Spans and labels only, for `pair_brackets`."""
        return [(node.span, node.label) for node in self.nodes]

    @cached_property
    def labels(self) -> dict[Span, str]:
        """What is over each span; the highest where there are several."""
        return {node.span: node.label for node in reversed(self.nodes)}

    @cached_property
    def _innermost(self) -> list[Span]:
        return innermost_brackets((node.span for node in self.nodes), len(self.tags))

    def crosses(self, span: Span) -> bool:
        """Whether a bracket here overlaps the span without holding it or being held."""
        return crosses(self._innermost, span)

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
    """Compare two trees over the same words, node by node."""
    rules = rules_of(parameters)
    gold_flat = flatten(gold)
    counts = rules.keep(gold_flat)
    one, two = _brackets(gold_flat, counts, rules), _brackets(flatten(pred), counts, rules)
    return Matching(one, two, *pair_brackets(one.compared, two.compared, rules))


def read_brackets(tree: Tree, counts: Sequence[int], parameters: Parameters) -> Brackets:
    """The brackets of a tree over the words that count; deleted labels and empty spans left out."""
    return _brackets(flatten(tree), counts, rules_of(parameters))


def _brackets(flat: Flat, counts: Sequence[int], rules: Rules) -> Brackets:
    counted = flat.times(counts)
    nodes: list[Constituent] = []
    path: list[int] = []  # the open constituents, innermost last
    word = 0  # words that are placed

    def owner(start: int) -> int:
        while path and nodes[path[-1]].end <= start:
            path.pop()
        return path[-1] if path else -1

    def place_words(end: int) -> None:
        nonlocal word
        for place in range(word, end):
            if (parent := owner(place)) >= 0:
                nodes[parent].parts.append(Part(counted.tags[place], place, place + 1, True))
        word = max(word, end)

    for place, (start, end, name) in enumerate(zip(counted.starts, counted.ends, flat.labels)):
        if start == end or (label := rules.labels[name]) is None:
            continue
        place_words(start)
        parent = owner(start)
        if parent >= 0:
            nodes[parent].parts.append(Part(label, start, end, False))
        path.append(len(nodes))
        # in the tree, a bracket comes behind those before it and behind the words before its first one
        nodes.append(Constituent(label, start, end, place + flat.starts[place], parent, []))
    place_words(len(counted.words))
    return Brackets(nodes, counted.tags)
