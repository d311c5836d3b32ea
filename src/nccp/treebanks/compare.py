"""What is common in one treebank and rare in another: productions, labels, tags, and labels over tags.

Two treebanks of one language differ in their texts and in their conventions. What is frequent in one and
absent in the other is often a convention, and can then be harmonised (``nccp.treebanks.repairs``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from nccp.treebanks.treebank import Entry

KINDS = ("production", "label", "tag", "label over tag")
PER = 100_000
"""Rates are per so many nodes (productions, labels) or words (tags, labels over tags)."""
_WIDTH = 60  # characters of an example


@dataclass
class Inventory:
    """How often each production, label, tag, and label over a tag occurs in a treebank."""

    path: str
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    """Where each of them is met first, with its words."""
    trees: int = 0


@dataclass(frozen=True)
class Difference:
    """Something that is common in the first treebank and rare in the second."""

    kind: str
    name: str
    count: int
    rate: float
    other_count: int
    other_rate: float
    example: str


def take_inventory(path: str, entries: Iterable[Entry]) -> Inventory:
    """Count everything in the trees of a treebank."""
    inventory = Inventory(path)
    for entry in entries:
        inventory.trees += 1
        for node in entry.tree.subtrees():
            if node.is_preterminal:
                found = [("tag", node.label())]
            else:
                names = [child if isinstance(child, str) else child.label() for child in node]
                found = [("label", node.label()), ("production", f"{node.label()} -> {' '.join(names)}")]
                tags = [child for child in node if not isinstance(child, str) and child.is_preterminal]
                found += [("label over tag", f"{node.label()} over {tag.label()}") for tag in tags]
            for kind, name in found:
                inventory.counts[kind][name] += 1
                if (kind, name) not in inventory.examples:
                    words = " ".join(node.leaves())
                    cut = words if len(words) <= _WIDTH else words[: _WIDTH - 1] + "…"
                    inventory.examples[kind, name] = f"{entry.id}: {cut}"
    return inventory


def differences(
    first: Inventory, second: Inventory, *, least: float = 5.0, times: float = 10.0, label: str | None = None
) -> dict[str, list[Difference]]:
    """By kind, what occurs at least ``least`` times in 100,000 in the first and ``times`` as often as in
    the second; the most frequent first. ``label`` keeps what has this label on top."""
    found: dict[str, list[Difference]] = {}
    for kind in KINDS:
        totals = [sum(inventory.counts[kind].values()) or 1 for inventory in (first, second)]
        rows = []
        for name, count in first.counts[kind].items():
            other = second.counts[kind][name]
            rates = PER * count / totals[0], PER * other / totals[1]
            if rates[0] < least or rates[0] < times * rates[1]:
                continue
            if label is not None and name.split(" ")[0] != label:
                continue
            example = first.examples[kind, name]
            rows.append(Difference(kind, name, count, round(rates[0], 2), other, round(rates[1], 2), example))
        found[kind] = sorted(rows, key=lambda row: (-row.rate, row.name))
    return found


def comparison_dict(
    first: Inventory, second: Inventory, found: dict[str, list[Difference]]
) -> dict[str, Any]:
    """The comparison in plain values, for JSON."""
    return {
        "first": {"path": first.path, "trees": first.trees},
        "second": {"path": second.path, "trees": second.trees},
        "per": PER,
        "differences": {kind: [asdict(row) for row in rows] for kind, rows in found.items()},
    }


def comparison_lines(
    first: Inventory, second: Inventory, found: dict[str, list[Difference]], shown: int
) -> Iterator[str]:
    """The comparison for people; at most ``shown`` rows of each kind."""
    yield f"first:  {first.path}, {first.trees:,} trees"
    yield f"second: {second.path}, {second.trees:,} trees"
    for kind, rows in found.items():
        yield ""
        yield f"{kind}s common in the first and rare in the second: {len(rows):,}"
        if rows:
            yield f"  per 100,000: first  second     count  {kind}"
        for row in rows[:shown]:
            yield f"  {row.rate:>19.1f}{row.other_rate:>8.1f}{row.count:>10,}  {row.name}"
            yield f"{'':41}{row.example}"
        if len(rows) > shown:
            yield f"  and {len(rows) - shown:,} more"
