import pytest

from nccp.config import apply_overrides, load_config, resolve_value
from nccp.errors import ConfigError

WORDS = '[input]\nkind = "words"\nngrams = 5\n'


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_overrides(tmp_path):
    path = write(tmp_path / "a.toml", f'name = "a"\n{WORDS}')
    config = load_config(path, ("model.kind=multi", "train.learning_rate=0.1", "input.words=7"))
    assert (config.model.kind, config.train.learning_rate, config.input.words) == ("multi", 0.1, 7)


@pytest.mark.parametrize(
    ("text", "override", "message"),
    [
        (WORDS, "model.kind", "'model.kind' is not an override; expected section.key=value"),
        (WORDS, "model=3", "model is 3; expected a table"),
        ("a = = 1", "model.kind=multi", r"a\.toml: "),
        ("extends = 3", "model.kind=multi", "extends is 3; expected a file"),
        ('extends = "none.toml"', "model.kind=multi", r"none\.toml: No such file"),
        ('extends = "a.toml"', "model.kind=multi", "extends itself"),
    ],
)
def test_mistakes(tmp_path, text, override, message):
    path = write(tmp_path / "a.toml", text)
    with pytest.raises(ConfigError, match=message):
        load_config(path, (override,))


def test_no_such_file(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        load_config(tmp_path / "nowhere.toml")


def test_paths_start_from_the_file_and_overrides_from_the_working_directory(tmp_path, monkeypatch):
    path = write(
        tmp_path / "recipes" / "a.toml",
        '[input]\nkind = "words"\nvectors = "../a.vec"\n[[data.treebanks]]\npath = "gum"\n'
        '[[data.treebanks]]\npath = "/banks/craft"\n',
    )
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    config = load_config(path)
    assert config.input.vectors == str(tmp_path / "a.vec")
    assert [bank.path for bank in config.data.treebanks] == [
        str(tmp_path / "recipes" / "gum"),
        "/banks/craft",
    ]
    config = load_config(path, ("input.vectors=b c.vec", "train.start=../run"))
    assert config.input.vectors == str(tmp_path / "work" / "b c.vec")
    assert config.train.start == str(tmp_path / "run")
    assert load_config(path, ("input.vectors=", "input.words=1")).input.vectors == ""


def test_a_name_stays_a_name_unless_there_is_such_a_folder(tmp_path):
    (tmp_path / "mine").mkdir()
    for value, expected in {
        "bert-base-cased": "bert-base-cased",
        "google/electra": "google/electra",
        "mine": str(tmp_path / "mine"),
        "./other": str(tmp_path / "other"),
        "/abs/olute": "/abs/olute",
    }.items():
        assert resolve_value("input.encoder", value, tmp_path) == expected
    assert resolve_value("train.seed", 3, tmp_path) == 3
    assert resolve_value("model.kind", "multi", tmp_path) == "multi"


def test_a_file_extends_another(tmp_path):
    write(
        tmp_path / "shared" / "base.toml",
        f'language = "is"\n{WORDS}words = 3\n[train]\nseed = 1\nbatch = 7\n[[data.treebanks]]\npath = "one"\n'
        '[[data.treebanks]]\npath = "two"\n',
    )
    middle = write(tmp_path / "middle.toml", 'extends = "shared/base.toml"\n[train]\nseed = 2\n')
    config = load_config(middle)
    assert (config.language, config.train.seed, config.train.batch) == ("is", 2, 7)
    assert [bank.path for bank in config.data.treebanks] == [
        str(tmp_path / "shared" / name) for name in ("one", "two")
    ]
    top = write(
        tmp_path / "top.toml",
        'extends = "middle.toml"\n[[data.treebanks]]\npath = "three"\n[input]\nkind = "words"\nwords = 0\n',
    )
    config = load_config(top)
    assert [bank.path for bank in config.data.treebanks] == [str(tmp_path / "three")]
    assert (config.input.ngrams, config.input.words) == (5, 0)


def test_another_kind_of_input_replaces_the_input(tmp_path):
    write(tmp_path / "base.toml", f"{WORDS}dropout = 0.5\n")
    top = write(tmp_path / "top.toml", 'extends = "base.toml"\n[input]\nkind = "encoder"\nencoder = "x"\n')
    assert load_config(top).input.dropout == 0.2
    config = load_config(tmp_path / "base.toml", ("input.kind=encoder", "input.encoder=bert"))
    assert config.input.encoder == "bert"


def test_overrides_leave_the_table_alone():
    tree = {"train": {"seed": 1, "batch": 2}}
    assert apply_overrides(tree, {"train.seed": 3}, "x") == {"train": {"seed": 3, "batch": 2}}
    assert tree == {"train": {"seed": 1, "batch": 2}}


def test_every_recipe_is_valid(pytestconfig):
    recipes = sorted((pytestconfig.rootpath / "recipes").glob("*.toml"))
    assert recipes
    for recipe in recipes:
        load_config(recipe)
