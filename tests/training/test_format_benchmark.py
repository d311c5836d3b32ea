"""Both training formats are measured: the same words, more memory and time by length."""

from __future__ import annotations

import numpy as np
import pytest

from nccp.errors import InputError
from nccp.training.corpus import read_corpus
from nccp.training.format_benchmark import (
    benchmark_format,
    benchmark_formats,
    longest_sentences,
    make_sentence,
)
from tests.training.grammar import small_config, write_treebank

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    treebank = write_treebank(tmp_path_factory.mktemp("trees") / "bank")
    return small_config(treebank, train={"batch": 8, "threads": 1})


@pytest.mark.parametrize("form", ["stratified", "triangular"])
def test_one_format(config, form, monkeypatch):
    monkeypatch.setattr("nccp.training.format_benchmark.LENGTHS", (5, 10))
    found = benchmark_format(config, form, batches=3)
    assert (found["format"], found["batches"]) == (form, 3)
    assert found["epoch_seconds"] >= found["seconds"] > 0
    assert sum(part["batches"] for part in found["by_length"]) == 3
    assert found["peak_memory"] >= found["base_memory"] > 0
    longest = longest_sentences(config, form, memory=1 << 50)
    assert (longest["words"], len(longest["tried"])) == (10, 2)
    little = longest_sentences(config, form, memory=1)
    assert (little["words"], len(little["tried"])) == (0, 1)


def test_sentences_of_a_length(config):
    corpus = read_corpus(config.data)
    rng = np.random.default_rng(1)
    for length in (1, 2, 17, 60):
        made = make_sentence(corpus, length, rng)
        assert len(made) == length
        assert (made.labels >= 0).all()


def test_each_format_has_a_process_of_its_own(config):
    (found,) = benchmark_formats(config, ["triangular"], batches=1, memory=1)
    assert found["format"] == "triangular"
    assert found["longest"]["words"] == 0
    with pytest.raises(InputError, match="no training format 'square'"):
        benchmark_formats(config, ["square"])
