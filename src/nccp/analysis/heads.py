"""Which child a multi-branching model treats as the head: Table "head" of the paper.

Every child of a constituent has a weight, the mean of its λ over all dimensions; they add up to one. The
heaviest child contributes most to the constituent's vector: it is what the model treats as its head.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nccp.decoding import Parse
from nccp.languages import HeadFinder, known_language
from nccp.trees import Tree

ABSENT = "*"
"""Marks the children of an NP that has no determiner."""


class Family(NamedTuple):
    """A constituent with several children, and how much each of them counts in it."""

    label: str
    children: list[Tree]
    weights: tuple[float, ...]

    @property
    def heaviest(self) -> int:
        """The child of the largest weight; of equal ones the first."""
        return max(range(len(self.weights)), key=self.weights.__getitem__)


@dataclass
class Parent:
    """Counts for the constituents of one label. A child is named by its label or tag, possibly starred."""

    nodes: int = 0
    heaviest: Counter[str] = field(default_factory=Counter)
    """How often a child of this name is the heaviest."""
    present: Counter[str] = field(default_factory=Counter)
    """How many of the nodes have a child of this name."""
    children: Counter[str] = field(default_factory=Counter)
    """How many children of this name there are."""
    weight: Counter[str] = field(default_factory=Counter)
    """Their weights' sum (a float)."""
    judged: int = 0
    """Nodes with several children besides punctuation: on these the rules are compared."""
    chance: float = 0.0
    """How many of those a random choice would get right, on average."""
    agreed: Counter[str] = field(default_factory=Counter)
    """By rule, how often its head is the heaviest child."""

    def add(self, family: Family, determiners: frozenset[str], find_head: HeadFinder | None) -> None:
        """Count one more constituent."""
        labels = [child.label() for child in family.children]
        starred = family.label == "NP" and bool(determiners) and determiners.isdisjoint(labels)
        names = [ABSENT + label for label in labels] if starred else labels
        self.nodes += 1
        self.heaviest[names[family.heaviest]] += 1
        self.present.update(set(names))
        self.children.update(names)
        for name, weight in zip(names, family.weights):
            self.weight[name] += weight  # type: ignore[assignment]  # a Counter adds floats as well
        self._judge(family, labels, find_head)

    def _judge(self, family: Family, labels: list[str], find_head: HeadFinder | None) -> None:
        full = [i for i, child in enumerate(family.children) if not child.is_mark]
        if len(full) < 2:
            return
        heads = {"first": full[0], "last": full[-1]}
        if find_head is not None:
            head = find_head(family.label, [labels[i] for i in full])
            if head is None:
                return
            heads["collins"] = full[head]
        self.judged += 1
        self.chance += 1 / len(full)
        self.agreed.update(rule for rule, place in heads.items() if place == family.heaviest)

    def __add__(self, other: Parent) -> Parent:
        return Parent(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def mean_weight(self, name: str) -> float:
        """The mean weight of children of this name."""
        return self.weight[name] / self.children[name] if self.children[name] else 0.0


@dataclass
class Heads:
    """The counts of many parses; those of parts add up."""

    language: str = "en"
    sentences: int = 0
    joined: int = 0
    """Sentences whose root was made by a fallback; that root is not counted."""
    parents: dict[str, Parent] = field(default_factory=dict)

    @property
    def rules(self) -> tuple[str, ...]:
        """Whose heads are compared with the heaviest child."""
        return ("first", "last", "collins") if self._find_head else ("first", "last")

    @property
    def _determiners(self) -> frozenset[str]:
        language = known_language(self.language)
        return language.determiners if language else frozenset()

    @property
    def _find_head(self) -> HeadFinder | None:
        language = known_language(self.language)
        return language.find_head if language else None

    @property
    def total(self) -> Parent:
        """All parents together."""
        return sum(self.parents.values(), Parent())

    def add(self, parse: Parse) -> None:
        """Count one more sentence."""
        self.sentences += 1
        self.joined += parse.joined
        determiners, find_head = self._determiners, self._find_head
        for family in families(parse):
            parent = self.parents.setdefault(family.label, Parent())
            parent.add(family, determiners, find_head)

    def __add__(self, other: Heads) -> Heads:
        if self.language != other.language:
            raise ValueError(f"heads of {self.language} and of {other.language} do not add up")
        labels = [*self.parents, *(label for label in other.parents if label not in self.parents)]
        return Heads(
            self.language,
            self.sentences + other.sentences,
            self.joined + other.joined,
            {
                label: self.parents.get(label, Parent()) + other.parents.get(label, Parent())
                for label in labels
            },
        )

    def frequent(self, min_count: int = 1) -> list[tuple[str, Parent]]:
        """Labels of at least so many nodes, the most frequent first."""
        found = [(label, parent) for label, parent in self.parents.items() if parent.nodes >= min_count]
        return sorted(found, key=lambda one: (-one[1].nodes, one[0]))

    def to_dict(self, min_count: int = 1, top: int | None = None) -> dict[str, Any]:
        """For JSON."""
        return {
            "language": self.language,
            "determiners": sorted(self._determiners),
            "sentences": self.sentences,
            "joined": self.joined,
            "agreement": _agreement(self.total, self.rules),
            "parents": {
                label: {
                    "nodes": parent.nodes,
                    "agreement": _agreement(parent, self.rules),
                    "children": {
                        name: {
                            "heaviest": parent.heaviest[name],
                            "present": parent.present[name],
                            "weight": round(parent.mean_weight(name), 4),
                        }
                        for name in ranked(parent)[:top]
                    },
                }
                for label, parent in self.frequent(min_count)
            },
        }


def ranked(parent: Parent) -> list[str]:
    """The names of a parent's children, the most often heaviest first."""
    return sorted(parent.present, key=lambda name: (-parent.heaviest[name], -parent.present[name], name))


def count_heads(parses: Iterable[Parse], language: str = "en") -> Heads:
    """Count over parses of a multi-branching model, made with scores."""
    heads = Heads(language)
    for parse in parses:
        heads.add(parse)
    return heads


def families(parse: Parse) -> Iterator[Family]:
    """The constituents of several children, parents first, but for a root that a fallback made."""
    if parse.tree is None or (weights := parse.weights) is None:
        return
    nodes = [node for node in parse.tree.subtrees() if len(node) > 1]
    for number, (node, branching) in enumerate(zip(nodes, weights)):
        if number or not parse.joined:
            yield Family(node.label(), list(node), branching.weights)


def _agreement(parent: Parent, rules: tuple[str, ...]) -> dict[str, Any]:
    return {
        "nodes": parent.judged,
        **{rule: parent.agreed[rule] for rule in rules},
        "chance": round(parent.chance, 2),
    }
