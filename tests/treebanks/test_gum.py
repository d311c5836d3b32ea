import pytest

from nccp.errors import InputError
from nccp.treebanks import Cleaning, open_treebank
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


def test_trees_are_repaired_unless_asked_otherwise(write: Write) -> None:
    tree = "(ROOT (SBAR (NP (WDT that)) (S (VP (VBP sleep)))))\n"
    bank = open_treebank(write({"const/GUM_bio_owl.ptb": tree, "splits.md": SPLITS}))
    repaired, kept = (next(bank.read(cleaning=Cleaning(repairs=repairs))) for repairs in (None, False))
    assert repaired.tree[0].label() == "WHNP"
    assert kept.tree[0].label() == "NP"


def test_documents_can_be_excluded(write: Write) -> None:
    names = ["GUM_bio_owl", "GUM_fiction_swan", "GUM_whow_crow", "GUM_vlog_wren"]
    lists = "## train\n" + "".join(f"  * {name}\n" for name in names)
    bank = open_treebank(write({f"const/{name}.ptb": TREE for name in names} | {"splits.md": lists}))

    def documents(*exclude: str) -> list[str]:
        return [entry.file.stem for entry in bank.read("train", exclude=exclude)]

    assert documents() == sorted(names)
    assert documents("non-commercial") == ["GUM_bio_owl", "GUM_vlog_wren"]
    assert documents("GUM_bio_*", "*_crow") == ["GUM_fiction_swan", "GUM_vlog_wren"]
    with pytest.raises(InputError, match="GUM_essay"):
        documents("GUM_essay_*")


def test_repairs_of_the_real_treebank(treebanks) -> None:  # type: ignore[no-untyped-def]
    bank = open_treebank(treebanks / "gum")
    for repairs, expected in ((False, 1373), (True, 2)):
        fronts = [
            node
            for entry in bank.read(cleaning=Cleaning(repairs=repairs))
            for node in entry.tree.subtrees(lambda node: node.label() == "SBAR" and len(node) == 2)
            if node[0].label() == "NP" and node[1].label() == "S"
        ]
        assert len(fronts) == expected, repairs
