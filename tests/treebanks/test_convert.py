from pathlib import Path

import pytest

from nccp.errors import InputError, TreeError
from nccp.treebanks import Cleaning, convert_treebank, open_treebank
from nccp.trees import Tree, format_tree

from .conftest import Write

FILES = {
    "train.mrg": "(TOP (S (NP-SBJ (NNS Owls))\n (VP (VBP sleep))))\n\n(TOP (NP (-NONE- *)))\n",
    "dev.mrg": r"( (S (-LRB- -LRB-) (CD 1\/2) (-RRB- -RRB-)))",
}


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_bytes().decode() for file in sorted(folder.iterdir())}


def test_clean_trees_one_a_line(write: Write, tmp_path: Path) -> None:
    counts = convert_treebank(open_treebank(write(FILES)), tmp_path / "out")
    assert counts == {"train": 1, "dev": 1}
    assert contents(tmp_path / "out") == {
        "train.mrg": "(S (NP (NNS Owls)) (VP (VBP sleep)))\n",
        "dev.mrg": "(S (-LRB- -LRB-) (CD 1\\/2) (-RRB- -RRB-))\n",
    }


def test_plain_words_keep_brackets_readable(write: Write, tmp_path: Path) -> None:
    convert_treebank(open_treebank(write(FILES)), tmp_path / "out", Cleaning(words="unescape"))
    assert contents(tmp_path / "out")["dev.mrg"] == "(S (-LRB- -LRB-) (CD 1/2) (-RRB- -RRB-))\n"


def test_converting_again_changes_nothing(write: Write, tmp_path: Path) -> None:
    convert_treebank(open_treebank(write(FILES)), tmp_path / "one")
    convert_treebank(open_treebank(tmp_path / "one"), tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_an_error_leaves_what_was_there(write: Write, tmp_path: Path) -> None:
    bank = open_treebank(write({"train.mrg": FILES["train.mrg"], "dev.mrg": "(S (NN owl)"}))
    with pytest.raises(InputError, match=r"dev\.mrg:1:1: "):
        convert_treebank(bank, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/train.mrg").write_text("precious")
    with pytest.raises(InputError):
        convert_treebank(bank, tmp_path / "out")
    assert contents(tmp_path / "out") == {"train.mrg": "precious"}


def test_bad_trees_skipped(write: Write, tmp_path: Path) -> None:
    bad: list[InputError] = []
    bank = open_treebank(write({"a.mrg": "(S (NN owl))\n)\n(S (NN wren))\n"}))
    assert convert_treebank(bank, tmp_path / "out", bad=bad) == {"all": 2}
    assert len(bad) == 1
    assert contents(tmp_path / "out") == {"all.mrg": "(S (NN owl))\n(S (NN wren))\n"}


def test_a_tree_that_cannot_be_written_says_where(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_wrens(tree: Tree) -> str:
        if "wren" in tree.leaves():
            raise TreeError("no wrens")
        return format_tree(tree)

    monkeypatch.setattr("nccp.treebanks.convert.format_tree", refuse_wrens)
    bank = open_treebank(write({"a.mrg": "(S (NN owl))\n(S (NN wren))\n"}))
    with pytest.raises(TreeError, match=r"a\.mrg:2: no wrens"):
        convert_treebank(bank, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert convert_treebank(bank, tmp_path / "out", bad=[]) == {"all": 1}


def test_nothing_left(write: Write, tmp_path: Path) -> None:
    bank = open_treebank(write({"a.mrg": "(S (-NONE- *))"}))
    with pytest.raises(InputError, match="no tree is left"):
        convert_treebank(bank, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_never_over_the_treebank_itself(write: Write) -> None:
    folder = write(FILES)
    with pytest.raises(InputError, match="a file of the treebank itself"):
        convert_treebank(open_treebank(folder), folder)
    assert contents(folder) == dict(sorted(FILES.items()))


def test_target_that_is_a_file(write: Write, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match="out"):
        convert_treebank(open_treebank(write(FILES)), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "a file"


@pytest.mark.parametrize("name", ["ptb-sample", "sinica"])
def test_the_real_ones_read_back_the_same(treebanks, tmp_path: Path, name: str) -> None:  # type: ignore[no-untyped-def]
    bank = open_treebank(treebanks / name)
    convert_treebank(bank, tmp_path / "out")
    written = open_treebank(tmp_path / "out")
    assert written.splits == bank.splits
    for split in bank.splits:
        assert [entry.tree for entry in bank.read(split)] == [entry.tree for entry in written.read(split)]
