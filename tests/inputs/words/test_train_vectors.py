"""fastText on our own text, and n-grams fitted to a table."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nccp.errors import ConfigError, InputError, MissingExtra
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.train_vectors import fit_ngrams, train_vectors
from nccp.inputs.words.vectors import Vectors

SENTENCES = [["the", "naïve", "cat", "sees", "犬"], ["a", "dog", "sees", "the", "cat"]] * 10
SMALL: dict[str, Any] = {"dim": 5, "epochs": 3, "buckets": 100, "min_count": 1}


def test_trained_vectors_are_those_of_floret(tmp_path: Path) -> None:
    floret: Any = pytest.importorskip("floret")
    text = tmp_path / "text"
    text.write_text("".join(" ".join(words) + "\n" for words in SENTENCES), encoding="utf-8")
    ours = train_vectors(SENTENCES, tmp_path / "out", dtype="float32", **SMALL)
    model = floret.train_unsupervised(
        str(text), model="cbow", dim=5, epoch=3, bucket=100, minCount=1, thread=1, verbose=0
    )
    words = ["the", "犬", "unseen", "</s>"]
    expected = [model.get_word_vector(word) for word in words]
    np.testing.assert_allclose(ours.lookup(words), expected, atol=1e-6)
    np.testing.assert_allclose(
        train_vectors(text, dtype="float32", **SMALL).lookup(words), expected, atol=1e-6
    )
    loaded = Vectors.load(tmp_path / "out")
    assert np.array_equal(loaded.lookup(words), ours.lookup(words))
    assert not loaded.mixed


def test_the_seed_decides(tmp_path: Path) -> None:
    pytest.importorskip("floret")
    one, same, other = (train_vectors(SENTENCES, seed=seed, **SMALL).lookup(["unseen"]) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_vectors_without_ngrams() -> None:
    pytest.importorskip("floret")
    vectors = train_vectors(SENTENCES, maxn=0, **SMALL)
    assert vectors.ngrams is None
    assert "cat" in vectors


def test_texts_that_cannot_be_used(tmp_path: Path) -> None:
    pytest.importorskip("floret")
    with pytest.raises(InputError, match="no word occurs 99 times"):
        train_vectors(SENTENCES, **(SMALL | {"min_count": 99}))
    with pytest.raises(InputError, match="no such file"):
        train_vectors(tmp_path / "none", **SMALL)
    with pytest.raises(ConfigError, match="unknown model 'glove'"):
        train_vectors(SENTENCES, model="glove")


def test_without_floret_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "floret", None)
    with pytest.raises(MissingExtra, match=r"nccp vectors train needs floret: pip install '.*\[train\]'"):
        train_vectors(SENTENCES)


def composed(dim: int = 8) -> Vectors:
    """Words of two halves whose vectors are the sums of those of the halves."""
    rng = np.random.default_rng(0)
    starts = {f"{a}{b}{a}": rng.normal(size=dim) for a, b in product("bdgkmp", "aeiou")}
    ends = {f"{b}{a}{b}": rng.normal(size=dim) for a, b in product("lnrstv", "aeiou")}
    words = [start + end for start, end in product(starts, ends)]
    values = [starts[word[:3]] + ends[word[3:]] for word in words]
    return Vectors.from_words(words, Table(np.array(values, np.float32) * 50))


def test_fitted_ngrams_generalise() -> None:
    table = composed()
    fit = fit_ngrams(table, buckets=2000, epochs=8, held_out=0.1, dtype="float32", progress=False)
    assert fit.cosine > 0.9
    assert fit.held_out == 90
    assert fit.words == 810
    assert np.array_equal(fit.vectors.lookup(table.words), table.lookup(table.words))
    assert fit.vectors.ngrams is not None
    unseen = Vectors.from_words([], Table(table.table.values[:0]), fit.vectors.ngrams)
    error = unseen.lookup(table.words) - table.lookup(table.words)
    assert np.mean(error**2) < 0.2 * np.mean(table.table.values**2)


def test_fitting_is_repeatable_and_takes_words_or_frequencies() -> None:
    table = composed()
    some = table.words[:300]
    options: dict[str, Any] = {"buckets": 500, "progress": False}
    one = fit_ngrams(table, some, **options)
    same = fit_ngrams(table, dict.fromkeys(some, 7.0), **options)
    assert (one.cosine, one.words + one.held_out) == (same.cosine, 300)
    assert fit_ngrams(table, [*some, "unknown"], **options).cosine == one.cosine
    assert fit_ngrams(table, {word: i + 1.0 for i, word in enumerate(some)}, **options).cosine != one.cosine
    assert fit_ngrams(table, some, seed=1, **options).cosine != one.cosine
    assert one.vectors.words == table.words


def test_case_is_ignored_where_the_table_ignores_it() -> None:
    table = composed()
    values = table.lookup(table.words)
    shouted = [word.upper() for word in table.words]
    same = Vectors.from_words(table.words + shouted, Table(np.concatenate([values, values])))
    other = Vectors.from_words(table.words + shouted, Table(np.concatenate([values, -values])))
    only = Vectors.from_words(shouted, Table(values))
    found = [fit_ngrams(v, buckets=500, epochs=1, progress=False) for v in (table, same, other, only)]
    assert [fit.vectors.ngrams and fit.vectors.ngrams.lower for fit in found] == [True, True, False, False]
    assert [fit.words + fit.held_out for fit in found] == [900, 900, 1800, 900]
    asked = fit_ngrams(only, lower=True, buckets=500, epochs=1, progress=False).vectors
    assert np.array_equal(asked.lookup(["unseen"]), asked.lookup(["Unseen"]))


def test_fitting_replaces_the_ngrams_of_a_fasttext_model() -> None:
    pytest.importorskip("floret")
    vectors = train_vectors(SENTENCES, **SMALL)
    fit = fit_ngrams(vectors, buckets=50, dtype="int8", progress=False)
    assert fit.vectors.ngrams is not None
    assert len(fit.vectors.ngrams.table) == 50
    assert np.array_equal(fit.vectors.lookup(["cat"]), vectors.lookup(["cat"]))


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(InputError, match="fewer than two"):
        fit_ngrams(composed(), ["unknown"])
    with pytest.raises(ConfigError, match="n-grams of 4 to 2"):
        fit_ngrams(composed(), minn=4, maxn=2)
