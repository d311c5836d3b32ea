"""The models in the package parse at once, and score what their cards say."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

import nccp
from nccp.decoding.evaluate import evaluate
from nccp.runtime import Bundle
from nccp.treebanks import Cleaning, open_treebank

BUILT_IN = [model for model in nccp.list_models() if model.built_in]


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


def test_built_in_models_are_whole():
    models = [model for model in nccp.list_models(verify=True) if model.built_in]
    assert [model.name for model in models] == ["en", "en-fast", "en-multi", "ja", "ja-multi", "zh"]
    assert not any(model.error for model in models)
    assert all(model.licence for model in models)
    assert all(model.scores["f1"] > (72 if model.name == "zh" else 80) for model in models)


def test_the_wheel_stays_under_100_mb():
    files = [file for model in BUILT_IN for file in Path(model.path).iterdir()]
    assert sum(len(zlib.compress(file.read_bytes(), level=1)) for file in files) < 98e6  # the rest is source


@pytest.mark.parametrize("model", BUILT_IN, ids=lambda model: model.name)
def test_the_published_score_comes_out(model, treebanks):
    result = min(Bundle.load(model.path).manifest.results, key=lambda result: result.sentences)
    parser = nccp.load(model.name)
    bank = open_treebank(treebanks / result.treebank)
    golds = [entry.tree for entry in bank.read(result.split, cleaning=Cleaning(flatten=parser.flat))]
    score, joined = evaluate(parser.engine, golds)
    assert (len(golds), joined) == (result.sentences, result.fallbacks)
    assert score.f1 == pytest.approx(result.f1, abs=0.05)


def test_zh_reads_both_scripts_alike():
    parse = nccp.load("zh").parse
    traditional = parse(["媽媽", "買", "了", "一", "條", "魚"]).brackets()
    simplified = parse(["妈妈", "买", "了", "一", "条", "鱼"]).brackets()
    assert simplified == traditional.translate(str.maketrans("媽買條魚", "妈买条鱼"))
