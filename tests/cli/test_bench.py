from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import nccp.cli.bench as bench
from nccp.cli import nccp
from nccp.errors import InputError
from tests.bundles import write_bundle


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(write_bundle(tmp_path_factory.mktemp("models") / "tiny"))


def run(*arguments):
    call = ["bench", "--threads", "1", "--repeat", "1", *map(str, arguments)]
    result = CliRunner().invoke(nccp, call)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def test_made_up_text(model, monkeypatch):
    monkeypatch.setattr(bench, "_BIN_WORDS", 40)
    made = json.loads(run("--model", model, "--sentences", 12, "--json"))
    assert (made["model"], made["threads"], made["all"]["sentences"]) == ("tiny", 1, 12)
    assert [one["to"] for one in made["by_length"]] == [10, 20, 40, 80, 160, 320, 500]
    assert set(made["start"]) == {"first", "again"}
    assert sum(made["shares"].values()) == pytest.approx(1)


def test_a_file(model, tmp_path):
    (tmp_path / "text").write_text("The cat sat. " * 5 + "\n")
    text = run(tmp_path / "text", "--model", model, "--no-start")
    assert "1-10" in text
    assert "start" not in text
    assert "recovery" in text
    made = json.loads(run(tmp_path / "text", "--model", model, "--no-start", "--json", "--input", "lines"))
    assert made["all"]["sentences"] == 1
    (tmp_path / "nothing").write_text("\n")
    with pytest.raises(InputError, match="nothing to parse"):
        run(tmp_path / "nothing", "--model", model, "--no-start", "--input", "lines")
