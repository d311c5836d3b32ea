from __future__ import annotations

import pytest

from nccp.config import DataConfig, TreebankConfig
from nccp.errors import InputError
from nccp.evaluation import choose_split, development_trees, read_gold, read_split
from nccp.treebanks import Cleaning, open_treebank

TREE = "(S (NP (NML (NN a) (NN b)) (NN c)) (VP (VB d)))\n"


@pytest.fixture
def bank(tmp_path):
    for split, count in {"train": 3, "dev": 2, "test": 1}.items():
        (tmp_path / f"{split}.mrg").write_text(TREE * count)
    return str(tmp_path)


def test_the_default_split(bank):
    opened = open_treebank(bank)
    assert choose_split(opened) == "test"
    assert choose_split(opened, "dev") == "dev"
    assert choose_split(opened, default="train") == "train"
    assert choose_split(opened, default="test2") is None
    assert len(read_gold(bank, default="test2").trees) == 6


def test_trees_of_a_split(bank):
    gold = read_gold(bank, cleaning=Cleaning(flatten=("NML",)))
    assert (len(gold.trees), gold.split, str(gold)) == (1, "test", f"{bank}, test")
    assert "NML" not in str(gold.trees[0])
    assert str(read_gold(bank, default="none")) == bank


def test_development_trees_of_all_treebanks(bank):
    config = DataConfig(
        treebanks=(TreebankConfig(bank), TreebankConfig(bank, dev="test"), TreebankConfig(bank, dev=""))
    )
    assert len(development_trees(config)) == 3


def test_no_trees(tmp_path):
    (tmp_path / "dev.mrg").write_text("(TOP (-NONE- *))\n")
    with pytest.raises(InputError, match="no trees to compare with"):
        read_gold(str(tmp_path))
    with pytest.raises(InputError, match="'dev' has no trees"):
        list(read_split(TreebankConfig(str(tmp_path)), "dev"))


def test_repaired_trees_are_named_as_such(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("(SBAR (NP (WDT that)) (S (VP (VBD ran))))\n")
    assert str(read_gold(str(path))) == str(path)
    gold = read_gold(str(path), cleaning=Cleaning(repairs=True))
    assert gold.repaired
    assert str(gold) == f"{path}, repaired trees"
    assert gold.trees[0][0].label() == "WHNP"
