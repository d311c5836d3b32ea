from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import nccp.runtime.models as models
from nccp.cli import nccp
from nccp.runtime.catalogue import CATALOGUE
from tests.bundles import write_bundle


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NCCP_MODELS", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(models, "BUILT_IN", tmp_path / "built-in")
    monkeypatch.setattr(models, "ENTRY_POINTS", "no_such_group")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(nccp, ["models", *arguments])


def test_no_models(folder):
    found, offers = run().stdout.split("\n\n")
    assert found.splitlines() == [
        "No model is installed. Folders searched:",
        *(f"  {folder / name}" for name in ("mine", "data/nccp/models", "built-in")),
    ]
    title, _head, *rows = offers.splitlines()
    assert title == "Not installed:"
    assert [(row.split()[0], row.split("  ")[-1].strip()) for row in rows] == [
        (offer.name, f"pip install ./models/{offer.package}") for offer in CATALOGUE
    ]
    made = json.loads(run("--json").stdout)
    assert [(one["name"], one["installed"], one["commercial_use"]) for one in made] == [
        (offer.name, False, offer.commercial_use) for offer in CATALOGUE
    ]


def test_models(folder):
    write_bundle(folder / "built-in" / "en")
    write_bundle(folder / "mine" / "ja", language="ja", licence="CC BY-NC 4.0")
    head, one, two = run().stdout.split("\n\n")[0].splitlines()
    assert head.split()[:3] == ["name", "language", "size"]
    assert one.startswith("en ")
    assert one.endswith("built in")
    assert " yes " in one
    assert " no " in two
    assert "CC BY-NC 4.0" in two
    assert two.endswith(str(folder / "mine" / "ja"))
    made = json.loads(run("--json", "--verify").stdout)
    assert [(model["name"], model["built_in"], model["commercial_use"]) for model in made[:2]] == [
        ("en", True, True),
        ("ja", False, False),
    ]
    assert [(model["name"], model["installed"]) for model in made] == [
        ("en", True),
        ("ja", True),
        *((offer.name, False) for offer in CATALOGUE if offer.name != "ja"),
    ]


def test_a_damaged_model(folder):
    path = write_bundle(folder / "mine" / "en") / "labels.onnx"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert run().exit_code == 0
    result = run("--verify")
    assert result.exit_code == 1
    assert "damaged" in result.stdout
    assert "labels.onnx: damaged: its checksum" in result.stderr
