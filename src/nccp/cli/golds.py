"""The gold trees that a model is compared with."""

from __future__ import annotations

from nccp.decoding import Parser
from nccp.errors import InputError
from nccp.treebanks import Cleaning, open_treebank
from nccp.trees import Tree


def read_golds(
    parser: Parser, trees: str, form: str | None, split: str | None
) -> tuple[list[Tree], str | None]:
    """The trees of a treebank's split (test if it has one), with the labels that the model can give."""
    bank = open_treebank(trees, form)
    split = split or ("test" if "test" in bank.splits else None)
    golds = [entry.tree for entry in bank.read(split, cleaning=Cleaning(flatten=parser.flat))]
    if not golds:
        raise InputError(f"{trees}: no trees to compare with")
    return golds, split
