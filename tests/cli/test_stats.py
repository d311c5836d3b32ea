"""``nccp stats`` from the outside."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nccp.cli import nccp
from nccp.errors import InputError, MissingExtra, TreeError

TREES = """\
( (S (NP-SBJ (DT the) (JJ old) (NN cat))
     (VP (VBD sat) (PP-LOC (IN on) (NP (DT the) (NN mat)))) (. .)))
( (S (NP-SBJ (-NONE- *PRO*)) (VP (VB go) (ADVP (RB home)))))
( (NP (NN a) (, ,) (NN b) (, ,) (NN c) (CC and) (NN d)))
( (INTJ (UH oh)))
"""


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    path = tmp_path / "trees.mrg"
    path.write_text(TREES, encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(nccp, ["stats", *map(str, arguments)])


def ok(*arguments: object) -> Result:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result


def test_table(trees: Path) -> None:
    lines = ok(trees).stdout.splitlines()
    assert lines[0] == f"{trees}: 4 trees, 18 words, empty elements removed"
    assert lines[2].split() == ["left", "right", "midin", "midout", "multi"]
    split = [re.split(r"\s{2,}", line.strip()) for line in lines[3:]]
    cells = {name: rest for name, *rest in split if rest}
    assert cells["left"][-1] == cells["right, share"][-1] == "-"  # multi-branching has no orientation
    assert all("±" in cell for cell in cells["all layers"])
    assert cells["longer than 40"] == ["-"] * 5
    assert len({len(line) for line in lines[2:] if line.startswith(" ")}) == 1  # columns line up


def test_json(trees: Path) -> None:
    found = json.loads(ok(trees, "--json", "--seed", 3).stdout)
    assert (found["path"], found["split"], found["empty"], found["seed"]) == (str(trees), None, "removed", 3)
    assert (found["trees"], found["words"]) == (4, 18)
    left = found["factors"]["left"]
    total = sum(left["orientation"]["stratified"].values())
    assert left["nodes"]["total"] == total + 4  # all nodes but the four tops have an orientation
    assert found["factors"]["multi"]["orientation"] is None


def test_empty_elements_are_words_when_kept(trees: Path) -> None:
    kept = json.loads(ok(trees, "--json", "--keep-empty").stdout)
    assert (kept["empty"], kept["words"]) == ("kept", 19)


def test_grouping_is_counted_for_every_factor(trees: Path) -> None:
    trees.write_text("(S (X (C c) (Y (D d) (Z (E e) (F f)))) (A a) (B b) (G g))\n")
    found = json.loads(ok(trees, "--json", "--group").stdout)
    assert list(found["grouped"]) == list(found["factors"])
    assert found["grouped"]["left"]["nodes"]["total"] < found["factors"]["left"]["nodes"]["total"]
    assert "compression ratio, flat structure grouped" in ok(trees, "--group").stdout


def test_several_treebanks_in_one_table(trees: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.mrg"
    other.write_text("(S (A a) (B b) (C c))\n( (S (-NONE- *) (VP (VB go) (RB on))))\n", encoding="utf-8")
    arguments = (f"One={trees}", f"Two={other}", "--keep-empty-of", "Two")
    lines = ok(*arguments).stdout.splitlines()
    assert lines[0] == "One: 4 trees, 18 words, empty elements removed"
    assert lines[1] == "Two: 2 trees, 6 words, empty elements kept"
    table = lines.index("nodes of a tree of n words: in all trees")
    assert [line.split()[0] for line in lines[table + 1 : table + 4]] == ["left", "One", "Two"]
    found = json.loads(ok(*arguments, "--json").stdout)["treebanks"]
    assert {name: one["empty"] for name, one in found.items()} == {"One": "removed", "Two": "kept"}
    assert found["One"]["factors"] == json.loads(ok(trees, "--json").stdout)["factors"]


def test_names_of_treebanks(trees: Path) -> None:
    assert "two paths are named" in run(trees, trees).output
    assert "no treebank is named Tow" in run(f"Two={trees}", "--keep-empty-of", "Tow").output


def test_the_same_seed_prints_the_same(trees: Path) -> None:
    assert ok(trees, "--seed", 5).stdout == ok(trees, "--seed", 5).stdout


def test_plot(trees: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")
    result = ok(trees, "--json", "--plot", tmp_path / "figures")
    json.loads(result.stdout)  # what was written is told on stderr
    assert f"wrote {tmp_path / 'figures' / 'ratios.pdf'}" in result.stderr
    assert len(list((tmp_path / "figures").iterdir())) == 6


def test_a_missing_matplotlib_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run(tmp_path / "nowhere", "--plot", tmp_path)
    assert isinstance(result.exception, MissingExtra)
    assert "nccp stats --plot needs matplotlib" in str(result.exception)


def test_split(tmp_path: Path) -> None:
    for name, count in (("train", 3), ("dev", 1)):
        (tmp_path / f"{name}.mrg").write_text("(S (A a) (B b))\n" * count, encoding="utf-8")
    assert json.loads(ok(tmp_path, "--split", "dev", "--json").stdout)["trees"] == 1
    assert ok(tmp_path, "--split", "dev").stdout.startswith(f"{tmp_path}, dev: 1 trees")
    assert json.loads(ok(tmp_path, "--json").stdout)["trees"] == 4
    result = run(tmp_path, "--split", "tets")
    assert isinstance(result.exception, InputError)
    assert "tets" in str(result.exception)


def test_a_tree_that_cannot_be_used_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.mrg"
    path.write_text("(S (A a) (B b))\n(S (NP loose (NN word)) (B b))\n", encoding="utf-8")
    result = run(path)
    assert isinstance(result.exception, TreeError)
    assert f"{path}:2: the word 'loose'" in str(result.exception)
    skipped = ok(path, "--skip-bad", "--json")
    assert json.loads(skipped.stdout)["trees"] == 1
    assert "1 bad tree left out" in skipped.stderr


@pytest.mark.parametrize("text", ["", "( (S (-NONE- *)))\n", "(S (A a)\n"])
def test_a_file_without_a_usable_tree(tmp_path: Path, text: str) -> None:
    path = tmp_path / "none.mrg"
    path.write_text(text, encoding="utf-8")
    result = run(path)
    assert isinstance(result.exception, InputError)
    assert str(path) in str(result.exception)
    assert result.stdout == ""


def test_help_has_examples() -> None:
    assert "nccp stats keyaki/treebank --keep-empty" in ok("--help").stdout
