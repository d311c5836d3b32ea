"""The three categories of labels that a model sees (paper, Table "label").

original    S  NP  SBAR+S     constituents of the treebank, unary chains collapsed
sub         _S  _NP           parts of constituents of three children or more, after binarizing
pos         #NN  #DT          words that are no constituent by themselves
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nccp.trees.gaps import fold, to_gaps
from nccp.trees.labels import POS, Symbols, sub_label
from nccp.trees.tree import Tree


@dataclass
class LabelCategories:
    """How often each label occurs, by category; ``sub`` counts the constituents that have such parts."""

    original: Counter[str] = field(default_factory=Counter)
    sub: Counter[str] = field(default_factory=Counter)
    pos: Counter[str] = field(default_factory=Counter)

    def add(self, tree: Tree) -> None:
        """Count the labels of one more tree."""
        symbols = Symbols()
        gaps = to_gaps(tree, symbols)
        names, labels = symbols.labels, gaps.labels.tolist()
        for place in gaps.leaf_labels.tolist():
            (self.pos if names[place].startswith(POS) else self.original)[names[place]] += 1

        def node(owned: list[int], children: list[None]) -> None:
            label = names[labels[owned[0]]]
            self.original[label] += 1
            if len(children) > 2:
                self.sub[sub_label(label)] += 1

        fold(gaps.heights.tolist(), lambda _: None, node)

    def to_dict(self) -> dict[str, dict[str, object]]:
        """For JSON: of each category the number of types and the labels, the most frequent first."""
        return {name: {"types": len(counts), "labels": dict(ranked(counts))} for name, counts in self.items()}

    def items(self) -> list[tuple[str, Counter[str]]]:
        """The categories by name."""
        return [("original", self.original), ("sub", self.sub), ("pos", self.pos)]


def ranked(counts: Counter[str], top: int | None = None) -> list[tuple[str, int]]:
    """The most frequent first, then by name: the same on every machine."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
