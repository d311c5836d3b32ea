"""What cleaning changes in a treebank, counted: for ``nccp treebank check``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from nccp.treebanks.cleaning import Cleaning, clean, cut_label
from nccp.treebanks.lemmas import EXAMPLES
from nccp.trees import ROOTS, Tree, strip_root

_SHOWN = 12  # kinds in the text; all are in the JSON


@dataclass
class Changes:
    """Counts of what each step of cleaning did."""

    cleaning: Cleaning
    """Settled: nothing left to the format."""
    removed_words: int = 0
    """Empty elements."""
    cut: Counter[str] = field(default_factory=Counter)
    """Labels and tags that lose functions or indices: ``NP-SBJ -> NP``."""
    flattened: Counter[str] = field(default_factory=Counter)
    """Nodes with the labels of ``flatten`` and ``unwrap``."""
    roots_off: Counter[str] = field(default_factory=Counter)
    """Roots that were taken off."""
    roots_kept: Counter[str] = field(default_factory=Counter)
    """Roots over several nodes, which stay."""
    repaired: int = 0
    """Trees that repairs changed."""

    def clean(self, raw: Tree) -> Tree | None:
        """The clean tree, with what changed counted."""
        unrepaired = msgspec.structs.replace(self.cleaning, repairs=False)
        tree = clean(raw, unrepaired)
        if self.cleaning.lemmas == "keep":
            self.removed_words += len(raw.leaves()) - (len(tree.leaves()) if tree else 0)
        splice = {*self.cleaning.flatten, *self.cleaning.unwrap}
        for node in raw.subtrees():
            label = node.label()
            bare = cut_label(label)
            if bare in splice:
                self.flattened[bare] += 1
            elif self.cleaning.cut_functions and bare != label:
                self.cut[f"{label} -> {bare}"] += 1
        if tree is None:
            return None
        if self.cleaning.strip_root and raw.label() in ROOTS:
            kept = tree.label() in ROOTS and strip_root(tree) is tree
            (self.roots_kept if kept else self.roots_off)[raw.label()] += 1
        if self.cleaning.repairs:
            repaired = clean(raw, self.cleaning)
            self.repaired += repaired != tree
            tree = repaired
        return tree

    def to_dict(self) -> dict[str, Any]:
        """The counts in plain values, for JSON."""
        return {
            "cleaning": msgspec.to_builtins(self.cleaning),
            "removed_words": self.removed_words,
            "cut_labels": dict(self.cut.most_common()),
            "flattened": dict(self.flattened.most_common()),
            "roots_taken_off": dict(self.roots_off.most_common()),
            "roots_kept": dict(self.roots_kept.most_common()),
            "repaired_trees": self.repaired,
        }

    def lines(self) -> Iterator[str]:
        """The counts for people."""
        yield ""
        yield "what cleaning changed"
        if self.cleaning.lemmas in EXAMPLES:
            yield f"  lemmas dropped, leaves are {EXAMPLES[self.cleaning.lemmas]}"
        if self.removed_words:
            yield f"  empty elements removed: {self.removed_words:,}"
        yield from _row("labels and tags cut", self.cut)
        yield from _row("nodes flattened", self.flattened)
        yield from _row("roots taken off", self.roots_off)
        yield from _row("roots kept, over several nodes", self.roots_kept)
        if self.cleaning.add_tags:
            yield "  every word was put under a tag"
        if self.cleaning.repairs:
            yield f"  trees repaired by rule: {self.repaired:,} (--no-repairs leaves them as they are)"
        else:
            yield "  no repairs"


def _row(title: str, counts: Counter[str]) -> Iterator[str]:
    if counts:
        yield f"  {title}: {len(counts):,} kinds, {sum(counts.values()):,} in all"
        shown = [f"{name or '(no label)'} {count:,}" for name, count in counts.most_common(_SHOWN)]
        more = [f"and {len(counts) - _SHOWN:,} more"] if len(counts) > _SHOWN else []
        yield f"    {'; '.join(shown + more)}"
