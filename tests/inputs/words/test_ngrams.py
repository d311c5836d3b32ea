"""Hashed n-grams against floret's own, and against the definition written out in loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nccp.inputs.words.ngrams import NGrams, Runs, Table, hash_ngrams

WORDS = [
    "where",
    "a",
    "",
    "naïve",
    "日本語を",
    "😀x",
    "<>",
    "</s",
    "é" * 12,
    "x" * 40,
    "a b",
    "\u2028",
    "1.5",
]


def fnv1a(data: bytes) -> int:
    h = 2166136261
    for byte in data:
        h ^= byte if byte < 128 else byte | 0xFFFFFF00  # fastText's char is signed
        h = h * 16777619 % 2**32
    return h


def slow_ngrams(word: str, minn: int, maxn: int, buckets: int) -> list[int]:
    """fastText's computeSubwords, character by character."""
    if word == "</s>":
        return []
    text = f"<{word}>"
    return [
        fnv1a(text[i : i + n].encode("utf-8", "surrogatepass")) % buckets
        for i in range(len(text))
        for n in range(max(minn, 1), maxn + 1)
        if i + n <= len(text) and not (n == 1 and (i == 0 or i == len(text) - 1))
    ]


def as_lists(runs: Runs) -> list[list[int]]:
    return [runs.ids[a:b].tolist() for a, b in zip(runs.offsets[:-1], runs.offsets[1:])]


@pytest.mark.parametrize(("minn", "maxn"), [(3, 6), (1, 4), (2, 2), (5, 5), (1, 1)])
def test_agrees_with_floret(tmp_path: Path, minn: int, maxn: int) -> None:
    floret: Any = pytest.importorskip("floret")
    (tmp_path / "text").write_text("known other\n" * 5)
    model = floret.train_unsupervised(
        str(tmp_path / "text"),
        dim=2,
        bucket=997,
        minn=minn,
        maxn=maxn,
        minCount=1,
        epoch=1,
        thread=1,
        verbose=0,
    )
    ours = as_lists(hash_ngrams(WORDS, minn, maxn, 997))
    theirs = [(model.get_subwords(word)[1] - len(model.words)).tolist() for word in WORDS]
    assert ours == theirs


@settings(deadline=None)
@given(
    st.lists(st.text(max_size=12) | st.sampled_from([*WORDS, "</s>", "\ud800"]), max_size=8),
    st.integers(0, 4),
    st.integers(0, 6),
    st.integers(1, 5000),
)
def test_agrees_with_the_definition(words: list[str], minn: int, maxn: int, buckets: int) -> None:
    expected = [slow_ngrams(word, minn, maxn, buckets) for word in words]
    assert as_lists(hash_ngrams(words, minn, maxn, buckets)) == expected


def test_longer_lists_are_hashed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = as_lists(hash_ngrams(WORDS, 2, 4, 100))
    monkeypatch.setattr("nccp.inputs.words.ngrams._WORDS_AT_ONCE", 3)
    assert as_lists(hash_ngrams(WORDS, 2, 4, 100)) == whole


def test_taking_runs() -> None:
    runs = Runs(np.array([5, 6, 7, 8], np.int32), np.array([0, 2, 2, 4]))
    assert as_lists(runs.take(np.array([2, 1, 0, 2]))) == [[7, 8], [], [5, 6], [7, 8]]
    assert as_lists(runs.take(np.array([], np.int64))) == []


def test_sums_of_runs_empty_ones_too() -> None:
    table = Table(np.arange(8, dtype=np.float32).reshape(4, 2))
    runs = Runs(np.array([0, 3, 3], np.int32), np.array([0, 0, 2, 2, 3, 3]))
    assert table.sums(runs).tolist() == [[0, 0], [6, 8], [0, 0], [6, 7], [0, 0]]


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 0), ("float16", 2e-3), ("int8", 2e-2)])
def test_stored_types(dtype: str, tolerance: float) -> None:
    values = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
    values[2] = 0
    table = Table(values).cast(dtype)
    assert table.values.dtype == dtype
    assert np.abs(table.take(np.arange(5)) - values).max() <= tolerance
    assert np.array_equal(table.pick(np.array([3, 1])).take(np.array([0])), table.take(np.array([3])))
    assert np.array_equal(table.cast("float32").values, table.take(np.arange(5)))


def test_the_runs_of_a_table() -> None:
    ngrams = NGrams(Table(np.zeros((11, 2), np.float32)), 3, 4)
    assert as_lists(ngrams.runs(["cat"])) == [slow_ngrams("cat", 3, 4, 11)]
