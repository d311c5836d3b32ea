"""``nccp history``: evaluations of runs as a table, as JSON and as a figure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nccp.cli import nccp
from nccp.errors import InputError


def run(*arguments: object) -> Result:
    return CliRunner().invoke(nccp, ["history", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of ten evaluations: invalid layers in the first, one in the fifth."""
    path = tmp_path / "run"
    path.mkdir()
    lines = []
    for step in range(1, 11):
        record = {
            "epoch": step / 2,
            "step": 10 * step,
            "minutes": 0.5 * step,
            "f1": 50.0 + step,
            "tags": 90.0,
        }
        record |= {"tag": 1.0, "label": 1.0, "joint": 0.5, "words_per_second": 1000.0, "fallbacks": 0}
        record["invalid_layers"] = {1: 1234, 5: 1}.get(step, 0)
        lines.append(json.dumps(record) + "\n")
    (path / "history.jsonl").write_text("".join(lines))
    return path


def test_a_line_per_evaluation_and_what_became_of_invalid_layers(folder: Path) -> None:
    lines = run(folder).stdout.splitlines()
    assert lines[0] == str(folder)
    assert lines[1].split("  ")[-1] == "invalid layers"
    assert lines[2].split()[-2:] == ["0", "1,234"]
    assert len(lines) == 2 + 10 + 3
    assert lines[-2].startswith("first 10% of the training: 1,234.0 invalid layers and 0.0 fallbacks")
    assert lines[-1].startswith("rest of the training: 0.1 invalid layers and 0.0 fallbacks")


def test_json(folder: Path) -> None:
    (made,) = json.loads(run(folder, "--json").stdout)["runs"].values()
    assert made["early"] == {"evaluations": 1, "invalid_layers": 1234, "fallbacks": 0}
    assert made["late"]["evaluations"] == 9
    assert made["late"]["invalid_layers"] == pytest.approx(1 / 9)
    assert len(made["evaluations"]) == 10


def test_several_runs_in_one_figure(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")
    figure = tmp_path / "history.svg"
    assert run(f"B={folder}", f"M={folder}", "--plot", figure).exit_code == 0
    svg = figure.read_text()
    assert "<!-- B -->" in svg
    assert "<!-- M -->" in svg


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert isinstance(result.exception, InputError)
    assert "is this the folder of a training run?" in str(result.exception)
