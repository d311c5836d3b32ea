import pytest

from nccp.treebanks import open_treebank
from nccp.trees import format_tree

from .conftest import Write

TREE = "( (S (NP-SBJ (DT The) (NN owl) )\n    (VP (VBD slept) )\n    (. .) ))\n"


def test_sections_make_the_splits(write: Write) -> None:
    names = ["wsj_0001", "wsj_0101", "wsj_0200", "wsj_2199", "wsj_2201", "wsj_2300", "wsj_2454"]
    bank = open_treebank(write({f"{name[4:6]}/{name}.mrg": TREE for name in names} | {"README": "hello"}))
    assert bank.name == "penn"
    assert bank.splits == ("train", "dev", "test")
    assert [file.stem for file in bank.files("train")] == ["wsj_0200", "wsj_2199"]
    assert [file.stem for file in bank.files("dev")] == ["wsj_2201"]
    assert [file.stem for file in bank.files("test")] == ["wsj_2300"]
    assert [file.stem for file in bank.unused] == ["wsj_0001", "wsj_0101", "wsj_2454"]


def test_flat_folder_and_capitals(write: Write) -> None:
    bank = open_treebank(write({"WSJ_0301.MRG": TREE, "WSJ_2301.MRG": TREE}))
    assert bank.splits == ("train", "test")


def test_the_sample_splits_by_the_last_digit(write: Write) -> None:
    bank = open_treebank(write({f"combined/wsj_{n:04}.mrg": TREE for n in (1, 8, 19, 120, 198)}))
    assert [file.stem for file in bank.files("dev")] == ["wsj_0008", "wsj_0198"]
    assert [file.stem for file in bank.files("test")] == ["wsj_0019"]
    assert [file.stem for file in bank.files("train")] == ["wsj_0001", "wsj_0120"]


def test_entries_know_where_they_stand(write: Write) -> None:
    folder = write({"wsj_2201.mrg": "\n" + TREE + "\n" + TREE})
    first, second = open_treebank(folder).read("dev")
    assert format_tree(first.tree) == "(S (NP (DT The) (NN owl)) (VP (VBD slept)) (. .))"
    assert (first.id, first.line, first.split) == ("wsj_2201#1", 2, "dev")
    assert (second.id, second.line, second.file) == ("wsj_2201#2", 6, folder / "wsj_2201.mrg")


def test_one_file_is_not_split(write: Write) -> None:
    bank = open_treebank(write({"wsj_2201.mrg": TREE}) / "wsj_2201.mrg")
    assert (bank.name, bank.splits) == ("penn", ("all",))


@pytest.mark.parametrize(("split", "trees"), [("train", 2936), ("dev", 555), ("test", 423)])
def test_the_real_sample(treebanks, split: str, trees: int) -> None:  # type: ignore[no-untyped-def]
    assert sum(1 for _ in open_treebank(treebanks / "ptb-sample").read(split)) == trees
