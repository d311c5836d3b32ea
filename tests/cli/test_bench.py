from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import nccp.cli.bench as bench
from nccp.cli import nccp
from nccp.errors import InputError
from tests.bundles import write_bundle

pytestmark = pytest.mark.slow


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


def test_training(tmp_path):
    pytest.importorskip("torch", reason="training needs torch: pip install 'nccp[train]'")
    for split in ("train", "dev"):
        (tmp_path / f"{split}.mrg").write_text("(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n" * 8)
    options = ("--set", "model.size=8", "--set", "input.words=8", "--set", "train.batch=4", "--batches", 1)
    made = json.loads(run("--training", tmp_path, "--formats", "triangular", *options, "--json"))
    assert [one["format"] for one in made["formats"]] == ["triangular"]
    assert made["batch"] == 4


def test_the_text_of_training():
    part = {"from": 1, "to": 10, "batches": 1, "seconds_per_batch": 2.0, "sentences_per_second": 40.0}
    one = {"format": "stratified", "epoch_seconds": 55.0, "words_per_second": 900.0, "peak_memory": 2e9}
    longest = {"words": 100, "memory": 4_000_000_000}
    text = bench._training_text([{**one, "by_length": [part], "longest": longest}])
    assert "100 words in 4 GB" in text
    assert "1-10" in text
