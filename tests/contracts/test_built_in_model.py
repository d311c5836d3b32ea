"""The model in the package parses at once, and scores what its card says."""

from __future__ import annotations

import pytest

import nccp
from nccp.decoding.evaluate import evaluate
from nccp.treebanks import open_treebank


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
    assert [model.name for model in models] == ["en"]
    assert not any(model.error for model in models)


def test_the_published_score_comes_out(treebanks):
    parser = nccp.load("en")
    score, joined = evaluate(
        parser.engine, [entry.tree for entry in open_treebank(treebanks / "gum").read("dev")]
    )
    (model,) = (model for model in nccp.list_models() if model.name == "en")
    assert score.f1 == pytest.approx(model.scores["f1"], abs=0.05)
    assert joined == 0
