"""``nccp bulk``."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from nccp.bulk import Progress
from nccp.cli import bulk
from nccp.errors import InputError
from tests.bundles import write_bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return str(write_bundle(tmp_path_factory.mktemp("bulk") / "small"))


def run(*arguments: object):
    return CliRunner().invoke(bulk.command, [str(argument) for argument in arguments])


def test_the_summary(bundle, tmp_path):
    (tmp_path / "a.txt").write_text("One is here. Two?\n\nThree!")
    (tmp_path / "b.jsonl").write_text('{"body": "Four.", "url": "x"}\n')
    (tmp_path / "odd.txt").write_bytes(b"\0")
    out = tmp_path / "out"
    options = [*tmp_path.glob("*.*"), out, "--model", bundle, "--column", "body", "--format", "jsonl"]
    result = run(*options, "--bad", "skip", "--json", "--id-column", "url")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert (summary["sentences"], summary["files"], summary["shards"]) == (4, 2, 1)
    assert summary["failures"][0]["source"].endswith("odd.txt")
    assert re.match(r"skipped .*odd\.txt: binary data", result.stderr)
    again = run(*options, "--bad", "skip", "--id-column", "url")
    assert "4 sentences" in again.stdout
    assert "1 shards were finished by an earlier run" in again.stdout


def test_errors(bundle, tmp_path):
    (tmp_path / "odd.txt").write_bytes(b"\0")
    result = run(tmp_path / "odd.txt", tmp_path / "out", "--model", bundle)
    assert isinstance(result.exception, InputError)
    assert "1 of 1 input files cannot be read" in str(result.exception)
    assert run(tmp_path / "odd.txt").exit_code == 2
    assert run(tmp_path / "odd.txt", tmp_path / "out", "--format", "xml").exit_code == 2


def test_progress_without_a_terminal(capsys, monkeypatch):
    clock = iter(range(0, 10_000, 100))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    display = bulk._Display()
    display.show(Progress("parse", 500, 2000, 400))
    display.show(Progress("parse", 1000, 2000, 400))
    display.close()
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("parsing: 50.0%, 1,000 of 2,000 sentences, ")
    assert lines[-1].endswith(" min left")
