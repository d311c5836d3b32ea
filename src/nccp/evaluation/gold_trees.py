"""Reading the gold trees to compare with: which split of which treebank, cleaned how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nccp.config import DataConfig, TreebankConfig
from nccp.errors import InputError
from nccp.treebanks import Cleaning, Entry, Treebank, open_treebank
from nccp.trees import Tree


@dataclass(frozen=True)
class GoldTrees:
    """The gold trees of one split of a treebank."""

    trees: list[Tree]
    source: str
    """The path of the treebank."""
    split: str | None
    """None if the trees of all splits were read."""
    repaired: bool = False
    """Whether the labels were repaired by rule, as GUM's are by default."""

    def __str__(self) -> str:
        parts = [self.source, self.split or "", "repaired trees" if self.repaired else ""]
        return ", ".join(part for part in parts if part)


def choose_split(bank: Treebank, split: str | None = None, *, default: str = "test") -> str | None:
    """The split to read: the requested one, else the default if the treebank has it, else None for all."""
    return split or (default if default in bank.splits else None)


def read_gold(
    path: str,
    form: str | None = None,
    split: str | None = None,
    *,
    default: str = "test",
    cleaning: Cleaning = Cleaning(),  # noqa: B008 -- frozen
) -> GoldTrees:
    """The trees of a treebank's split; see `choose_split`.

    To score a model, pass ``Cleaning(flatten=parser.flat)``: labels that were flattened in its training data,
    which it therefore cannot predict, are then flattened in the gold trees too.
    """
    bank = open_treebank(path, form)
    chosen = choose_split(bank, split, default=default)
    trees = [entry.tree for entry in bank.read(chosen, cleaning=cleaning)]
    if not trees:
        raise InputError(f"{path}: there are no trees to compare with")
    return GoldTrees(trees, path, chosen, bool(bank.settle(cleaning).repairs))


def read_split(treebank: TreebankConfig, split: str, exclude: tuple[str, ...] = ()) -> Iterator[Entry]:
    """The trees of a split of a configured treebank, cleaned as configured; none for an empty name."""
    if not split:
        return
    found = False
    bank = open_treebank(treebank.path, treebank.format or None)
    for entry in bank.read(split, cleaning=treebank.cleaning, exclude=exclude):
        found = True
        yield entry
    if not found:
        raise InputError(f"{treebank.path}: the split {split!r} has no trees")


def trees_of_split(treebank: TreebankConfig, split: str) -> list[Tree]:
    """The trees of a split of a configured treebank; none if the treebank has no such split."""
    bank = open_treebank(treebank.path, treebank.format or None)
    if split not in bank.splits:
        return []
    return [entry.tree for entry in bank.read(split, cleaning=treebank.cleaning)]


def development_trees(config: DataConfig) -> list[Tree]:
    """The development trees of all configured treebanks."""
    return [entry.tree for bank in config.treebanks for entry in read_split(bank, bank.dev)]
