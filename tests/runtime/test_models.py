from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import nccp.runtime.models as models
from nccp.errors import BundleError
from nccp.runtime import find_model, list_models, load
from nccp.runtime.catalogue import CATALOGUE, commercial_use
from nccp.runtime.models import not_installed
from tests.bundles import write_bundle


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return write_bundle(tmp_path_factory.mktemp("bundles") / "tiny", name="A tiny model")


@pytest.fixture
def folders(original, tmp_path, monkeypatch):
    """The places where models may be, all empty: three folders, and no model package installed."""
    for name in ("mine", "data/nccp/models", "built-in"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("NCCP_MODELS", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(models, "BUILT_IN", tmp_path / "built-in")
    monkeypatch.setattr(models, "ENTRY_POINTS", "nccp_models_of_test")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(original: Path, *places: Path) -> None:
    for place in places:
        place.symlink_to(original)


def test_the_first_place_counts(folders, original):
    with pytest.raises(BundleError, match="no model 'en': installed models: none"):
        find_model("en")
    for place in ("built-in", "data/nccp/models", "mine"):
        put(original, folders / place / "en")
        assert find_model("en") == folders / place / "en"
    assert [(model.name, model.built_in) for model in list_models()] == [("en", False)]
    put(original, folders / "built-in" / "ja")
    assert [(model.name, model.built_in) for model in list_models()] == [("en", False), ("ja", True)]


def install(folders: Path, original: Path, name: str, *models: str, version: str = "1.0") -> Path:
    """What pip leaves behind of a model package: its folder, and its dist-info beside it."""
    site, module = folders / "site", name.replace("-", "_")
    about = site / f"{module}-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = "".join(f"{model} = {module}\n" for model in models)
    (about / "entry_points.txt").write_text(f"[nccp_models_of_test]\n{lines}")
    (site / module).mkdir()
    (site / module / "__init__.py").write_text("raise SystemExit('listing models must not run their code')")
    put(original, *(site / module / model for model in models))
    importlib.invalidate_caches()
    return site / module


def test_a_model_package_is_found(folders, original):
    home = install(folders, original, "nccp-model-of-test", "ja", "ja-multi")
    assert [(m.name, m.path, m.package, m.built_in) for m in list_models()] == [
        ("ja", home / "ja", "nccp-model-of-test", False),
        ("ja-multi", home / "ja-multi", "nccp-model-of-test", False),
    ]
    assert find_model("ja-multi") == home / "ja-multi"
    assert load("ja").parse("The cat sat.").tree.leaves() == ["The", "cat", "sat", "."]
    assert not_installed() == [offer for offer in CATALOGUE if offer.package != "ja"]
    put(original, folders / "mine" / "ja")
    assert find_model("ja") == folders / "mine" / "ja"
    assert [m.package for m in list_models()] == ["", "nccp-model-of-test"]


def test_a_model_package_without_its_files(folders, original):
    home = install(folders, original, "nccp-model-of-test", "ja")
    (home / "ja").unlink()
    (model,) = list_models()
    assert (model.name, model.package) == ("ja", "nccp-model-of-test")
    assert "there is no model bundle here" in model.error
    (home / "__init__.py").unlink()
    home.rmdir()
    importlib.invalidate_caches()
    assert list_models() == []


def test_a_model_that_could_be_installed(folders):
    with pytest.raises(BundleError, match=r"'ja-multi' is not installed.*: pip install ./models/ja "):
        load("ja-multi")
    with pytest.raises(BundleError, match=r"no model 'ja-mult': did you mean ja-multi\?"):
        load("ja-mult")
    assert not_installed() == list(CATALOGUE)


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("CC BY 4.0", True),
        ("CC BY-SA 4.0", True),
        ("CC0", True),
        ("Apache-2.0", True),
        ("CC BY-NC-SA 4.0 (as GUM's most restrictive texts)", False),
        ("for non-commercial research", False),
        ("my own", None),
        ("", None),
    ],
)
def test_commercial_use(licence, allowed):
    assert commercial_use(licence) is allowed


def test_names_and_paths(folders, original):
    put(original, folders / "built-in" / "en", folders / "en", folders / "other")
    assert find_model("en") == folders / "built-in" / "en"
    assert find_model("./en") == Path("en")
    assert find_model(Path("en")) == Path("en")
    assert find_model("other") == Path("other")
    for missing in ("./xx", Path("xx")):
        with pytest.raises(BundleError, match="xx: there is no model bundle here"):
            load(missing)
    with pytest.raises(BundleError, match=r"no model 'een': did you mean en\?"):
        load("een")
    with pytest.raises(BundleError, match="no model '': installed models: en"):  # not the current folder
        find_model("")
    with pytest.raises(BundleError, match="no model 'klingon': installed models: en "):
        load("klingon")


def test_load(folders, original):
    put(original, folders / "built-in" / "en")
    parser = load(threads=1)
    assert (parser.name, parser.language, parser.threads) == ("A tiny model", "en", 1)
    assert load("en").threads >= 1
    assert parser.parse("The cat sat.").tree.leaves() == ["The", "cat", "sat", "."]


def test_what_a_model_says_of_itself(folders, original):
    put(original, folders / "mine" / "en")
    (model,) = list_models(verify=True)
    assert (model.language, model.licence, model.precision, model.error) == ("en", "CC0", "float32", None)
    assert model.size > 1000
    assert model.scores["sentences"] > 0
    assert model.to_dict()["path"] == str(folders / "mine" / "en")


def test_a_damaged_model_is_listed_with_its_error(folders):
    path = write_bundle(folders / "mine" / "en")
    words = (path / "tables.safetensors").read_bytes()
    (path / "tables.safetensors").write_bytes(words[:-1] + b"?")
    (folders / "mine" / "notes.txt").touch()
    (folders / "mine" / "empty").mkdir()
    assert list_models()[0].error is None
    (model,) = list_models(verify=True)
    assert "tables.safetensors: damaged" in model.error
    (path / "bundle.json").write_text("{")
    assert "bundle.json" in list_models()[0].error


def test_without_torch(original):
    code = """
import sys
sys.modules["torch"] = sys.modules["onnx"] = sys.modules["transformers"] = None  # importing them fails
import nccp
print(nccp.load(sys.argv[1]).parse("The cat sat.").brackets())
"""
    done = subprocess.run([sys.executable, "-c", code, original], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "The" in done.stdout
