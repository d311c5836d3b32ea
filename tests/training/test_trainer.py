"""Training as users run it: it learns, it stops and goes on exactly, it says what is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch

from nccp.decoding import Parser
from nccp.errors import ConfigError, InputError, TrainingError
from nccp.evaluation import evaluate
from nccp.files import FileLock
from nccp.inputs import build_module
from nccp.training.checkpoints import load_run, read_tensors
from nccp.training.corpus import read_corpus
from nccp.training.optim import Guard
from nccp.training.run_folder import RunFolder
from nccp.training.trainer import train
from nccp.treebanks import open_treebank
from nccp.trees import format_tree, parse_tree
from tests.inputs.encoder.tiny_encoders import build as build_encoder
from tests.training.grammar import small_config, write_treebank

pytestmark = pytest.mark.slow

VARIANTS = {
    "B": {},
    "M": {"model": {"kind": "multi"}},
    "M grouped": {"model": {"kind": "multi"}, "data": {"group": 0.5}},
    "B/F": {"model": {"orientation": "ffnn"}},
    "B/L": {"model": {"loss": "bce"}},
    "B/0": {"model": {"context_layers": 0}},
    "B/2": {"model": {"context_layers": 2}},
    "triangular": {"model": {"format": "triangular"}},
    "letters only": {"input": {"words": 0}},
    "B/e": {"input": {"ngrams": 0, "min_count": 1}},
    "midin and midout": {"data": {"left": 0.0, "right": 0.0, "midin": 0.5, "midout": 0.5}},
    "averaged": {"train": {"average": 0.9}},
    "B explored": {"data": {"explore": 0.7}},
    "M explored": {"model": {"kind": "multi"}, "data": {"explore": 0.7}},
    **{variant: {"model": {"compose": variant}} for variant in ("NS", "NV", "CS", "BV", "ADD")},
}


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    return write_treebank(tmp_path_factory.mktemp("trees") / "bank")


def history(path):
    return [(r["step"], r["tag"], r["label"], r["joint"], r["f1"]) for r in RunFolder(path).read_history()]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_learns(treebank, tmp_path, name):
    config = small_config(treebank, **{"train": {"epochs": 3}, **VARIANTS[name]})
    best = train(config, tmp_path / "run", quiet=True)
    first, *_, last = RunFolder(tmp_path / "run").read_history()
    for part in ("tag", "label", "joint"):
        assert last[part] < first[part]
    assert best > 0
    run = load_run(tmp_path / "run")
    score = evaluate(Parser(run.model.engine(), threads=1), read_corpus(config.data).dev).score
    assert score.f1 == pytest.approx(run.state["f1"])


@pytest.mark.parametrize("options", [{}, {"tune": True}, {"standardise": True, "ngrams": 16}], ids=str)
def test_every_use_of_vectors_learns(treebank, tmp_path, options):
    """B and B/E (frozen), B/ε (tuned), and standardised beside letters."""
    words = sorted({word for line in (treebank / "train.mrg").open() for word in parse_tree(line).leaves()})
    rng = np.random.default_rng(0)
    lines = [f"{word} {' '.join(map(str, rng.normal(size=20).round(3)))}" for word in words[::2]]
    (tmp_path / "words.vec").write_text("\n".join(lines) + "\n")
    vectors = {"vectors": str(tmp_path / "words.vec"), "words": 0, "ngrams": 0, **options}
    train(small_config(treebank, input=vectors, train={"epochs": 3}), tmp_path / "run", quiet=True)
    first, *_, last = RunFolder(tmp_path / "run").read_history()
    assert all(last[part] < first[part] for part in ("tag", "label", "joint"))


@pytest.mark.parametrize("explore", [0.0, 0.7])
@pytest.mark.parametrize("tune", [False, True])
def test_an_encoder_learns_frozen_and_tuned(treebank, tmp_path, tune, explore):
    folder = build_encoder("bert", tmp_path / "encoder")
    encoder = {"kind": "encoder", "encoder": folder, "tune": tune, "tune_from": 2}
    config = small_config(treebank, input=encoder, train={"epochs": 3}, data={"explore": explore})
    before = build_module(config.input).encoder.state_dict()
    train(config, tmp_path / "run", quiet=True)
    first, *_, last = RunFolder(tmp_path / "run").read_history()
    assert all(last[part] < first[part] for part in ("tag", "label", "joint"))
    after = load_run(tmp_path / "run", "last").model.input.encoder.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before) != tune


def test_the_seed_repeats_a_run_and_another_does_not(treebank, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(small_config(treebank, train={"seed": seed}), tmp_path / name, quiet=True)
    assert history(tmp_path / "a") == history(tmp_path / "b") != history(tmp_path / "c")


def test_a_resumed_run_is_the_run_that_was_never_stopped(treebank, tmp_path):
    config = small_config(treebank, train={"epochs": 4, "average": 0.9, "schedule": "paper"})
    train(config, tmp_path / "whole", quiet=True)
    train(
        small_config(treebank, train={"epochs": 2, "average": 0.9, "schedule": "paper"}),
        tmp_path / "parts",
        quiet=True,
    )
    train(config, tmp_path / "parts", resume=True, quiet=True)
    assert history(tmp_path / "whole") == history(tmp_path / "parts")
    whole, parts = (read_tensors(RunFolder(tmp_path / name).last)[0] for name in ("whole", "parts"))
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_a_killed_run_goes_on_exactly(treebank, tmp_path):
    """kill -9 in the middle of an epoch, with checkpoints inside epochs."""
    config = small_config(treebank, train={"epochs": 3, "save_minutes": 0.0})
    train(config, tmp_path / "whole", quiet=True)
    script = (
        "import sys\nfrom tests.training.grammar import small_config\n"
        "from nccp.training.trainer import train\n"
        "train(small_config(sys.argv[1], train={'epochs': 3, 'save_minutes': 0.0}), sys.argv[2], quiet=True)"
    )
    killed = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", script, str(treebank), str(killed)])
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if (killed / "last.safetensors").exists() and read_tensors(killed / "last.safetensors")[1][
            "step"
        ] >= 5:
            break
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert read_tensors(killed / "last.safetensors")[1]["step"] >= 5
    train(config, killed, resume=True, quiet=True)
    whole, parts = (read_tensors(RunFolder(path).last)[0] for path in (tmp_path / "whole", killed))
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_a_run_is_not_overwritten_nor_resumed_as_something_else(treebank, tmp_path):
    config = small_config(treebank, train={"epochs": 1})
    train(config, tmp_path / "run", quiet=True)
    with pytest.raises(TrainingError, match="--resume"):
        train(config, tmp_path / "run", quiet=True)
    with pytest.raises(TrainingError, match=r"model\.size was 32 and is now 34"):
        train(small_config(treebank, model={"size": 34}), tmp_path / "run", resume=True, quiet=True)
    train(small_config(treebank, train={"epochs": 2}), tmp_path / "run", resume=True, quiet=True)
    log = RunFolder(tmp_path / "run").log.read_text()
    assert "train.epochs changed from 1 to 2" in log


def test_tensorboard_keeps_every_evaluation_of_a_resumed_run(treebank, tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    for epochs in (1, 2, 3):
        config = small_config(treebank, train={"epochs": epochs})
        train(config, tmp_path / "run", resume=epochs > 1, quiet=True)
    folder = RunFolder(tmp_path / "run")
    events = EventAccumulator(str(folder.events)).Reload()
    steps = [event.step for event in events.Scalars("dev/f1")]
    assert steps == [record["step"] for record in folder.read_history()]
    assert len(steps) == 3


def test_two_trainers_do_not_share_a_folder(treebank, tmp_path):
    folder = RunFolder(tmp_path / "run")
    with FileLock(folder.lock), pytest.raises(TrainingError, match="another process is training"):
        train(small_config(treebank), folder.path, quiet=True)
    assert not folder.config.exists()


@pytest.mark.parametrize("kept", [0, 7, 0.5])
def test_a_cut_checkpoint_is_named(treebank, tmp_path, kept):
    config = small_config(treebank, train={"epochs": 1})
    train(config, tmp_path / "run", quiet=True)
    folder = RunFolder(tmp_path / "run")
    content = folder.last.read_bytes()
    folder.last.write_bytes(content[: int(kept * len(content)) if isinstance(kept, float) else kept])
    with pytest.raises(InputError, match=r"last\.safetensors: damaged.*train\.start"):
        train(config, folder.path, resume=True, quiet=True)
    assert load_run(folder.path).state["epoch"] == 1  # the best weights are intact


def test_bad_material_is_refused_with_its_place(tmp_path):
    empty = tmp_path / "bank"
    empty.mkdir()
    (empty / "train.mrg").write_text("(TOP (S (NP a b) (VP (V c))))\n")
    (empty / "dev.mrg").write_text("(TOP (S (A a) (B b)))\n")
    with pytest.raises(TrainingError, match=r"train\.mrg:1: the word 'a' stands"):
        train(small_config(empty), tmp_path / "run", quiet=True)
    with pytest.raises(InputError):
        train(small_config(tmp_path / "nowhere"), tmp_path / "run", quiet=True)
    with pytest.raises((InputError, TrainingError)):
        train(
            small_config(empty, data={"treebanks": [{"path": str(empty), "dev": "test"}]}),
            tmp_path / "run",
            quiet=True,
        )
    with pytest.raises(ConfigError, match=r"unknown key train\.learning_rat; did you mean learning_rate\?"):
        small_config(empty, train={"learning_rat": 1})


def test_labels_unseen_in_training_do_not_stop_an_evaluation(treebank, tmp_path):
    bank = tmp_path / "bank"
    bank.mkdir()
    (bank / "train.mrg").write_text((treebank / "train.mrg").read_text())
    (bank / "dev.mrg").write_text("(TOP (ODD (NEW zebra) (WEIRD (UNSEEN (DT the) (NN cat)))))\n")
    assert train(small_config(bank, train={"epochs": 1}), tmp_path / "run", quiet=True) >= 0


def test_a_loss_that_is_no_number_or_explodes_stops_with_advice():
    guard = Guard()
    guard.check(2.0, 1.0, 1)
    with pytest.raises(TrainingError, match=r"lower train\.learning_rate"):
        guard.check(float("nan"), 1.0, 2)
    for _ in range(5):
        guard.check(50.0, 1.0, 3)
    with pytest.raises(TrainingError, match="has grown"):
        guard.check(50.0, 1.0, 4)


@pytest.mark.parametrize("kind", ["binary", "multi"])
def test_both_models_learn_fifty_real_trees_by_heart(treebanks, tmp_path, kind):
    bank = tmp_path / "bank"
    bank.mkdir()
    entries = open_treebank(treebanks / "ptb-sample").read("train")
    trees = [format_tree(entry.tree) for entry, _ in zip(entries, range(50))]
    for name in ("train", "dev"):
        (bank / f"{name}.mrg").write_text("\n".join(trees))
    config = small_config(
        bank,
        model={
            "kind": kind,
            "size": 150,
            "dropout": 0.0,
            "recurrent_dropout": 0.0,
            "context_layers": 2,
            "orientation_hidden": 32,
            "chunk_hidden": 64,
            "label_hidden": 100,
        },
        data={"treebanks": [{"path": str(bank)}], "left": 1.0, "right": 0.0},  # one truth a tree
        input={"words": 50, "ngrams": 50, "dropout": 0.0, "word_dropout": 0.0},
        train={
            "epochs": 150,
            "batch": 5,
            "learning_rate": 4e-3,
            "evaluate_every": 10.0,
            "stop": 4,
            "schedule": "linear",
        },
    )
    assert train(config, tmp_path / "run", quiet=True) == 100.0
