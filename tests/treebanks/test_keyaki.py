import hashlib

import pytest

from nccp.errors import InputError
from nccp.treebanks import RAW, Cleaning, open_treebank
from nccp.trees import format_tree

from .conftest import Write

OWL = "( (IP-MAT (NP-SBJ *pro*)\n          (NP;*OB1* (N 梟))\n          (VB 見る))\n  (ID {id}))\n\n"


def test_id_and_empty_elements_are_taken_off(write: Write) -> None:
    (entry,) = open_treebank(write({"treebank/bird.psd": "\n" + OWL.format(id="1_bird;JP")})).read()
    assert (entry.id, entry.line) == ("1_bird;JP", 2)
    assert format_tree(entry.tree) == "(IP (NP (N 梟)) (VB 見る))"


def test_empty_elements_kept(write: Write) -> None:
    bank = open_treebank(write({"bird.psd": OWL.format(id="1_bird;JP")}))
    (kept,) = bank.read(cleaning=Cleaning(remove_empty=False))
    assert format_tree(kept.tree) == "(IP (NP *pro*) (NP (N 梟)) (VB 見る))"
    (raw,) = bank.read(cleaning=RAW)
    assert format_tree(raw.tree) == "( (IP-MAT (NP-SBJ *pro*) (NP;*OB1* (N 梟)) (VB 見る)))"


def test_root_over_two_trees(write: Write) -> None:
    (entry,) = open_treebank(write({"a.psd": "( (IP (VB 見る)) (PU 、) (ID 1;JP))"})).read()
    assert format_tree(entry.tree) == "( (IP (VB 見る)) (PU 、))"


@pytest.mark.parametrize(
    "words", ["(N ＊＊) (VB 見る)", "(N __) (VB 見る)", "(N ⛔) (VB 見る)", "(NP *) (P ***)"]
)
def test_masked_trees_are_left_out(write: Write, words: str) -> None:
    text = f"( (IP-MAT {words}) (ID 1_masked;JP))\n" + OWL.format(id="2_bird;JP")
    bank = open_treebank(write({"bird.psd": text}))
    assert [entry.id for entry in bank.read()] == ["2_bird;JP"]
    assert [entry.id for entry in bank.read(cleaning=RAW)] == ["2_bird;JP"]


@pytest.mark.parametrize(
    "tree", ["( (IP (VB 見る)))", "( (IP (VB 見る)) (ID 1) (ID 2))", "( (IP (VB 見る)) (ID))"]
)
def test_tree_without_a_name_is_bad(write: Write, tree: str) -> None:
    bank = open_treebank(write({"bird.psd": OWL.format(id="1;JP") + tree}))
    with pytest.raises(InputError, match=r"bird\.psd:6:1: a Keyaki tree needs one"):
        list(bank.read())
    bad: list[InputError] = []
    assert len(list(bank.read(bad=bad))) == 1
    assert len(bad) == 1


def test_other_trees_called_psd_are_brackets(write: Write) -> None:
    bank = open_treebank(write({"a.psd": "( (IP-MAT (N owl) (VB sees)))\n"}))
    assert bank.name == "brackets"
    assert [format_tree(entry.tree) for entry in bank.read()] == ["(IP (N owl) (VB sees))"]


def test_split_goes_by_the_hash_of_the_name(write: Write) -> None:
    ids = [f"{number}_bird;JP" for number in range(200)]
    texts = {f"{part}.psd": "".join(OWL.format(id=name) for name in ids[part::2]) for part in range(2)}
    bank = open_treebank(write(texts))
    split = {name: [entry.id for entry in bank.read(name)] for name in bank.splits}
    assert {name: len(members) for name, members in split.items()} == {"train": 179, "dev": 11, "test": 10}
    ranked = sorted(ids, key=lambda name: hashlib.sha1(name.encode()).hexdigest())
    assert set(split["dev"]) == set(ranked[:11])
    assert set(split["test"]) == set(ranked[11:21])
    assert [entry.split for entry in bank.read()].count("dev") == 11


def test_shared_names_split_the_same_every_time(write: Write) -> None:
    folder = write({"a.psd": OWL.format(id="same") * 50, "b.psd": OWL.format(id="same") * 50})
    first, again = (
        [(entry.file, entry.line, entry.split) for entry in open_treebank(folder).read()] for _ in range(2)
    )
    assert first == again
    assert [split for _, _, split in first][:11] == ["dev"] * 5 + ["test"] * 5 + ["train"]


def test_the_real_treebank(treebanks) -> None:  # type: ignore[no-untyped-def]
    counts = {"train": 0, "dev": 0, "test": 0}
    words = 0
    for entry in open_treebank(treebanks / "ktb").read():
        counts[entry.split] += 1
        words += len(entry.tree.leaves())
    assert counts == {"train": 33_295, "dev": 2_075, "test": 1_863}
    assert words == 596_200
