from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from nccp.cli import nccp
from nccp.errors import InputError
from nccp.trees import parse_trees
from tests.bundles import write_bundle
from tests.cli.banks import write_bank

SENTENCES = [["the", "cat"], ["the", "cat", "sat", "the", "cat"], [*"abcdefghijklm"]]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(write_bundle(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture
def bank(model, tmp_path):
    return write_bank(tmp_path / "bank", model, SENTENCES, "(X (Q the) (X (Q cat) (Q sat)))")


def run(*arguments):
    result = CliRunner().invoke(nccp, ["evaluate", *map(str, arguments), "--threads", "1"])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_test_split_is_the_default(model, bank):
    made = json.loads(run(model, bank, "--json").stdout)
    assert (made["split"], made["all"]["f1"], made["all"]["sentences"], made["different"]) == (
        "test",
        100,
        3,
        0,
    )
    assert made["model"] == "tiny"
    made = json.loads(run(model, bank, "--split", "train", "--json").stdout)
    assert made["all"]["f1"] < 100
    assert made["different"] == 1


def test_tables(model, bank):
    text = run(model, bank, "--by-length", "--by-label", "--by-score").stdout
    assert "tiny on " in text
    assert "1-10" in text
    assert "11-20" in text
    assert text.splitlines()[-1].split()[-2:] == ["100.00", "100.00"]
    made = json.loads(run(model, bank, "--by-score", "--by-length", "--json").stdout)
    assert [one["sentences"] for one in made["by_score"]] == [1, 1, 1]
    assert made["by_score"][0]["highest"] <= made["by_score"][1]["lowest"]
    assert len(made["by_length"]) == 2


def test_trees_are_written(model, bank, tmp_path):
    run(model, bank, "--out", tmp_path / "out.mrg")
    assert [tree.leaves() for tree in parse_trees((tmp_path / "out.mrg").read_text())] == SENTENCES


def test_gold_tags(model, bank):
    made = json.loads(run(model, bank, "--split", "train", "--gold-tags", "--json").stdout)
    assert made["all"]["tag_accuracy"] == 100
    made = json.loads(run(model, bank, "--split", "train", "--json").stdout)
    assert made["all"]["tag_accuracy"] == 0


def test_what_is_wrong(model, bank, tmp_path):
    with pytest.raises(InputError, match="no split 'dev'"):
        run(model, bank, "--split", "dev")
    with pytest.raises(InputError, match="no such file"):
        run(model, tmp_path / "none")


def test_several_models_in_one_table(model, bank, tmp_path_factory):
    other = str(write_bundle(tmp_path_factory.mktemp("others") / "other"))
    text = run(f"{model},{other}", bank, "--by-length").stdout
    lines = [line.split() for line in text.splitlines()]
    assert [line[0] for line in lines[2:5]] == ["model", "tiny", "other"]
    assert ["length", "sentences", "tiny", "other"] in lines
    made = json.loads(run(f"{model},{other}", bank, "--json").stdout)["models"]
    assert [one["model"] for one in made] == ["tiny", "other"]
    assert made[0]["all"]["precision_minus_recall"] == 0
    assert "one model at a time" in run(f"{model},{other}", bank, "--by-label").output


def test_invalid_layers_are_reported(model, bank):
    made = json.loads(run(model, bank, "--json").stdout)
    assert made["invalid_layers"] >= 0
    assert "invalid layers" in run(model, bank).stdout


def test_plot(model, bank, tmp_path):
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")
    result = run(model, bank, "--plot", tmp_path / "lengths.svg")
    assert f"wrote {tmp_path / 'lengths.svg'}" in result.stderr
    assert (tmp_path / "lengths.svg").read_bytes().startswith(b"<?xml")
    with pytest.raises(InputError, match="must end in"):
        run(model, bank, "--plot", tmp_path / "lengths.gif")
