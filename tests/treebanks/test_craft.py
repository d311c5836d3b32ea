from nccp.treebanks import Cleaning, open_treebank
from nccp.trees import format_tree

from .conftest import Write

TREE = "( (HEADING (NP (NML (NN owl) (NN brain)) (NNS maps))) )\n"
FILES = {
    "ids-train.txt": "11\n12\n",
    "ids-dev.txt": "13\n",
    "ids-test.txt": "14\n99\n",
    **{f"penn/{number}.tree": TREE for number in (11, 12, 13, 14, 15)},
}


def test_lists_make_the_splits(write: Write) -> None:
    bank = open_treebank(write(FILES))
    assert (bank.name, bank.splits) == ("craft", ("train", "dev", "test"))
    assert [file.stem for file in bank.files()] == ["11", "12", "13", "14"]
    assert [file.stem for file in bank.unused] == ["15"]
    assert bank.missing == ("99",)


def test_cleaning(write: Write) -> None:
    bank = open_treebank(write(FILES))
    (entry,) = bank.read("dev", cleaning=Cleaning(flatten=("NML",), unwrap=("HEADING",)))
    assert format_tree(entry.tree) == "(NP (NN owl) (NN brain) (NNS maps))"


def test_one_file(write: Write) -> None:
    bank = open_treebank(write(FILES) / "penn/13.tree")
    assert bank.splits == ("all",)
    assert [entry.id for entry in bank.read()] == ["13#1"]


def test_the_real_treebank(treebanks) -> None:  # type: ignore[no-untyped-def]
    splits = [entry.split for entry in open_treebank(treebanks / "craft").read()]
    assert {name: splits.count(name) for name in splits} == {"train": 18_951, "dev": 2_780, "test": 9_099}
    assert len(splits) == 30_830


def test_lists_as_the_published_corpus_calls_them(write: Write) -> None:
    tree = "( (S (NN owl)))\n"
    bank = open_treebank(
        write(
            {
                "penn/1.tree": tree,
                "penn/2.tree": tree,
                "ids/craft-ids-train.txt": "1",
                "craft-ids-dev.txt": "2",
            }
        )
    )
    assert (bank.name, bank.splits) == ("craft", ("train", "dev"))
