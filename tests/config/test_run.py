import re

import msgspec
import pytest

from nccp.config import Compose, check_config, config_changes, describe_config, portable_config
from nccp.errors import ConfigError

GOOD = {
    "input": {"kind": "words", "ngrams": 10},
    "data": {"treebanks": [{"path": "x", "cleaning": {"flatten": ["NML"]}}]},
}


def test_defaults_are_the_papers():
    config = check_config(GOOD, "base.toml")
    model, train = config.model, config.train
    assert (model.size, model.context_layers, model.label_hidden) == (300, 6, 200)
    assert (model.orientation_hidden, model.chunk_hidden, model.compose) == (32, 100, Compose.CV)
    assert (train.tag_weight, train.label_weight, train.joint_weight) == (0.2, 0.3, 0.5)
    assert (train.batch, train.learning_rate, train.patience, train.stop) == (80, 1e-3, 15, 100)
    assert config.data.treebanks[0].cleaning.flatten == ("NML",)


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        ("train", {"learning_rat": 1}, "unknown key train.learning_rat; did you mean learning_rate?"),
        ("train", {"batch_words": -3}, "train.batch_words is -3; expected a whole number, at least 0"),
        ("train", {"batch": 0}, "train.batch is 0; expected a whole number, at least 1"),
        ("train", {"average": 1}, "train.average is 1; expected a number, at least 0 and below 1"),
        ("train", {"betas": [0.9]}, "train.betas is [0.9]; expected a list of 2 numbers, at least 0 and"),
        ("train", {"learning_rate": float("inf")}, "train.learning_rate is inf; expected a finite number"),
        ("train", {"schedule": "linear"}, 'train.schedule = "linear" needs a budget'),
        ("model", {"kind": "tree"}, 'model.kind is \'tree\'; expected "binary" or "multi"'),
        ("model", {"compose": "cv"}, '\'cv\'; expected "NS", "NV", "CS", "CV", "BV" or "ADD"'),
        ("model", {"size": "big"}, "model.size is 'big'; expected a whole number, from 2 to 100,000"),
        (
            "model",
            {"size": 301},
            "model.size is 301; expected a whole number, from 2 to 100,000, a multiple of 2",
        ),
        ("model", {"context_layers": 9}, "model.context_layers is 9; expected a whole number, from 0 to 8"),
        ("model", {"unify_sub": 1}, "model.unify_sub is 1; expected true or false"),
        ("model", {"kind": "multi", "format": "triangular"}, 'needs model.kind = "binary"'),
        ("data", {"left": 0, "right": 0}, "must not all be 0"),
        ("data", {"explore": 0.5, "midin": 0.1}, "data.explore works only with left and right"),
        (
            "data",
            {"treebanks": [{"path": "x", "wieght": 2}]},
            "treebanks[0].wieght; did you mean weight?",
        ),
        ("data", {"treebanks": [{}]}, "data.treebanks[0].path is missing; expected a path"),
        ("data", {"treebanks": [{"path": "x", "format": "pen"}]}, "format is 'pen'; expected one of penn, "),
        ("input", {"knd": "words"}, "unknown key input.knd; did you mean kind?"),
        ("input", {"kind": "letters"}, 'input.kind is \'letters\'; expected "words" or "encoder"'),
        ("input", {"encoder": "xlnet"}, 'it belongs to kind = "encoder", and kind is "words" here'),
        ("input", {"ngrams": 0}, "input needs at least one of vectors, words and ngrams"),
        ("nonsense", {"a": 1}, "unknown key nonsense; there are: data, input, language, model, name, train"),
    ],
)
def test_mistakes_are_named(section, values, message):
    tree = {**GOOD, section: {**GOOD.get(section, {}), **values}}
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        check_config(tree, "base.toml")
    assert str(error.value).startswith("base.toml: ")


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, 'input is missing; expected a table with kind = "words" or "encoder"'),
        ({"input": {"words": 1}}, 'input.kind is missing; expected "words" or "encoder"'),
        ({"input": {"kind": "encoder"}}, "input.encoder is missing; expected a path"),
        ({"input": {"kind": "encoder", "encoder": ""}}, "input.encoder is empty"),
        ({**GOOD, "train": 3}, "train is 3; expected a table: [train]"),
        (
            {**GOOD, "model": {"format": "triangular"}, "data": {"explore": 1}},
            "data.explore needs model.format",
        ),
    ],
)
def test_whole_mistakes(tree, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        check_config(tree, "base.toml")


def test_it_survives_json():
    config = check_config(GOOD, "base.toml")
    tree = msgspec.json.decode(msgspec.json.encode(config))
    assert tree["input"]["kind"] == "words"
    assert check_config(tree, "config.json") == config


def test_every_key_is_described():
    keys = describe_config()
    assert len({(key.name, key.kind) for key in keys}) == len(keys)
    for key in keys:
        assert key.meaning.endswith("."), key.name
        numeric = key.type in ("whole number", "number")
        assert key.allowed or not (numeric or key.type == "choice"), f"{key.name} has no range"
    described = {key.name: key for key in keys}
    batch = described["train.batch"]
    assert (batch.type, batch.allowed, batch.default) == ("whole number", "at least 1", "80")
    assert batch.meaning == "Sentences per batch."
    assert described["data.treebanks[].path"].required
    assert described["input.encoder"].kind == "encoder"


def test_changes_name_their_keys():
    one, two = (check_config({**GOOD, "train": {"seed": seed}}, "x") for seed in (0, 1))
    assert list(config_changes(one, two)) == [("train.seed", 0, 1)]
    other = check_config({**GOOD, "input": {"kind": "encoder", "encoder": "x"}}, "x")
    assert next(config_changes(one, other)) == ("input.kind", "words", "encoder")


def test_what_others_see_has_no_folders_of_this_machine():
    tree = {
        "input": {"kind": "encoder", "encoder": "google/electra"},
        "data": {"treebanks": [{"path": "/home/me/gum"}]},
    }
    seen = portable_config(check_config(tree, "x"))
    assert seen["data"]["treebanks"][0]["path"] == "gum"
    assert seen["input"]["encoder"] == "google/electra"
