from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from nccp.cli.train import command
from nccp.config import check_config, describe_config, load_config, read_toml
from nccp.errors import ConfigError, TrainingError
from nccp.training.run_folder import RunFolder
from nccp.treebanks import Cleaning
from tests.training.grammar import write_treebank


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """One file, no splits."""
    folder = write_treebank(tmp_path_factory.mktemp("trees") / "bank")
    text = "".join(path.read_text() for path in sorted(folder.glob("*.mrg")))
    single = tmp_path_factory.mktemp("single") / "mine.mrg"
    single.write_text(text)
    return single


def run(*arguments):
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_from_a_treebank_alone(bank, tmp_path):
    small = ("model.size=32", "input.words=8", "input.ngrams=8", "train.threads=1")
    out = tmp_path / "run"
    result = run("--trees", bank, "-o", out, "train.epochs=1", *small)
    assert result.exit_code == 0, result.output
    assert "one was made by blocks" in result.stderr
    assert "--keys" in result.stderr
    folder = RunFolder(out)
    config = folder.read_config()
    assert (config.model.context_layers, config.model.size, config.train.schedule) == (1, 32, "linear")
    assert {path.name for path in (out / "mine-split").iterdir()} == {"train.mrg", "dev.mrg", "test.mrg"}
    assert json.loads(folder.splits.read_text())["seed"] == 0
    assert run("--trees", bank, "-o", out, "--resume", "train.epochs=2").exit_code == 0
    assert len(folder.read_history()) == 2


def test_trees_without_tags(tmp_path):
    """They are refused with advice; the setting of the advice trains on them, and is fixed for the run."""
    trees = tmp_path / "bare.mrg"
    trees.write_text("(S (NP the owl) (VP sleeps well))\n" * 40)
    train = ("--trees", trees, "-o", tmp_path / "run", "train.epochs=1", "train.threads=1", "model.size=16")
    with pytest.raises(ConfigError, match=r"unknown key cleaning\.add_tag; did you mean add_tags\?"):
        run(*train, "cleaning.add_tag=true")
    with pytest.raises(TrainingError, match=r"'the'.* without tags set cleaning\.add_tags=true"):
        run(*train, "cleaning.lemmas=keep")
    assert run(*train, "cleaning.add_tags=true").exit_code == 0
    dev = (tmp_path / "run" / "bare-split" / "dev.mrg").read_text().splitlines()
    assert set(dev) == {"(TOP (S (NP (XX the) (XX owl)) (VP (XX sleeps) (XX well))))"}
    assert RunFolder(tmp_path / "run").read_config().data.treebanks[0].cleaning == Cleaning()
    with pytest.raises(ConfigError, match="leave it out with --resume"):
        run(*train, "cleaning.add_tags=true", "--resume")


def test_steps_of_cleaning_for_a_treebank_with_splits(tmp_path):
    bank = tmp_path / "bank"
    bank.mkdir()
    for name in ("train", "dev"):
        (bank / f"{name}.mrg").write_text("(S (NP-SBJ (N a)) (VP-X (V b)))\n")
    made = tmp_path / "mine.toml"
    run("--trees", bank, "-o", tmp_path / "run", "--write-config", made, "cleaning.cut_functions=false")
    assert not load_config(made).data.treebanks[0].cleaning.cut_functions


def test_a_commented_configuration(bank, tmp_path):
    made = tmp_path / "mine.toml"
    assert run("--trees", bank, "-o", tmp_path / "run", "--write-config", made, "train.seed=3").exit_code == 0
    config = load_config(made)
    assert (config.train.seed, config.input.words, config.model.context_layers) == (3, 100, 1)
    text = made.read_text()
    assert all(
        f"{key.name.rpartition('.')[2]} =" in text for key in describe_config() if key.kind != "encoder"
    )
    assert "#patience = 15" in text
    assert not (tmp_path / "run" / "config.json").exists()


def test_a_template(tmp_path):
    made = tmp_path / "new.toml"
    assert run("--write-config", made, "input.kind=encoder", "input.encoder=my/encoder").exit_code == 0
    assert check_config(read_toml(made), str(made)).input.encoder == "my/encoder"
    assert "tune_from" in made.read_text()


def test_the_keys():
    text = run("--keys").stdout
    assert "train.batch_words  [at least 0; default 0]" in text
    assert len(json.loads(run("--keys", "--json").stdout)) == len(describe_config())


def test_usage(tmp_path):
    assert "either a configuration file or --trees" in run().output
    assert "--trees nowhere" in run("nowhere").output
