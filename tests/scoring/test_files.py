from pathlib import Path

import pytest

from nccp.errors import BracketError, InputError
from nccp.scoring import read_sentences, score_files
from nccp.trees import format_tree

A, B = "(S (NN a))", "(S (NN b) (NN c))"


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def made(text: str, name: str = "trees.mrg") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return made


def shown(path: Path) -> list[str | None]:
    return [tree and format_tree(tree) for tree in read_sentences(path)]


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        (f"{A}\n{B}\n", [A, B]),
        (f"{A}\n{B}", [A, B]),
        (f"\ufeff{A}\n", [A]),
        (f"{A}\r\n\r\n{B}\r\n", [A, None, B]),
        (f"{A}\n\n{B}\n", [A, None, B]),
        (f"\n{A}\n  \n", [None, A, None]),
        (f"(())\n{A}\n()\n( ( ) )\n", [None, A, None, None]),
        ("(S\n  (NN a))\n\n\n(S (NN b)\n (NN c))\n", [A, B]),  # many lines a tree: blank lines mean nothing
        (f"{A} {B}\n", [A, B]),  # more than one a line
        ("", []),
    ],
)
def test_reading(write, text: str, trees: list[str | None]) -> None:  # type: ignore[no-untyped-def]
    assert shown(write(text)) == trees


def test_lines_are_paired_around_failed_parses(write) -> None:  # type: ignore[no-untyped-def]
    score = score_files(write(f"{A}\n{B}\n{A}\n", "gold"), write(f"{A}\n\n{A}\n", "pred"))
    assert [one.status for one in score.sentences] == [0, 2, 0]
    many_lines = "(S\n (NN a))\n(S (NN b)\n (NN c))\n(S\n (NN a))\n"
    assert score_files(write(many_lines, "gold"), write(f"{A}\n\n{A}\n", "pred")) == score


def test_blank_lines_at_the_end_of_the_longer_file_are_no_sentences(write) -> None:  # type: ignore[no-untyped-def]
    gold, pred = write(f"{A}\n{A}\n\n\n", "gold"), write(f"{A}\n\n", "pred")
    assert [one.status for one in score_files(gold, pred).sentences] == [0, 2]


def test_errors_say_where_and_what(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    gold = write(f"{A}\n{B}\n", "gold")
    with pytest.raises(InputError, match=r"gold has 2 trees but .*pred has 1$"):
        score_files(gold, write(f"{A}\n", "pred"))
    with pytest.raises(
        InputError, match=r"gold has 2 trees but .*pred has 3 \(blank lines counted as failed"
    ):
        score_files(gold, write(f"{A}\n\n{A}\n", "pred"))
    with pytest.raises(InputError, match=r"pred: no trees$"):
        score_files(gold, write("", "pred"))
    with pytest.raises(BracketError, match=r"pred:2:"):
        score_files(gold, write(f"{A}\n(S (NN b)\n", "pred"))
    with pytest.raises(InputError, match=r"none\.mrg: No such file"):
        score_files(gold, tmp_path / "none.mrg")
    with pytest.raises(InputError, match="Is a directory"):
        score_files(gold, tmp_path)
    (tmp_path / "latin").write_bytes("(S\n(NN é))".encode("latin-1"))
    with pytest.raises(InputError, match="latin:2:5: not utf-8 text"):
        score_files(gold, tmp_path / "latin")
    assert read_sentences(tmp_path / "latin", encoding="latin-1")[0].leaves() == ["é"]  # type: ignore[union-attr]
    with pytest.raises(InputError, match="unknown encoding 'utf-9'"):
        score_files(gold, gold, encoding="utf-9")
