import pytest

from nccp.errors import BracketError, InputError
from nccp.treebanks import open_treebank
from nccp.treebanks.sinica import parse_line
from nccp.trees import format_tree

from .conftest import Write

LINE = "#1:1.[7] S(agent:NP(Head:Nab:貓頭鷹)|Head:VA4[+ASP]:睡覺|time:Dd:常常)#。(PERIODCATEGORY)"


def test_line() -> None:
    assert format_tree(parse_line(LINE)) == "(S (NP (Nab 貓頭鷹)) (VA4[+ASP] 睡覺) (Dd 常常))"
    assert format_tree(parse_line("#2:.[0] NP(head:Head:Nab:鳥)#")) == "(NP (Nab 鳥))"


@pytest.mark.parametrize(
    ("line", "column", "what"),
    [
        ("NP(Head:Nab:鳥)#", 1, "starts with #number"),
        ("#1:1.[7] NP(Head:Nab:鳥)", 24, "no # after the tree"),
        ("#1:1.[7] NP(Head:Nab:鳥#", 10, "never closed"),
        ("#1:1.[7] NP(Head:Nab:鳥))#", 24, "more after the end"),
        ("#1:1.[7] NP(Head:Nab:鳥)|NP(Head:Nab:鳥)#", 24, "more after the end"),
        ("#1:1.[7] NP(Head:Nab:鳥||Head:Nab:鳥)#", 24, "a node is missing"),
        ("#1:1.[7] NP()#", 13, "a node is missing"),
        ("#1:1.[7] NP(Head:NP(Head:Nab:鳥)Head:Nab:鳥)#", 32, "| is missing"),
        ("#1:1.[7] (Head:Nab:鳥)#", 10, "without a label"),
        ("#1:1.[7] NP(Head:(Head:Nab:鳥))#", 13, "without a label"),
        ("#1:1.[7] NP(鳥)#", 13, "not role:tag:word"),
        ("#1:1.[7] NP(Head:Nab:)#", 13, "not role:tag:word"),
        ("#1:1.[7] NP(Head:Nab:小 鳥)#", 13, "not role:tag:word"),
        ("#1:1.[7] Head:Nab:鳥#", 10, "not role:tag:word"),
        ("#1:1.[7] #", 10, "no tree in this line"),
    ],
)
def test_malformed_lines(line: str, column: int, what: str) -> None:
    with pytest.raises(BracketError) as caught:
        parse_line(line, "parsed", 5)
    assert (caught.value.line, caught.value.column) == (5, column)
    assert what in caught.value.what


def test_line_numbers_make_the_splits(write: Write) -> None:
    folder = write({"parsed": "\r\n".join([LINE] * 20) + "\r\n", "README": "hello"})
    for path in (folder, folder / "parsed"):
        bank = open_treebank(path)
        assert (bank.name, bank.splits) == ("sinica", ("train", "dev", "test"))
        assert [entry.line for entry in bank.read("dev")] == [8, 18]
        assert [entry.line for entry in bank.read("test")] == [9, 19]
        assert sum(1 for _ in bank.read("train")) == 16
    (first, *_) = bank.read()
    assert (first.id, format_tree(first.tree)) == ("parsed#1", "(S (NP (Nab 貓頭鷹)) (VA4 睡覺) (Dd 常常))")


def test_malformed_lines_are_counted(write: Write) -> None:
    bank = open_treebank(write({"parsed": f"{LINE}\n#2:2.[8] NP(\n\n{LINE}\n"}))
    with pytest.raises(InputError, match=r"parsed:2:13: no # after the tree"):
        list(bank.read())
    bad: list[InputError] = []
    assert [entry.line for entry in bank.read(bad=bad)] == [1, 4]
    assert len(bad) == 1


def test_ten_thousand_levels() -> None:
    tree = parse_line("#1:1.[7] " + "NP(Head:" * 10_000 + "NP(Head:Nab:鳥)" + ")" * 10_000 + "#")
    assert tree.height() == 10_003


def test_the_real_sample(treebanks) -> None:  # type: ignore[no-untyped-def]
    splits = [entry.split for entry in open_treebank(treebanks / "sinica").read()]
    assert {name: splits.count(name) for name in splits} == {"train": 8000, "dev": 1000, "test": 1000}
