from nccp.treebanks import open_treebank
from nccp.treebanks.gum import parse_splits

from .conftest import Write

SPLITS = """# Splits

## dev

  * GUM_bio_owl

## test

  * GUM_bio_swan
  * GUM_reddit_gone

## test2

  * GENTLE_poem_wren

## train

  * GUM_bio_crow
  * GUM_reddit_masked
"""
TREE = "(ROOT\n  (S\n    (NP-SBJ (NNS Owls))\n    (VP (VBP sleep))))\n\n"


def test_lists() -> None:
    splits = parse_splits(SPLITS)
    assert list(splits) == ["train", "dev", "test", "test2"]
    assert splits["test"] == ["GUM_bio_swan", "GUM_reddit_gone"]


def test_splits(write: Write) -> None:
    names = ["GUM_bio_owl", "GUM_bio_swan", "GENTLE_poem_wren", "GUM_bio_crow"]
    masked = TREE.replace("Owls", "____").replace("sleep", "_____") + TREE
    files = {f"const/{name}.ptb": TREE * 2 for name in names} | {"const/GUM_reddit_masked.ptb": masked}
    bank = open_treebank(write(files | {"splits.md": SPLITS}))
    assert (bank.name, bank.splits) == ("gum", ("train", "dev", "test", "test2"))
    assert bank.missing == ("GUM_reddit_gone",)
    assert [entry.id for entry in bank.read("test2")] == ["GENTLE_poem_wren#1", "GENTLE_poem_wren#2"]
    assert [entry.id for entry in bank.read("train")][2:] == ["GUM_reddit_masked#2"]


def test_the_real_treebank(treebanks) -> None:  # type: ignore[no-untyped-def]
    splits = [entry.split for entry in open_treebank(treebanks / "gum").read()]
    counts = {name: splits.count(name) for name in splits}
    assert counts == {"train": 10_224, "dev": 1_575, "test": 1_464, "test2": 1_334}
