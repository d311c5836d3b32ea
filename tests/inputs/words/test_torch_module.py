from __future__ import annotations

import numpy as np
import pytest

from nccp.errors import InputError
from nccp.inputs.words import torch_module
from nccp.inputs.words.config import WordsConfig
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.torch_module import build_module
from nccp.inputs.words.vectors import Vectors


@pytest.fixture
def vectors(tmp_path):
    table = np.array([[1, 2], [3, 4], [5, 9]], np.float32)
    Vectors.from_words(["cat", "dog", "bird"], Table(table)).save(tmp_path / "a.vectors")
    return str(tmp_path / "a.vectors")


def run(module, *sentences):
    return module.eval()(module.features(sentences)).detach().numpy()


def test_a_word_is_the_same_wherever_it_stands(vectors):
    module = build_module(WordsConfig(vectors=vectors, words=3, ngrams=4, buckets=50), ["cat", "the"])
    together = run(module, ["the", "cat"], [], ["cat", "zebra"])
    assert together.shape == (4, 9)
    np.testing.assert_array_equal(together[1], together[2])
    np.testing.assert_allclose(together[3], run(module, ["zebra"])[0])
    assert not together[3, :5].any()  # unknown: no vector in the file and none learned, but n-grams
    assert together[3, 5:].any()


def test_it_forgets_when_it_knows_too_many_words(vectors, monkeypatch):
    module = build_module(WordsConfig(vectors=vectors, ngrams=4, buckets=50), [])
    expected = [run(module, [f"w{i}", "cat"]) for i in range(30)]
    monkeypatch.setattr(torch_module, "_LIMIT", 5)
    module._known.clear()
    for i, found in enumerate(expected):
        np.testing.assert_array_equal(run(module, [f"w{i}", "cat"]), found)
        assert len(module._known) <= 5


def test_no_words_at_all(vectors):
    module = build_module(WordsConfig(vectors=vectors, words=3, ngrams=4, buckets=50), ["cat"])
    assert run(module).shape == (0, 9)


def test_standardised_vectors_of_the_training_words(vectors):
    config = WordsConfig(vectors=vectors, standardise=True)
    found = run(build_module(config, ["cat", "bird"]), ["cat", "bird"])
    np.testing.assert_allclose(found.mean(0), 0, atol=1e-6)
    assert found.std() == pytest.approx(1)
    with pytest.raises(InputError, match=r"no vector for any training word \(input\.vectors\)"):
        build_module(config, ["none", "of", "these"])


def test_tuning_starts_from_the_file(vectors):
    frozen = run(build_module(WordsConfig(vectors=vectors), ["cat"]), ["cat", "dog"])
    tuned = build_module(WordsConfig(vectors=vectors, tune=True), ["cat"])
    np.testing.assert_array_equal(run(tuned, ["cat", "dog"]), frozen)
    tuned.shift.weight.data[1] += 1
    np.testing.assert_array_equal(run(tuned, ["cat", "dog"]), frozen + np.array([[1, 1], [0, 0]]))


def test_there_is_no_encoder_to_write(vectors, tmp_path):
    with pytest.raises(InputError, match="no encoder to write"):
        build_module(WordsConfig(vectors=vectors), []).save_encoder(tmp_path)
