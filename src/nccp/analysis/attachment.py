"""Attachment: whether constituents that both trees have are attached to the gold parent.

A constituent is rightly attached if the lowest constituent around it has the gold label and begins at the
gold word; in Japanese, which branches to the left, if it ends there. The other end says little of the child:
it moves with whatever else is attached behind it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from nccp.analysis.errors import ranked
from nccp.scoring import Constituent, Matching


@dataclass
class Attachments:
    """Counts by label."""

    by_end: bool = False
    """Whether parents are compared by where they end, not by where they begin."""
    found: Counter[str] = field(default_factory=Counter)
    """Constituents that are in both trees and have a parent in both."""
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Label, gold parent's label, predicted parent's label."""

    def add(self, matching: Matching) -> None:
        """Count those of one more sentence."""
        for one, two in matching.pairs:
            node, twin = matching.gold.nodes[one], matching.pred.nodes[two]
            gold, pred = matching.gold.host(node), matching.pred.host(twin)
            if gold is None or pred is None:
                continue
            self.found[node.label] += 1
            if self._is_same(gold, pred):
                self.right[node.label] += 1
            else:
                self.wrong[node.label, gold.label, pred.label] += 1

    def _is_same(self, gold: Constituent, pred: Constituent) -> bool:
        """Whether the predicted parent is the gold one, whatever else is in it."""
        ends = gold.end == pred.end if self.by_end else gold.start == pred.start
        return gold.label == pred.label and ends

    def errors(self) -> list[tuple[str, int]]:
        """Labels by how often they are attached wrongly, the most often first."""
        return ranked(Counter({label: self.found[label] - self.right[label] for label in self.found}))

    def confusions(self, label: str, top: int = 3) -> list[tuple[tuple[str, str], int]]:
        """Gold and predicted parents of a label, the most frequent confusion first."""
        pairs = {(gold, pred): n for (name, gold, pred), n in self.wrong.items() if name == label}
        return ranked(Counter(pairs), top)

    def to_dict(self, top: int = 10) -> dict[str, Any]:
        """For JSON."""
        return {
            label: {
                "found": self.found[label],
                "wrong": wrong,
                "parents": [
                    {"gold": gold, "predicted": pred, "count": count}
                    for (gold, pred), count in self.confusions(label, top)
                ],
            }
            for label, wrong in self.errors()[:top]
            if wrong
        }
