"""``nccp sweep`` from the outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nccp.cli import nccp
from nccp.errors import ConfigError, InputError, MissingExtra, install_line
from tests.training.grammar import write_treebank

BASE = """
[model]
size = 16
context_layers = 0
label_hidden = 8
orientation_hidden = 4
[input]
kind = "words"
ngrams = 8
buckets = 100
[[data.treebanks]]
path = {bank}
[train]
epochs = 1
threads = 1
"""
SWEEP = """
base = "base.toml"
[variants]
"CV" = {}
"B/F" = { model.orientation = "ffnn" }
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(nccp, ["sweep", *map(str, arguments)])


def ok(*arguments: object) -> Result:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    bank = write_treebank(folder / "bank", train=20, dev=5)
    (folder / "base.toml").write_text(BASE.format(bank=json.dumps(str(bank))), encoding="utf-8")
    (folder / "sweep.toml").write_text(SWEEP, encoding="utf-8")
    return folder / "sweep.toml"


@pytest.fixture(scope="module")
def swept(file: Path) -> Path:
    """A folder in which the sweep has run."""
    pytest.importorskip("torch", reason="training needs torch: pip install 'nccp[train]'")
    folder = file.parent / "swept"
    result = ok("run", file, "train.batch=8", "-o", folder)
    assert "CV: F1 " in result.stderr
    assert "B/F: F1 " in result.stderr
    assert result.stdout.startswith("2 of 2 trials finished\n")
    return folder


def test_a_table_with_the_best_first(swept: Path) -> None:
    lines = ok("show", swept).stdout.splitlines()
    assert lines[0] == "2 of 2 trials finished"
    assert lines[2].split() == ["F1", "tags", "minutes", "trial", "run"]
    rows = [line.split() for line in lines[3:]]
    assert {row[3]: row[4] for row in rows} == {"CV": "trials/000-CV", "B/F": "trials/001-B-F"}
    assert float(rows[0][0]) >= float(rows[1][0])


def test_json(swept: Path) -> None:
    first, second = json.loads(ok("show", swept, "--json").stdout)
    assert first["f1"] >= second["f1"]
    assert {first["name"], second["name"]} == {"CV", "B/F"}
    scores = {"f1", "tags", "epoch", "minutes", "invalid_layers", "parameters", "test"}
    assert set(first) == {"trial", "name", "overrides", "run", "error"} | scores
    assert (
        json.loads((swept / "trials" / "000-CV" / "config.json").read_text())["config"]["train"]["batch"] == 8
    )


def test_plot(swept: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")
    result = ok("show", swept, "--json", "--plot", tmp_path / "figures")
    json.loads(result.stdout)  # what was written is told on stderr
    assert f"wrote {tmp_path / 'figures' / 'variants.pdf'}" in result.stderr
    assert len(list((tmp_path / "figures").iterdir())) == 3


def test_several_sweeps_in_one_table_and_one_figure(swept: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")
    both = (f"Penn={swept}", f"Keyaki={swept}")
    text = ok("show", *both, "--plot", tmp_path).stdout
    assert text.startswith("Penn: 2 of 2 trials finished\n")
    assert "\n\nKeyaki: 2 of 2 trials finished\n" in text
    svg = (tmp_path / "variants.svg").read_text()
    assert "<!-- Penn -->" in svg
    assert "<!-- Keyaki -->" in svg
    made = json.loads(ok("show", *both, "--json").stdout)
    assert [len(made[name]) for name in ("Penn", "Keyaki")] == [2, 2]
    assert "two paths are named" in run("show", swept, swept).output


def test_the_same_command_again_trains_nothing(swept: Path, file: Path) -> None:
    before = ok("show", swept).stdout
    again = ok("run", file, "train.batch=8", "-o", swept)
    assert again.stdout == before
    assert again.stderr == ""


def test_a_dry_run_lists_the_trials(file: Path, tmp_path: Path) -> None:
    assert ok("run", file, "--dry-run", "-o", tmp_path / "none").stdout == "2 trials\n  CV\n  B/F\n"
    assert not (tmp_path / "none").exists()


def test_errors_are_told_before_anything_is_trained(file: Path, tmp_path: Path) -> None:
    result = run("run", file, "train.epoch=3", "-o", tmp_path / "none")
    assert isinstance(result.exception, ConfigError)
    assert "unknown key train.epoch; did you mean epochs?" in str(result.exception)
    assert isinstance(run("show", tmp_path).exception, InputError)
    assert run("run", tmp_path / "none.toml").exit_code == 2


def test_without_optuna_the_error_says_what_to_install(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="training needs torch: pip install 'nccp[train]'")
    monkeypatch.setitem(sys.modules, "optuna", None)
    result = run("run", file, "-o", tmp_path / "none")
    assert isinstance(result.exception, MissingExtra)
    assert f"nccp sweep needs optuna: {install_line('train')}" in str(result.exception)


def test_show_needs_neither_torch_nor_optuna(swept: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['optuna'] = None;"
        "from nccp.cli import nccp; nccp(['sweep', 'show', sys.argv[1]])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, str(swept)], capture_output=True, text=True, check=True
    )
    assert "trials/000-CV" in shown.stdout


def test_help_has_examples() -> None:
    assert "nccp sweep run recipes/sweeps/depth.toml" in ok("run", "--help").stdout
    assert "--plot figures" in ok("show", "--help").stdout
