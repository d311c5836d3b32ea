from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import nccp.export.bundle as export
from nccp.cli.export import command
from nccp.decoding import decode
from nccp.errors import InputError, TrainingError
from nccp.evaluation import development_trees
from nccp.export.bundle import export_model
from nccp.runtime import Bundle
from nccp.runtime.manifest import Manifest
from nccp.training.checkpoints import load_run
from nccp.training.export_run import export_run
from nccp.training.trainer import train
from nccp.trees import parse_tree
from tests.runtime.networks import random_parser
from tests.training.grammar import small_config, write_treebank

pytestmark = pytest.mark.slow

TREE = parse_tree("(S (NP (DT the) (NN cat)) (NN sat))")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    config = small_config(write_treebank(folder / "bank"), train={"epochs": 4})
    train(config, folder / "run", quiet=True)
    return folder / "run"


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_run_as_a_bundle(run, tmp_path, precision):
    result = export_run(run, tmp_path / "deep" / "out", precision=precision, licence="CC0")
    (comparison,) = result.comparisons
    assert comparison.precision == precision
    assert comparison.sentences == 40
    assert comparison.f1 > 30  # it has learned something, so the figures mean something
    if precision == "float32":
        assert comparison.different == 0
        assert comparison.loss == 0
    else:
        assert comparison.loss < 3
    bundle = Bundle.load(tmp_path / "deep" / "out")
    bundle.verify()
    assert bundle.manifest.scores["f1"] == comparison.f1
    assert bundle.size == result.size
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]  # no temporary one is left
    golds = development_trees(load_run(run).model.config.data)
    sentences = [gold.leaves() for gold in golds]
    if precision == "float32":
        truth = decode(load_run(run).model.engine(), sentences)
        assert list(decode(bundle.engine(), sentences).gaps()) == list(truth.gaps())


def test_the_precision_is_chosen_by_what_it_costs(run, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "MOST_LOSS", 100.0)
    assert [c.precision for c in export_run(run, tmp_path / "a").comparisons] == ["int8"]
    monkeypatch.setattr(export, "MOST_LOSS", -100.0)
    result = export_run(run, tmp_path / "b")
    assert [c.precision for c in result.comparisons] == ["int8", "float32"]
    assert result.as_dict()["precision"] == Bundle.load(tmp_path / "b").manifest.precision == "float32"


def test_an_older_bundle_is_replaced_and_nothing_else(tmp_path):
    about = Manifest(name="one")
    export_model(random_parser(), tmp_path / "out", [TREE], about, precision="float32")
    again = Manifest(name="two")
    export_model(random_parser({"kind": "multi"}), tmp_path / "out", [TREE], again, precision="float32")
    bundle = Bundle.load(tmp_path / "out")
    bundle.verify()
    assert bundle.manifest.name == "two"
    assert not (tmp_path / "out" / "orient.onnx").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    with pytest.raises(InputError, match="mine: not a model bundle, and not empty"):
        export_model(random_parser(), tmp_path / "mine", [TREE], about)
    assert (tmp_path / "mine" / "thesis.txt").exists()


def test_a_float32_bundle_that_differs_is_refused(tmp_path, monkeypatch):
    graphs = export.network_graphs

    def wrong(network, bounds):
        with torch.no_grad():
            network.heads.label.weight.neg_()
        return graphs(network, bounds)

    monkeypatch.setattr(export, "network_graphs", wrong)
    with pytest.raises(TrainingError, match="3 of 3 trees differ"):
        export_model(random_parser(), tmp_path / "out", [TREE] * 3, Manifest(), precision="float32")
    assert not list(tmp_path.iterdir())


def test_no_trees(tmp_path):
    with pytest.raises(InputError, match="--trees"):
        export_model(random_parser(), tmp_path / "out", [], Manifest())


def test_the_command(run, tmp_path):
    out = str(tmp_path / "out")
    result = CliRunner().invoke(command, [str(run), out, "--float32", "--name", "toy", "--licence", "CC0"])
    assert result.exit_code == 0, result.output
    assert "0 of 40 trees differ" in result.output
    assert "difference +0.000" in result.output.replace("-0.000", "+0.000")
    assert Bundle.load(out).manifest.name == "toy"
    trees = tmp_path / "more.mrg"
    trees.write_text(str(TREE))
    result = CliRunner().invoke(command, [str(run), out, "--int8", "--trees", str(trees), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["precision"] == "int8"
    assert told["sentences"] == 1


def test_the_card_gives_the_size_without_shared_files(tmp_path):
    big = {"words": 6, "ngrams": 64, "buckets": 5000}
    about = Manifest(name="a")
    export_model(random_parser(input=big), tmp_path / "a", [TREE], about, precision="float32")
    second = random_parser({"kind": "multi"}, input=big)
    result = export_model(second, tmp_path / "b", [TREE], about, precision="float32", share=tmp_path / "a")
    bundle = Bundle.load(tmp_path / "b")
    bundle.verify()
    assert result.size == bundle.size < Bundle.load(tmp_path / "a").size / 2
    size = bundle.size - bundle.manifest.files["MODEL_CARD.md"].size
    assert f"| size | {size / 1e6:.1f} MB |" in bundle.files.card.read_text()
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == sorted(
        [name for name, file in bundle.manifest.files.items() if not file.of] + ["bundle.json"]
    )


def test_a_boundary_penalty_moves_the_scores(tmp_path):
    config = small_config(
        write_treebank(tmp_path / "bank"), model={"kind": "multi"}, train={"epochs": 1, "batch": 100}
    )
    train(config, tmp_path / "run", quiet=True)

    def scores(penalty):
        export_run(tmp_path / "run", tmp_path / "out", precision="float32", boundary_penalty=penalty)
        engine = Bundle.load(tmp_path / "out").engine()
        context = engine.context([["the", "cat", "sees"]])
        return engine.chunk(context.x, np.array([3]))[0]

    np.testing.assert_allclose(scores(0.0) - scores(0.5), 0.5, atol=1e-5)


def test_the_card_tells_scores_and_training(run, tmp_path):
    export_run(run, tmp_path / "out", splits=("dev", "test"), notes="## Weaknesses\n\nIt knows one grammar.")
    manifest = Bundle.load(tmp_path / "out").manifest
    (dev,) = (result for result in manifest.results if result.split == "dev")
    assert dev.f1 == manifest.scores["f1"]
    assert dev.sentences == 40
    assert manifest.training["epochs"] == 4
    card = (tmp_path / "out" / "MODEL_CARD.md").read_text()
    assert f"dev | 40 | {dev.f1:.2f} |" in card
    assert "seed 0, epochs 4" in card
    assert card.endswith("It knows one grammar.\n")
