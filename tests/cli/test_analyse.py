from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from nccp.cli import nccp
from nccp.errors import InputError
from tests.bundles import write_bundle
from tests.cli.banks import write_bank

SENTENCES = [["the", "cat"], ["the", "cat", "sat", "<the>", "cat"], [*"abcdefghijklm"]]


@pytest.fixture(scope="module", params=["binary", "multi"])
def model(request, tmp_path_factory):
    return str(write_bundle(tmp_path_factory.mktemp("models") / request.param, {"kind": request.param}))


@pytest.fixture
def bank(model, tmp_path):
    return write_bank(
        tmp_path / "bank", model, SENTENCES, "(X (Q the) (Y (Q cat) (Z (Q <b>sat</b>) (Q sat))))"
    )


def run(*arguments):
    result = CliRunner().invoke(nccp, ["analyse", *map(str, arguments), "--threads", "1"])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_model_that_is_right(model, bank):
    made = json.loads(run(model, bank, "--json").stdout)
    assert (made["split"], made["all"]["f1"], made["all"]["sentences"]) == ("test", 100, 3)
    assert made["worst"] == []
    assert made["tags"]["wrong"] == 0
    assert [one["from"] for one in made["by_length"]] == [1, 11]
    assert [one["sentences"] for one in made["by_score"]] == [1, 1, 1]
    assert (made["internals"] is None) == model.endswith("multi")


def test_a_model_that_is_wrong(model, bank):
    made = json.loads(run(model, bank, "--split", "train", "--json").stdout)
    kinds = made["errors"]["kinds"].values()
    assert sum(kind["missed"] for kind in kinds) == made["all"]["gold"] - made["all"]["matched"]
    assert sum(kind["extra"] for kind in kinds) == made["all"]["test"] - made["all"]["matched"]
    assert made["tags"]["wrong"] == 4
    assert made["worst"][0]["number"] == 1
    assert made["speed"]["words_per_second"] > 0


def test_tables(model, bank):
    text = run(model, bank, "--split", "train", "--top", 1).stdout
    assert "F1 by length" in text
    assert "Confused tags" in text
    assert text.count("Q   ") == 1  # --top


def test_report(model, bank, tmp_path):
    page = tmp_path / "new" / "report.html"
    result = run(model, bank, "--split", "train", "--html", page, "--json")
    json.loads(result.stdout)
    assert f"wrote {page}" in result.stderr
    text = page.read_text(encoding="utf-8")
    assert "&lt;b&gt;sat&lt;/b&gt;" in text
    assert "<b>sat" not in text
    assert text.count('class="nccp-tree"') >= 2
    assert "Worst" not in _page(model, bank, tmp_path, "--worst", 0)
    assert "Worst" not in _page(model, bank, tmp_path, "--longest", 3)


def _page(model, bank, folder, *options):
    path = folder / "page.html"
    run(model, bank, "--split", "train", "--html", path, *options)
    return path.read_text(encoding="utf-8")


def test_what_is_wrong(model, bank, tmp_path):
    with pytest.raises(InputError, match="no split 'dev'"):
        run(model, bank, "--split", "dev")
    with pytest.raises(InputError, match="no such file"):
        run(model, tmp_path / "none")
    with pytest.raises(InputError, match=r"x\.html: "):
        run(model, bank, "--html", bank / "test.mrg" / "x.html")


def test_forests(model, bank, tmp_path):
    """The binary model never fails; the untrained multi-branching one does on some sentence or on none."""
    made = json.loads(run(model, bank, "--json").stdout)
    result = run(model, bank, "--forests", tmp_path / "forests.svg")
    assert (tmp_path / "forests.svg").exists() == bool(made["joined"]["count"])
    if not made["joined"]["count"]:
        assert "every parse is valid" in result.stderr
    else:
        assert "repeats: nothing combines" in (tmp_path / "forests.svg").read_text()
