import re

import pytest

from nccp.config import Compose, check_config, load_config
from nccp.errors import ConfigError

GOOD = {"input": {"ngrams": 10}, "data": {"treebanks": [{"path": "x", "cleaning": {"flatten": ["NML"]}}]}}


def test_defaults_are_the_papers():
    config = check_config(GOOD, "base.toml")
    model = config.model
    assert (model.size, model.context_layers, model.label_hidden) == (300, 6, 200)
    assert (model.orientation_hidden, model.chunk_hidden, model.compose) == (32, 100, Compose.CV)
    assert (config.train.tag_weight, config.train.label_weight, config.train.joint_weight) == (0.2, 0.3, 0.5)
    assert (config.train.batch, config.train.learning_rate, config.train.patience, config.train.stop) == (
        80,
        1e-3,
        15,
        100,
    )
    assert config.data.treebanks[0].cleaning.flatten == ("NML",)


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        (
            "train",
            {"learning_rat": 1},
            "base.toml: unknown key train.learning_rat; did you mean learning_rate?",
        ),
        ("model", {"kind": "ternary"}, "base.toml: Invalid enum value 'ternary'"),
        ("model", {"size": "big"}, "Expected `int`, got `str`"),
        ("model", {"context_layers": 9}, "model.context_layers must be 0 to 8"),
        ("model", {"kind": "multi", "format": "triangular"}, "triangular needs kind binary"),
        ("data", {"left": 0, "right": 0}, "not all zero"),
        (
            "data",
            {"treebanks": [{"path": "x", "wieght": 2}]},
            "unknown key data.treebanks[0].wieght; did you mean weight?",
        ),
        ("input", {"encoder": "xlnet"}, "input.encoder stands alone"),
        ("input", {"ngrams": 0}, "input needs one of"),
        ("nonsense", {"a": 1}, "unknown key nonsense"),
    ],
)
def test_mistakes_are_named(section, values, message):
    tree = {**GOOD, section: {**GOOD.get(section, {}), **values}}
    with pytest.raises(ConfigError, match=re.escape(message)):
        check_config(tree, "base.toml")


def test_files_and_overrides(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('name = "a"\n[input]\nngrams = 5\n')
    config = load_config(path, ("model.kind=multi", "train.learning_rate=0.1", "input.vectors=a b.vec"))
    assert (config.model.kind, config.train.learning_rate, config.input.vectors) == ("multi", 0.1, "a b.vec")
    with pytest.raises(ConfigError, match="is no override"):
        load_config(path, ("model.kind",))
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        load_config(tmp_path / "nowhere.toml")
    path.write_text("a = = 1")
    with pytest.raises(ConfigError, match=r"a\.toml"):
        load_config(path)


def test_every_recipe_is_valid(pytestconfig):
    recipes = sorted((pytestconfig.rootpath / "recipes").glob("*.toml"))
    assert recipes
    for recipe in recipes:
        load_config(recipe)
