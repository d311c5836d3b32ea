from __future__ import annotations

import json

import pytest

from nccp.errors import TrainingError
from nccp.training.made_split import make_split
from nccp.treebanks import open_treebank

TREE = "(TOP (S (N w{}) (V b)))\n"


def write(folder, files, each):
    folder.mkdir()
    for file in range(files):
        text = "".join(TREE.format(file * each + i) for i in range(each))
        (folder / f"doc{file:02}.mrg").write_text(text)
    return folder


def words(split, name):
    return [entry.tree.leaves()[0] for entry in split.trees[name]]


@pytest.mark.parametrize(("files", "each"), [(20, 10), (1, 200), (3, 50)])
def test_a_split_is_complete_disjoint_and_repeatable(tmp_path, files, each):
    bank = open_treebank(str(write(tmp_path / "bank", files, each)))
    split = make_split(bank, seed=1)
    parts = [words(split, name) for name in ("train", "dev", "test")]
    assert sorted(word for part in parts for word in part) == sorted(f"w{i}" for i in range(files * each))
    assert all(0.05 * files * each <= len(part) <= 0.2 * files * each for part in parts[1:])
    assert make_split(bank, seed=1).documents == split.documents
    assert make_split(bank, seed=2).documents != split.documents
    if files == 20:  # no document is in two splits
        homes = [{entry.file for entry in split.trees[name]} for name in ("train", "dev", "test")]
        assert sum(map(len, homes)) == len(set.union(*homes)) == 20


def test_it_is_written_and_read_back(tmp_path):
    split = make_split(open_treebank(str(write(tmp_path / "bank", 12, 5))), seed=0)
    split.write(tmp_path / "made", tmp_path / "splits.json", 0)
    made = open_treebank(str(tmp_path / "made"))
    assert set(made.splits) == {"train", "dev", "test"}
    assert [entry.tree.leaves()[0] for entry in made.read("dev")] == words(split, "dev")
    record = json.loads((tmp_path / "splits.json").read_text())
    assert record["unit"] == "documents"
    assert sum(len(part) for part in record["splits"].values()) == 12


def test_splits_that_are_there_stay(tmp_path):
    bank = write(tmp_path / "bank", 0, 0)
    for split, count in {"train": 100, "test": 7}.items():
        (bank / f"{split}.mrg").write_text("".join(TREE.format(f"{split}{i}") for i in range(count)))
    split = make_split(open_treebank(str(bank)))
    assert words(split, "test") == [f"wtest{i}" for i in range(7)]
    assert len(split.trees["train"]) + len(split.trees["dev"]) == 100
    (bank / "dev.mrg").write_text(TREE.format(0))
    assert make_split(open_treebank(str(bank))) is None


def test_too_few(tmp_path):
    with pytest.raises(TrainingError, match="too few"):
        make_split(open_treebank(str(write(tmp_path / "bank", 1, 2))))
