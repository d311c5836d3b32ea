import pytest

from nccp.errors import InputError
from nccp.treebanks import open_treebank

from .conftest import Write

TREE = "(S (NP (NNS Owls)) (VP (VBP sleep)))\n"


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train.mrg", "train"),
        ("ja.dev.txt", "dev"),
        ("valid", "dev"),
        ("test-part1.ptb", "test"),
        ("test2.mrg", "test2"),
        ("02-21.train.clean", "train"),
        ("dev/one.ptb", "dev"),
        ("Development.mrg", "dev"),
    ],
)
def test_names_make_the_splits(write: Write, name: str, split: str) -> None:
    bank = open_treebank(write({name: TREE, "latest.mrg": TREE}))
    assert (bank.name, bank.splits) == ("brackets", (split,))
    assert [file.name for file in bank.unused] == ["latest.mrg"]


def test_no_names_no_splits(write: Write) -> None:
    bank = open_treebank(
        write({"b.txt": TREE, "a.xyz": "\n\n" + TREE * 2, "README.md": "# Hello", ".hidden": TREE})
    )
    assert bank.splits == ("all",)
    assert [(entry.id, entry.line) for entry in bank.read("all")] == [("a#1", 3), ("a#2", 4), ("b#1", 1)]


def test_file_and_glob(write: Write) -> None:
    folder = write({"train.mrg": TREE, "dev.mrg": TREE, "c/x.txt": TREE})
    assert open_treebank(folder / "train.mrg").splits == ("all",)
    assert open_treebank(f"{folder}/*.mrg").splits == ("train", "dev")
    assert [entry.id for entry in open_treebank(f"{folder}/**/*.txt").read()] == ["x#1"]


def test_byte_order_mark_and_other_encodings(write: Write) -> None:
    text = "(NP (NN 梟))"
    folder = write({"a.mrg": text.encode("utf-8-sig"), "b.mrg": text.encode("euc_jp")})
    (entry,) = open_treebank(folder / "a.mrg").read()
    assert entry.tree.leaves() == ["梟"]
    (entry,) = open_treebank(folder / "b.mrg", encoding="euc_jp").read()
    assert entry.tree.leaves() == ["梟"]


def test_bad_trees_raise_or_are_collected_in_order(write: Write) -> None:
    folder = write({"a.mrg": TREE + ")\n" + TREE, "b.mrg": TREE})
    bank = open_treebank(folder)
    with pytest.raises(InputError, match=r"a\.mrg:2:1: "):
        list(bank.read())
    bad: list[InputError] = []
    assert len(list(bank.read(bad=bad))) == 3
    assert len(bad) == 1


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"", r"x\.mrg:1:1: no tree"),
        (b"\n \n", r"x\.mrg:1:1: no tree"),
        (b"(S (NN owl))\n(S (NN \xff))\n", r"x\.mrg:2:\d+: "),
        (b"(S\x00\x01 (NN owl))\n", r"x\.mrg:1:\d+: "),
        (b"hello there\n", r"x\.mrg:1:1: "),
    ],
)
def test_unreadable_files_say_where(write: Write, content: bytes, where: str) -> None:
    bank = open_treebank(write({"x.mrg": content}) / "x.mrg")
    with pytest.raises(InputError, match=where):
        list(bank.read())
    bad: list[InputError] = []
    list(bank.read(bad=bad))
    assert bad


def test_unreadable_file_among_good_ones(write: Write) -> None:
    bank = open_treebank(write({"a.mrg": TREE, "b.mrg": b"(S (NN \xff))", "c.mrg": TREE}))
    bad: list[InputError] = []
    assert [entry.id for entry in bank.read(bad=bad)] == ["a#1", "c#1"]
    assert len(bad) == 1


def test_damaged_file_of_a_split_is_not_overlooked(write: Write) -> None:
    bank = open_treebank(write({"train.mrg": TREE, "dev.mrg": ""}))
    assert bank.splits == ("train", "dev")
    with pytest.raises(InputError, match=r"dev\.mrg:1:1: no tree"):
        list(bank.read("dev"))
