"""A run that begins with another run's weights."""

from __future__ import annotations

import shutil

import pytest
import torch
from click.testing import CliRunner

from nccp.cli.train import command
from nccp.decoding import Parser, decode
from nccp.errors import BundleError, ConfigError
from nccp.evaluation import development_trees, evaluate
from nccp.model.parsing_model import ParsingModel
from nccp.training.checkpoints import load_run
from nccp.training.export_run import export_run
from nccp.training.run_folder import RunFolder
from nccp.training.trainer import train
from nccp.training.warm_start import load_start, take_weights
from nccp.trees import Symbols
from tests.training.grammar import small_config, write_treebank

pytestmark = pytest.mark.slow

SENTENCES = [["the", "cat", "saw", "a", "big", "dog", "."], ["a", "zebra", "often", "slept"]]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    return write_treebank(tmp_path_factory.mktemp("trees") / "bank")


@pytest.fixture(scope="module")
def run(treebank, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "first"
    train(small_config(treebank, train={"epochs": 8}), folder, quiet=True)
    return folder


def test_the_same_parser(run):
    first = load_run(run).model
    torch.manual_seed(1)
    second = ParsingModel(first.config, first.symbols, first.words)
    taken = take_weights(second, load_start(str(run)))
    assert taken == sum(tensor.numel() for tensor in second.state_dict().values())
    one, two = (decode(parser.engine(), SENTENCES) for parser in (first, second))
    assert list(one.gaps()) == list(two.gaps())


def test_labels_tags_and_words_by_their_names(run):
    first = load_run(run).model
    labels, tags = list(first.symbols.labels), list(first.symbols.tags)
    symbols = Symbols(["NEW", *reversed(labels)], [*tags[2:], "NEW", *tags[:2]], frozen=True)
    words = ["unheard", *reversed(first.words)]
    second = ParsingModel(first.config, symbols, words)
    new = second.state_dict()["network.heads.label.weight"][0].clone()
    take_weights(second, load_start(str(run)))
    old, now = first.state_dict(), second.state_dict()
    label = "network.heads.label.weight"
    assert torch.equal(now[label][0], new)
    for name in labels:
        there, here = first.symbols.labels.ids[name], symbols.labels.ids[name]
        assert torch.equal(now[label][here], old[label][there])
    for name in tags:
        there, here = first.symbols.tags.ids[name], symbols.tags.ids[name]
        assert now["network.heads.tag.bias"][here] == old["network.heads.tag.bias"][there]
    assert torch.equal(now["input.words.weight"][2:], old["input.words.weight"][1:].flip(0))
    assert torch.equal(now["input.words.weight"][0], old["input.words.weight"][0])


def test_the_other_model_takes_what_both_have(run, treebank):
    first = load_run(run).model
    multi = ParsingModel(small_config(treebank, model={"kind": "multi"}), first.symbols, first.words)
    before = multi.state_dict()["network.combinator.ffnn_chk.weight"].clone()
    take_weights(multi, load_start(str(run)))
    after, old = multi.state_dict(), first.state_dict()
    context = "network.bilstm_cxt.forwards.0.weight_ih_l0"
    assert torch.equal(after[context], old[context])
    assert torch.equal(after["network.combinator.ffnn_chk.weight"], before)


def test_a_run_goes_on_from_where_another_ended(run, treebank, tmp_path):
    before = RunFolder(run).read_history()
    config = small_config(treebank, train={"start": str(run), "epochs": 1})
    train(config, tmp_path / "second", quiet=True)
    (after,) = RunFolder(tmp_path / "second").read_history()
    assert all(after[part] < before[0][part] / 2 for part in ("tag", "label", "joint"))
    assert "weights initialised from" in RunFolder(tmp_path / "second").log.read_text()


def test_a_resumed_run_needs_its_start_no_more(run, treebank, tmp_path):
    start = shutil.copytree(run, tmp_path / "start")
    train(small_config(treebank, train={"start": str(start), "epochs": 1}), tmp_path / "second", quiet=True)
    shutil.rmtree(start)
    config = small_config(treebank, train={"start": str(start), "epochs": 2})
    train(config, tmp_path / "second", resume=True, quiet=True)
    assert len(RunFolder(tmp_path / "second").read_history()) == 2


def test_what_does_not_fit(run, treebank, tmp_path):
    with pytest.raises(ConfigError, match="does not fit"):
        train(small_config(treebank, model={"size": 40}, train={"start": str(run)}), tmp_path / "wide")
    with pytest.raises(BundleError, match="not a model bundle"):
        train(small_config(treebank, train={"start": str(tmp_path)}), tmp_path / "none")
    assert not (tmp_path / "wide").exists()


@pytest.mark.parametrize("precision", ["float32", "int8"])
@pytest.mark.parametrize("kind", ["binary", "multi"])
def test_a_bundle_gives_its_weights_back(treebank, tmp_path, kind, precision):
    config = small_config(treebank, model={"kind": kind}, train={"epochs": 6})
    train(config, tmp_path / "run", quiet=True)
    export_run(tmp_path / "run", tmp_path / "bundle", precision=precision)
    first, start = load_run(tmp_path / "run").model, load_start(str(tmp_path / "bundle"))
    second = ParsingModel(first.config, first.symbols, first.words)
    taken = take_weights(second, start)
    assert taken == sum(tensor.numel() for tensor in second.state_dict().values())
    golds = development_trees(config.data)
    done = [evaluate(Parser(model.engine(), threads=1), golds) for model in (first, second)]
    different = sum(one != two for one, two in zip(done[0].trees, done[1].trees))
    assert different <= (0 if precision == "float32" else 0.2 * len(golds))
    assert abs(done[0].score.f1 - done[1].score.f1) <= (0 if precision == "float32" else 3)


def test_fine_tuning_from_a_bundle_needs_neither_model_nor_input(run, treebank, tmp_path):
    export_run(run, tmp_path / "bundle", precision="int8")
    (tmp_path / "mine.toml").write_text(
        f'name = "mine"\n[[data.treebanks]]\npath = "{treebank}"\n'
        '[train]\nstart = "./bundle"\nepochs = 1\nschedule = "constant"\nbatch = 20\nthreads = 1\n'
    )
    out = tmp_path / "mine"

    def invoke(*more):
        made = CliRunner().invoke(command, [str(tmp_path / "mine.toml"), "-q", "-o", str(out), *more])
        if made.exception is not None and not isinstance(made.exception, SystemExit):
            raise made.exception

    invoke()
    before, (after,) = RunFolder(run).read_history(), RunFolder(out).read_history()
    assert after["f1"] > before[0]["f1"]
    assert RunFolder(out).read_config().model == RunFolder(run).read_config().model
    shutil.rmtree(tmp_path / "bundle")
    invoke("--resume", "train.epochs=2")
    assert len(RunFolder(out).read_history()) == 2


def test_words_that_only_the_start_knows_are_kept(run, treebank, tmp_path):
    bank = tmp_path / "bank"
    bank.mkdir()
    (bank / "train.mrg").write_text("(TOP (S (N cat) (V sleeps)))\n" * 30)
    (bank / "dev.mrg").write_text("(TOP (S (N cat) (V sleeps)))\n")
    train(small_config(bank, train={"start": str(run), "epochs": 1}), tmp_path / "second", quiet=True)
    words = RunFolder(tmp_path / "second").read_symbols()[1]
    assert set(RunFolder(run).read_symbols()[1]) < set(words)
