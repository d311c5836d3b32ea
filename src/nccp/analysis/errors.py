"""Classification of wrong brackets: every bracket without a match has exactly one fault.

In this order, over spans of words that count:

    label         the other tree has an unmatched bracket over the same words, of another label
    unary         the other tree has a bracket over the same words: a link of a chain too many or too few
    coordination  a conjunction is among its children: what is coordinated begins or ends elsewhere
    attachment    of X. Either an unmatched bracket of the other tree has the same label and one end in
                  common, and what lies between the other ends is a constituent X in both trees::

                      (VP saw (NP the man) (PP with ...))     (VP saw (NP the man (PP with ...)))

                  or the bracket is there for X alone: one child X is a constituent in both trees, and the
                  only other child has the bracket's own label: ``(NP (NP the man) (PP with ...))``
    boundary      as attachment, but what lies between is not one constituent in both trees
    level         no bracket of the other tree is crossed: a level too many, or one too few
    crossing      the rest
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nccp.languages import LANGUAGES
from nccp.scoring import Brackets, Constituent, Matching, Span

KINDS = ("label", "unary", "coordination", "attachment", "boundary", "level", "crossing")
CONJUNCTIONS = frozenset().union(*(language.conjunctions for language in LANGUAGES.values()))
_TO = " → "


class Fault(NamedTuple):
    """What is wrong with one bracket."""

    kind: str
    is_missed: bool
    """Whether it is missing from the predicted tree; otherwise it is an extra bracket there."""
    label: str
    what: str
    """The constituent that is attached elsewhere; for labels, gold and predicted one; else the label."""
    place: int
    """Among the brackets of its tree."""


def find_faults(matching: Matching) -> list[Fault]:
    """The fault of every unmatched bracket."""
    return _Sentence(matching).faults


class _Sentence:
    """The unmatched brackets of one sentence; each leaves its list when its fault is known."""

    def __init__(self, matching: Matching) -> None:
        self.gold, self.pred = matching.gold, matching.pred
        self.missed = {place: self.gold.nodes[place] for place in matching.missed}
        self.extra = {place: self.pred.nodes[place] for place in matching.extra}
        self.faults: list[Fault] = []
        self._labels()
        for is_missed in (True, False):
            self._alone(is_missed, ("unary", "coordination"))
        self._pairs()
        for is_missed in (True, False):
            self._alone(is_missed, ("attachment", "level", "crossing"))

    def _side(self, is_missed: bool) -> dict[int, Constituent]:
        return self.missed if is_missed else self.extra

    def _blame(self, kind: str, is_missed: bool, place: int, what: str = "") -> None:
        node = self._side(is_missed).pop(place)
        self.faults.append(Fault(kind, is_missed, node.label, what or node.label, place))

    def _labels(self) -> None:
        waiting: dict[Span, list[int]] = {}
        for place, node in self.extra.items():
            waiting.setdefault(node.span, []).append(place)
        for place, node in list(self.missed.items()):
            if others := waiting.get(node.span):
                other = others.pop(0)
                what = node.label + _TO + self.extra[other].label
                self._blame("label", True, place, what)
                self._blame("label", False, other, what)

    def _alone(self, is_missed: bool, kinds: tuple[str, ...]) -> None:
        """Find the faults that can be seen from one bracket."""
        for place, node in list(self._side(is_missed).items()):
            for kind in kinds:
                if what := self._shows(kind, node, self.pred if is_missed else self.gold):
                    self._blame(kind, is_missed, place, what)
                    break

    def _shows(self, kind: str, node: Constituent, other: Brackets) -> str:
        """The constituent concerned if the bracket has a fault of this kind; otherwise an empty string."""
        name = node.label or "(none)"
        if kind == "unary":
            return name if node.span in other.labels else ""
        if kind == "coordination":
            return name if any(part.label in CONJUNCTIONS for part in node.parts) else ""
        if kind == "attachment":
            return _adjunct(node, other)
        return name if kind == "crossing" or not other.crosses(node.span) else ""

    def _pairs(self) -> None:
        """Missed and extra brackets of one label that begin or end together."""
        for place, node in list(self.missed.items()):
            near = [
                (abs(node.start - other.start) + abs(node.end - other.end), number)
                for number, other in self.extra.items()
                if other.label == node.label and (other.start == node.start or other.end == node.end)
            ]
            if near:
                number = min(near)[1]
                between = _between(node.span, self.extra[number].span)
                in_both = between in self.gold.labels and between in self.pred.labels
                kind, what = ("attachment", self.gold.labels[between]) if in_both else ("boundary", "")
                self._blame(kind, True, place, what)
                self._blame(kind, False, number, what)


def _adjunct(node: Constituent, other: Brackets) -> str:
    """The child that the bracket is there for; the other child has the bracket's own label."""
    if len(node.parts) != 2:
        return ""
    for host, guest in (node.parts, node.parts[::-1]):
        if host.label == node.label and not guest.is_word and (guest.start, guest.end) in other.labels:
            return guest.label
    return ""


def _between(one: Span, two: Span) -> Span:
    """The words in one of two spans that begin or end together, and not in the other."""
    if one[0] == two[0]:
        return min(one[1], two[1]), max(one[1], two[1])
    return min(one[0], two[0]), max(one[0], two[0])


@dataclass
class Errors:
    """The faults of many sentences."""

    missed: Counter[str] = field(default_factory=Counter)
    """By kind."""
    extra: Counter[str] = field(default_factory=Counter)
    what: dict[str, Counter[str]] = field(default_factory=dict)
    """By kind, how often each constituent is concerned, missed and extra ones together; labels by pairs."""
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Gold and predicted label over the same words."""

    def add(self, faults: Iterable[Fault]) -> None:
        """Count those of one more sentence."""
        for fault in faults:
            (self.missed if fault.is_missed else self.extra)[fault.kind] += 1
            what = self.what.setdefault(fault.kind, Counter())
            if fault.kind != "label":
                what[fault.what] += 1
            elif fault.is_missed:
                what[fault.what] += 1
                self.confusions[fault.label, fault.what[len(fault.label) + len(_TO) :]] += 1

    @property
    def total(self) -> int:
        """Brackets that do not match, in both trees."""
        return self.missed.total() + self.extra.total()

    def to_dict(self, top: int = 10) -> dict[str, Any]:
        """For JSON."""
        return {
            "kinds": {
                kind: {
                    "missed": self.missed[kind],
                    "extra": self.extra[kind],
                    "most": dict(ranked(self.what.get(kind, Counter()), top)),
                }
                for kind in KINDS
            },
            "confusions": [
                {"gold": gold, "predicted": pred, "count": count}
                for (gold, pred), count in ranked(self.confusions, top)
            ],
        }


def ranked(counts: Counter[Any], top: int | None = None) -> list[tuple[Any, int]]:
    """The most frequent first; of equal ones in alphabetical order."""
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:top]
