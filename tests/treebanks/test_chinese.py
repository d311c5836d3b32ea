import pytest

from nccp.errors import InputError
from nccp.treebanks import open_treebank
from nccp.trees import format_tree

from .conftest import Write

FID = """<DOC>
<DOCID> OWL20200101.0001 </DOCID>
<HEADER>
<DATE> 2020-01-01 </DATE>
</HEADER>
<BODY>
<S ID=1>
( (IP-HLN (NP-SBJ (NR-SHORT 猫头鹰))
          (VP (-NONE- *pro*) (VV 睡觉))
          (PU 。)) )
</S>
<S ID=2>
( (FRAG (NN 完)) )
</S>
</BODY>
</DOC>
"""
NW = "( (IP (NP-SBJ (NN 鸟)) (VP (VV 飞)) (PU 。)) ) \n"


def test_articles_make_the_splits(write: Write) -> None:
    numbers = [1, 270, 271, 300, 301, 325, 326, 400, 440, 1151, 1152]
    bank = open_treebank(write({f"bracketed/chtb_{n:03}.fid": FID for n in numbers}))
    assert bank.name == "chinese"
    stems = {split: [int(file.stem[5:]) for file in bank.files(split)] for split in bank.splits}
    assert stems["dev"] == [301, 325]
    assert stems["test"] == [271, 300]
    assert sorted(stems["train"]) == [1, 270, 440, 1151]
    assert sorted(int(file.stem[5:]) for file in bank.unused) == [326, 400, 1152]


@pytest.mark.parametrize("encoding", ["gb2312", "gb18030", "utf-8", "utf-8-sig"])
def test_fid_in_any_encoding_with_its_line_numbers(write: Write, encoding: str) -> None:
    first, second = open_treebank(write({"chtb_001.fid": FID.encode(encoding)})).read("train")
    assert format_tree(first.tree) == "(IP (NP (NR 猫头鹰)) (VP (VV 睡觉)) (PU 。))"
    assert format_tree(second.tree) == "(FRAG (NN 完))"
    assert (first.line, second.line) == (8, 13)


def test_gb2312_that_happens_to_be_utf8(write: Write) -> None:
    (entry,) = open_treebank(write({"chtb_001.nw": "( (NP (NN 猫头鹰)))".encode("gb2312")})).read()
    assert entry.tree.leaves() == ["猫头鹰"]


def test_nw_without_sgml(write: Write) -> None:
    bank = open_treebank(write({"chtb_0305.nw": NW + NW}))
    assert [entry.line for entry in bank.read("dev")] == [1, 2]


def test_bad_tree_keeps_its_position(write: Write) -> None:
    folder = write({"chtb_001.fid": FID.replace("(FRAG (NN 完)) )", "(FRAG (NN 完))")})
    bank = open_treebank(folder)
    with pytest.raises(InputError, match=r"chtb_001\.fid:13:1: "):
        list(bank.read())
    bad: list[InputError] = []
    assert len(list(bank.read(bad=bad))) == 1
    assert len(bad) == 1


def test_neither_encoding_fits(write: Write) -> None:
    folder = write({"chtb_001.fid": b"<DOC>\n( (NN \xff\xff))\n"})
    with pytest.raises(InputError, match=r"chtb_001\.fid:2:7: byte 0xff is not UTF-8 nor GB18030"):
        list(open_treebank(folder).read())
