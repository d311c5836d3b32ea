"""A split for a treebank that has none: by document, seeded, and written down."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nccp.errors import TrainingError
from nccp.files import atomic_write
from nccp.treebanks import Cleaning, Entry, Treebank
from nccp.trees import format_tree

_BLOCK = 20  # consecutive sentences that stay together where there are too few documents
_FEW = 10
SHARE = 0.1
"""The share of the sentences that goes into each held-out split."""


@dataclass(frozen=True)
class MadeSplit:
    """The trees of each split, and what they consist of."""

    trees: dict[str, list[Entry]]
    documents: dict[str, list[str]]
    unit: str
    """What was kept together: documents, or blocks of sentences."""

    def write(self, folder: Path, record: Path, seed: int) -> None:
        """Write the trees as ``train.mrg``, ``dev.mrg`` and ``test.mrg``, and which documents went where."""
        for split, entries in self.trees.items():
            with atomic_write(folder / f"{split}.mrg") as file:
                file.writelines(f"(TOP {format_tree(entry.tree)})\n" for entry in entries)
        with atomic_write(record) as file:
            json.dump({"seed": seed, "unit": self.unit, "splits": self.documents}, file, indent=1)


def make_split(
    bank: Treebank,
    seed: int = 0,
    cleaning: Cleaning = Cleaning(),  # noqa: B008 -- frozen
) -> MadeSplit | None:
    """Hold out development and test trees, about a tenth each; None if the treebank has both already.

    A split that the treebank has stays as it is. The trees are clean.
    """
    if {"train", "dev"} <= set(bank.splits):
        return None
    entries = list(bank.read("train" if "train" in bank.splits else None, cleaning=cleaning))
    kept = {
        split: list(bank.read(split, cleaning=cleaning)) for split in ("dev", "test") if split in bank.splits
    }
    pool = [entry for entry in entries if entry.split not in kept]
    wanted = [split for split in ("test", "dev") if split not in kept]
    unit, documents = _documents(pool)
    if len(documents) <= len(wanted):
        raise TrainingError(
            f"{bank.path}: {len(pool):,} trees are too few to hold some out for development; add trees, or "
            "make the split yourself: a folder with train.mrg and dev.mrg"
        )
    order = np.random.default_rng(seed).permutation(len(documents)).tolist()
    chosen: dict[str, list[int]] = {"train": order}
    for split in wanted:
        chosen[split] = _hold_out(order, [len(part) for _, part in documents], SHARE * len(pool))
    trees = {split: _gather(documents, sorted(places)) for split, places in chosen.items()}
    names = {split: [documents[place][0] for place in sorted(places)] for split, places in chosen.items()}
    names |= {split: [f"{len(part):,} trees of the treebank's own split"] for split, part in kept.items()}
    return MadeSplit(trees | kept, names, unit)


def _documents(pool: Sequence[Entry]) -> tuple[str, list[tuple[str, list[Entry]]]]:
    """The trees by file; blocks of consecutive trees if there are only a few files."""
    files: dict[str, list[Entry]] = {}
    for entry in pool:
        files.setdefault(str(entry.file), []).append(entry)
    if len(files) >= _FEW:
        return "documents", list(files.items())
    size = max(1, min(_BLOCK, len(pool) // 30))
    return f"blocks of {size} sentences", [
        (
            f"{file}, trees {start + 1} to {start + len(part[start : start + size])}",
            part[start : start + size],
        )
        for file, part in files.items()
        for start in range(0, len(part), size)
    ]


def _hold_out(order: list[int], sizes: Sequence[int], count: float) -> list[int]:
    """Take documents from the end of ``order`` until they have ``count`` trees; the first always stays."""
    taken: list[int] = []
    while len(order) > 1 and sum(sizes[place] for place in taken) < count:
        taken.append(order.pop())
    return taken


def _gather(documents: Sequence[tuple[str, list[Entry]]], places: Iterable[int]) -> list[Entry]:
    return [entry for place in places for entry in documents[place][1]]
