"""`nccp score`, and EVALB's own reports of the shared cases, line for line."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nccp.cli import nccp
from nccp.errors import InputError

GOLD = "(S (NP (NN a)) (, ,) (VP (VB b)))\n(S (NN a) (NN b))\n(S (NN a))\n"
PRED = "(S (NP (NN a)) (CC ,) (VP (VB b)))\n\n(S (NN a))\n"


def run(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(nccp, ["score", *map(str, arguments)], input=stdin)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "pred.mrg").write_text(PRED)
    return tmp_path / "gold.mrg", tmp_path / "pred.mrg"


def test_table_and_errors(files: tuple[Path, Path]) -> None:
    result = run(*files)
    assert result.exit_code == 0
    assert "F1" in result.stdout
    assert result.stderr == "nccp: sentence 1: Length unmatch (2|3)\n"


def test_only_the_first_errors_are_shown(files: tuple[Path, Path]) -> None:
    files[0].write_text("(S (NN a))\n" * 9)
    files[1].write_text("(S (NN b))\n" * 9)
    lines = run(*files).stderr.splitlines()
    assert lines[0] == "nccp: sentence 1: Words unmatch (a|b)"
    assert lines[5:] == ["nccp: ... and 4 more errors"]


def test_json(files: tuple[Path, Path]) -> None:
    made = json.loads(run(*files, "--json", "--by-label", "--by-length", "--sentences").stdout)
    assert (made["all"]["errors"], made["all"]["skipped"], made["all"]["f1"]) == (1, 1, 100.0)
    assert made["by_label"]["S"]["gold"] == 1
    assert len(made["sentences"]) == 3
    assert json.loads(run(*files, "--format", "json").stdout)["all"] == made["all"]


def test_gold_deletion(files: tuple[Path, Path]) -> None:
    result = run(*files, "--gold-deletion")
    assert "1 sentence was rescued" in result.stdout
    assert result.stderr == ""
    assert json.loads(run(*files, "--gold-deletion", "--json").stdout)["all"]["rescued"] == 1


def test_evalb_messages_go_to_stderr(files: tuple[Path, Path]) -> None:
    result = run(*files, "--format", "evalb")
    assert result.exit_code == 0
    assert result.stderr == "1 : Length unmatch (2|3)\n"
    assert "-- len<=40 --" in result.stdout
    assert "-- len<=7 --" in run(*files, "--format", "evalb", "--cutoff", 7).stdout


def test_evalb_gives_up(files: tuple[Path, Path]) -> None:
    files[0].write_text("(S (NN a))\n" * 9)
    files[1].write_text("(S (NN b))\n" * 9)
    result = run(*files, "--format", "evalb", "--max-error", 2)
    assert isinstance(result.exception, InputError)
    assert "gave up at sentence 4" in str(result.exception)
    assert len(result.stdout.splitlines()) == 3 + 3
    assert len(result.stderr.splitlines()) == 4


def test_prediction_from_standard_input(files: tuple[Path, Path]) -> None:
    assert run(files[0], "-", "--json", stdin=PRED).stdout == run(*files, "--json").stdout


def test_parameter_sets(files: tuple[Path, Path]) -> None:
    assert json.loads(run(*files, "--prm", "spmrl", "--json").stdout)["all"]["errors"] == 0
    assert "nor a built-in set" in str(run(*files, "--prm", "nothing").exception)


def test_different_numbers_of_trees(files: tuple[Path, Path]) -> None:
    files[1].write_text("(S (NN a))\n")
    for form in ("table", "evalb", "json"):
        result = run(*files, "--format", form)
        assert isinstance(result.exception, InputError)
        assert "gold.mrg has 3 trees but" in str(result.exception)
        assert "pred.mrg has 1" in str(result.exception)
        assert result.stdout == ""


def test_options_that_do_not_go_together(files: tuple[Path, Path]) -> None:
    assert run(*files, "--format", "evalb", "--by-label").exit_code == 2
    assert run(*files, "--sentences").exit_code == 2


def test_help_has_examples() -> None:
    assert "nccp score gold.mrg predicted.mrg --format evalb" in run("--help").stdout.replace(
        " --prm COLLINS.prm", ""
    )


def cases() -> Path | None:
    """The folder of cases: NCCP_EVALB_CASES, or evalb-cases beside NCCP_TREEBANKS."""
    if folder := os.environ.get("NCCP_EVALB_CASES"):
        return Path(folder)
    treebanks = os.environ.get("NCCP_TREEBANKS")
    return Path(treebanks).parent / "evalb-cases" if treebanks else None


@pytest.mark.parametrize("prm", ["COLLINS", "nk"])
@pytest.mark.parametrize("case", ["ptb-light", "ptb-heavy-odd", "gum-odd", "ktb"])
def test_evalbs_own_reports(case: str, prm: str) -> None:
    folder = cases()
    if folder is None or not folder.is_dir():
        pytest.skip("set NCCP_EVALB_CASES (or NCCP_TREEBANKS, beside it) to the folder of EVALB cases")
    files = folder / case / "gold.mrg", folder / case / "pred.mrg"
    result = run(*files, "--prm", folder / f"{prm}.prm", "--format", "evalb")
    assert result.exit_code == 0
    assert result.stdout == (folder / case / f"expected.{prm}.txt").read_text()
    if prm == "COLLINS":
        assert run(*files, "--format", "evalb").stdout == result.stdout  # the built-in set is the same
