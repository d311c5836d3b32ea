from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import nccp.runtime.models as models
from nccp.cli import nccp
from tests.bundles import write_bundle


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NCCP_MODELS", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(models, "BUILT_IN", tmp_path / "built-in")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(nccp, ["models", *arguments])


def test_no_models(folder):
    assert run().stdout.splitlines() == [
        "no models; looked in",
        *(f"  {folder / name}" for name in ("mine", "data/nccp/models", "built-in")),
    ]
    assert json.loads(run("--json").stdout) == []


def test_models(folder):
    write_bundle(folder / "built-in" / "en")
    write_bundle(folder / "mine" / "ja", language="ja", licence="CC BY 4.0")
    head, one, two = run().stdout.splitlines()
    assert head.split()[:3] == ["name", "language", "size"]
    assert one.startswith("en ")
    assert one.endswith("built in")
    assert "CC BY 4.0" in two
    assert two.endswith(str(folder / "mine" / "ja"))
    made = json.loads(run("--json", "--verify").stdout)
    assert [(model["name"], model["language"], model["built_in"]) for model in made] == [
        ("en", "en", True),
        ("ja", "ja", False),
    ]


def test_a_damaged_model(folder):
    path = write_bundle(folder / "mine" / "en") / "labels.onnx"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert run().exit_code == 0
    result = run("--verify")
    assert result.exit_code == 1
    assert "damaged" in result.stdout
    assert "labels.onnx: damaged: its checksum" in result.stderr
