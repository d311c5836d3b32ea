"""Look-up, pruning and compacting of word vectors."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nccp.errors import ConfigError, InputError
from nccp.inputs.words.ngrams import NGrams, Table, hash_ngrams
from nccp.inputs.words.vectors import Vectors, WordIndex


def table(rows: int, dim: int = 4, seed: int = 0) -> Table:
    return Table(np.random.default_rng(seed).normal(size=(rows, dim)).astype(np.float32))


def plain(*words: str) -> Vectors:
    return Vectors.from_words(words, table(len(words)))


def with_ngrams(*words: str, mixed: bool = False) -> Vectors:
    return Vectors.from_words(words, table(len(words)), NGrams(table(20, seed=1), 3, 5), mixed=mixed)


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=6)), st.text(max_size=6))
def test_the_index_finds_what_is_there_and_nothing_else(words: list[str], other: str) -> None:
    index, places = WordIndex.build([word.encode("utf-8", "surrogatepass") for word in words])
    assert len(index) == len(places) == len(set(words) - {""})
    for word in {*words, other}:
        number = index.find(word)
        assert number == -1 if not word or word not in words else places[number] == words.index(word)


def test_an_index_can_be_pickled() -> None:
    index, _ = WordIndex.build([b"b", b"a"])
    assert list(pickle.loads(pickle.dumps(index))) == ["a", "b"]


def test_a_word_with_a_line_break_is_refused() -> None:
    with pytest.raises(InputError, match="line break"):
        plain("a\nb")


def test_known_words_have_their_rows() -> None:
    vectors = plain("the", "cat", "犬", "the")
    assert len(vectors) == 3
    assert vectors.words == ["cat", "the", "犬"]
    assert "犬" in vectors
    assert "dog" not in vectors
    assert 1 not in vectors
    found = vectors.lookup(["犬", "the", "犬"])
    assert found.dtype == np.float32
    assert np.array_equal(found, vectors.table.values[[2, 0, 2]])


def test_no_words_at_all() -> None:
    assert plain("the").lookup([]).shape == (0, 4)
    assert plain().lookup(["a"]).tolist() == [[0, 0, 0, 0]]
    assert plain().words == []


def test_words_may_share_a_row() -> None:
    index, _ = WordIndex.build([b"cat", b"dog", b"pet"])
    vectors = Vectors(index, np.array([1, 1, 0]), table(2))
    a, b, c = vectors.lookup(["cat", "dog", "pet"])
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("The", "the"),
        ("nasa", "NASA"),
        ("PARIS", "Paris"),
        ("1987", "0000"),
        ("１９", "00"),
        ("MID-1987", "mid-0000"),
        ("7th", "#th"),
        ("o'neil", "O'Neil"),
    ],
)
def test_without_ngrams_a_variant_stands_in(word: str, known: str) -> None:
    vectors = plain("the", "NASA", "Paris", "0000", "00", "mid-0000", "#th", "O'Neil")
    assert np.array_equal(vectors.lookup([word]), vectors.lookup([known]))


def test_without_anything_zeros() -> None:
    assert not plain("the").lookup(["zebra", "", "\ud800"]).any()


def test_an_unknown_word_is_the_mean_of_its_ngrams() -> None:
    vectors = with_ngrams("the")
    assert vectors.ngrams is not None
    ids = hash_ngrams(["zebra"], 3, 5, 20).ids
    np.testing.assert_allclose(
        vectors.lookup(["zebra"])[0], vectors.ngrams.table.values[ids].mean(0), atol=1e-6
    )
    assert np.array_equal(vectors.lookup(["the"])[0], vectors.table.values[0])


def test_a_table_without_case() -> None:
    words = ["the", "NASA", "zebra", "ZeBra", "The", "nasa", "Nasa"]
    vectors = Vectors.from_words(["the", "NASA"], table(2), NGrams(table(20, seed=1), 3, 5, lower=True))
    found = vectors.lookup(words)
    assert np.array_equal(found[[0, 1, 2, 1]], found[[4, 5, 3, 6]])
    pruned = vectors.prune(["The"])
    assert pruned.words == ["the"]
    assert np.array_equal(pruned.lookup(["The", "zebra"]), found[[0, 2]])


def test_a_known_word_is_mixed_with_its_ngrams_in_fasttext() -> None:
    vectors = with_ngrams("zebra", "</s>", mixed=True)
    assert vectors.ngrams is not None
    ids = hash_ngrams(["zebra"], 3, 5, 20).ids
    parts = np.concatenate([vectors.table.values[:1], vectors.ngrams.table.values[ids]])
    np.testing.assert_allclose(vectors.lookup(["zebra"])[0], parts.mean(0), atol=1e-6)
    assert np.array_equal(vectors.lookup(["</s>"])[0], vectors.table.values[1])


def test_too_short_for_an_ngram_then_a_variant() -> None:
    vectors = Vectors.from_words(["ab"], table(1), NGrams(table(20), 6, 6))
    assert np.array_equal(vectors.lookup(["AB"]), vectors.lookup(["ab"]))


@pytest.mark.parametrize("mixed", [False, True])
def test_a_word_never_depends_on_the_others(mixed: bool) -> None:
    vectors = with_ngrams("the", "cat", mixed=mixed)
    words = [f"word{i}" for i in range(600)] + ["the", "cat", ""]
    together = vectors.lookup(words)
    assert np.array_equal(together, np.concatenate([vectors.lookup([word]) for word in words]))


def test_pruning_changes_no_vector_of_the_words_asked_for() -> None:
    vectors = plain("the", "cat", "dog", "Paris")
    pruned = vectors.prune(["PARIS", "cat", "zebra"])
    assert pruned.words == ["Paris", "cat"]
    assert len(pruned.table) == 2
    words = ["PARIS", "cat", "zebra"]
    assert np.array_equal(pruned.lookup(words), vectors.lookup(words))
    sub = with_ngrams("the", "cat", mixed=True)
    assert np.array_equal(sub.prune(["cat"]).lookup(["cat", "x"]), sub.lookup(["cat", "x"]))
    assert sub.prune([]).words == []


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-6), ("float16", 2e-3), ("int8", 2e-2)])
@pytest.mark.parametrize("mixed", [False, True])
def test_compacting_keeps_vectors(dtype: str, tolerance: float, mixed: bool) -> None:
    vectors = with_ngrams("the", "cat", "</s>", "the", mixed=mixed)
    compact = vectors.compact(dtype)
    assert not compact.mixed
    assert len(compact.table) == 3
    assert compact.table.values.dtype == dtype
    words = ["the", "cat", "</s>", "zebra"]
    np.testing.assert_allclose(compact.lookup(words), vectors.lookup(words), atol=tolerance)


def test_compacting_makes_equal_rows_one() -> None:
    rows = np.array([[1, 0], [0, 1], [1, 0], [5, 5]], np.float32)
    vectors = Vectors.from_words(["d", "c", "b", "a"], Table(rows)).prune("dcb")
    compact = vectors.compact("float32")
    assert compact.table.values.tolist() == [[1, 0], [0, 1]]
    assert np.array_equal(compact.lookup(["d", "c", "b"]), rows[:3])


def test_compacting_to_fewer_rows_shares_the_nearest() -> None:
    rows = np.array([[1, 0], [0, 1], [2, 0.1], [0.1, 3]], np.float32)
    vectors = Vectors.from_words(["d", "c", "b", "a"], Table(rows)).compact("float32", max_rows=2)
    assert vectors.lookup(["d", "c", "b", "a"]).tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert vectors.table.values.shape == (2, 2)
    with pytest.raises(ConfigError, match="not float64"):
        vectors.compact("float64")


def test_neighbours() -> None:
    rows = np.array([[1, 0], [1, 0.1], [0, 1], [0, 0]], np.float32)
    index, _ = WordIndex.build([b"cat", b"cats", b"dog", b"tax", b"zero"])
    vectors = Vectors(index, np.array([0, 0, 1, 2, 3]), Table(rows))
    near = vectors.nearest("cat", 3)
    assert [n.words for n in near] == [("cats",), ("dog",), ("tax",)]
    assert near[0].similarity == pytest.approx(1)
    assert near[2].similarity == pytest.approx(0)


def test_parts_that_do_not_fit_are_refused() -> None:
    index, _ = WordIndex.build([b"a", b"b"])
    with pytest.raises(InputError, match="2 words, 1 row"):
        Vectors(index, np.array([0]), table(2))
    with pytest.raises(InputError, match="2 rows"):
        Vectors(index, np.array([0, 2]), table(2))
    with pytest.raises(InputError, match="dimensions"):
        Vectors(index, np.array([0, 1]), table(2), NGrams(table(3, dim=5), 3, 6))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
def test_saved_and_loaded(tmp_path: Path, dtype: str) -> None:
    vectors = with_ngrams("the", "cat", "犬").compact(dtype)
    vectors.save(tmp_path / "v")
    loaded = Vectors.load(tmp_path / "v")
    words = ["the", "犬", "unseen"]
    assert np.array_equal(loaded.lookup(words), vectors.lookup(words))
    assert loaded.words == vectors.words
    assert (tmp_path / "v").stat().st_size - vectors.nbytes < 1000
    assert repr(loaded) == "<Vectors: 3 words, 3 rows of 4, 20 n-gram rows>"


def test_an_affine_map_moves_every_vector_but_the_unknown():
    vectors = Vectors.from_words(["a", "b"], Table(np.array([[1, 2], [3, 6]], np.float32)))
    moved = vectors.affine(np.array([2, 4], np.float32), 0.5)
    assert moved.lookup(["a", "b", "zzz"]).tolist() == [[-0.5, -1.0], [0.5, 1.0], [0.0, 0.0]]
    assert vectors.lookup(["a"]).tolist() == [[1, 2]]
