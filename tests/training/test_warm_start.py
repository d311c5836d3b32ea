"""A run that begins with another run's weights."""

from __future__ import annotations

import shutil

import pytest
import torch

from nccp.decoding import decode
from nccp.errors import ConfigError, InputError
from nccp.model.parsing_model import ParsingModel
from nccp.training.checkpoints import load_run
from nccp.training.run_folder import RunFolder
from nccp.training.trainer import train
from nccp.training.warm_start import take_weights
from nccp.trees import Symbols
from tests.training.grammar import small_config, write_treebank

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
    assert take_weights(second, run) == sum(tensor.numel() for tensor in second.state_dict().values())
    one, two = (decode(parser.engine(), SENTENCES) for parser in (first, second))
    assert list(one.gaps()) == list(two.gaps())


def test_labels_tags_and_words_by_their_names(run):
    first = load_run(run).model
    labels, tags = list(first.symbols.labels), list(first.symbols.tags)
    symbols = Symbols(["NEW", *reversed(labels)], [*tags[2:], "NEW", *tags[:2]], frozen=True)
    words = ["unheard", *reversed(first.words)]
    second = ParsingModel(first.config, symbols, words)
    new = second.state_dict()["network.heads.label.weight"][0].clone()
    take_weights(second, run)
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
    take_weights(multi, run)
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
    with pytest.raises(InputError, match="is this the folder of a training run"):
        train(small_config(treebank, train={"start": str(tmp_path)}), tmp_path / "none")
    assert not (tmp_path / "wide").exists()
