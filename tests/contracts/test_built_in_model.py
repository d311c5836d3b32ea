"""The models of the package and of the model packages are complete and score what their cards say."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

import pytest

import nccp
from nccp.evaluation import evaluate
from nccp.runtime import Bundle
from nccp.runtime.catalogue import CATALOGUE
from nccp.runtime.models import BUILT_IN
from nccp.treebanks import Cleaning, open_treebank

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SHIPPED = [model for model in nccp.list_models() if model.built_in or model.package]
PACKAGES = sorted((Path(__file__).parents[2] / "models").iterdir())


def test_the_default_model_parses():
    result = nccp.load().parse("The quick brown fox jumps over the lazy dog.")
    assert result.tree.leaves() == [
        "The",
        "quick",
        "brown",
        "fox",
        "jumps",
        "over",
        "the",
        "lazy",
        "dog",
        ".",
    ]
    assert result.brackets().startswith("(S (NP (DT The) (JJ quick) (JJ brown) (NN fox)) (VP (VBZ jumps)")


def test_shipped_models_are_whole():
    """Those of the model packages have to be installed: pip install ./models/*."""
    models = [model for model in nccp.list_models(verify=True) if model.built_in or model.package]
    assert [model.name for model in models] == [
        "en",
        "en-fast",
        "en-multi",
        "en-small",
        "en-static",
        "id",
        "is",
        "ja",
        "ja-multi",
        "zh",
    ]
    assert [model.name for model in models if model.built_in] == ["en", "en-fast"]
    assert not any(model.error for model in models)
    assert all(model.licence for model in models)
    assert all(model.scores["f1"] > (72 if model.name == "zh" else 80) for model in models)


def bundles(package: Path) -> dict[str, Path]:
    return {path.parent.name: path.parent for path in package.glob("src/nccp_model_*/*/bundle.json")}


def test_the_catalogue_lists_what_the_packages_hold():
    held = {
        (name, manifest.language, manifest.licence, package.name)
        for package in PACKAGES
        for name, path in bundles(package).items()
        for manifest in [Bundle.load(path).manifest]
    }
    assert held == {(offer.name, offer.language, offer.licence, offer.package) for offer in CATALOGUE}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_names_its_models(package):
    about = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
    module = f"nccp_model_{package.name.replace('-', '_')}"
    assert about["project"]["name"] == f"nccp-model-{package.name}"
    assert about["project"]["entry-points"] == {"nccp_models": dict.fromkeys(bundles(package), module)}
    assert set(about["tool"]["setuptools"]["package-data"][module]) == {
        f"{name}/*" for name in bundles(package)
    }


@pytest.mark.parametrize("folder", [BUILT_IN, *PACKAGES], ids=lambda folder: folder.name)
def test_wheels_stay_under_100_mb(folder):
    files = [file for path in folder.rglob("bundle.json") for file in path.parent.iterdir()]
    assert files
    assert sum(len(zlib.compress(file.read_bytes(), level=1)) for file in files) < 98e6  # the rest is source


@pytest.mark.parametrize("model", SHIPPED, ids=lambda model: model.name)
def test_the_published_score_comes_out(model, treebanks):
    result = min(Bundle.load(model.path).manifest.results, key=lambda result: result.sentences)
    parser = nccp.load(model.name)
    bank = open_treebank(treebanks / result.treebank)
    golds = [entry.tree for entry in bank.read(result.split, cleaning=Cleaning(flatten=parser.flat))]
    done = evaluate(parser, golds)
    assert (len(golds), done.fallbacks) == (result.sentences, result.fallbacks)
    assert done.score.f1 == pytest.approx(result.f1, abs=0.05)


def test_zh_reads_both_scripts_alike():
    parse = nccp.load("zh").parse
    traditional = parse(["媽媽", "買", "了", "一", "條", "魚"]).brackets()
    simplified = parse(["妈妈", "买", "了", "一", "条", "鱼"]).brackets()
    assert simplified == traditional.translate(str.maketrans("媽買條魚", "妈买条鱼"))
