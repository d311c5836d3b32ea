"""Training of word vectors with fastText, and of n-gram vectors for a table that has none."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from nccp.errors import ConfigError, InputError, TrainingError, need
from nccp.inputs.words.ngrams import Floats, NGrams, Runs, Table, hash_ngrams
from nccp.inputs.words.vectors import Vectors

BUCKETS = 50_000
"""Rows for n-grams: 15 MB at 300 dimensions in int8. fastText's default of 2,000,000 takes 2.4 GB."""


def train_vectors(
    sentences: str | Path | Iterable[Sequence[str]],
    out: str | Path | None = None,
    *,
    model: str = "cbow",
    dim: int = 300,
    epochs: int = 50,
    min_count: int = 5,
    buckets: int = BUCKETS,
    minn: int = 3,
    maxn: int = 6,
    threads: int = 1,
    seed: int = 0,
    dtype: str = "float16",
    verbose: bool = False,
) -> Vectors:
    """Train fastText as the paper does and save it, compact, as ``out``.

    ``sentences`` is a text file with one tokenised sentence per line, or lists of words. All other options of
    fastText keep their defaults. With one thread the result is repeatable; several are faster.
    """
    if model not in ("cbow", "skipgram"):
        raise ConfigError(f"unknown model {model!r}; expected cbow or skipgram")
    floret = need("floret", "train", "nccp vectors train")
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(sentences, (str, Path)):
            text = Path(sentences)
            if not text.is_file():
                raise InputError(f"{text}: no such file")
        else:
            text = Path(folder, "text")
            with text.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
                file.writelines(" ".join(words) + "\n" for words in sentences)
        defaults = floret.floret.unsupervised_default
        before = dict(defaults)
        defaults["seed"] = seed  # floret's function takes every option but this one
        try:
            trained = floret.train_unsupervised(
                str(text), model=model, dim=dim, epoch=epochs, minCount=min_count, bucket=buckets,
                minn=minn, maxn=maxn, thread=threads, mode="fasttext", verbose=2 if verbose else 0,
            )  # fmt: skip
        except (ValueError, RuntimeError) as error:
            if "vocabulary" in str(error):
                name = sentences if isinstance(sentences, (str, Path)) else "the text"
                raise InputError(f"{name}: no word occurs {min_count} times; lower --min-count") from None
            raise TrainingError(f"fastText: {error}; a lower --dim or fewer --threads may help") from None
        finally:
            defaults.update(before)
    words = trained.get_words(on_unicode_error="replace")
    matrix = trained.get_input_matrix()
    ngrams = NGrams(Table(matrix[len(words) :]), minn, maxn) if len(matrix) > len(words) else None
    vectors = Vectors.from_words(words, Table(matrix[: len(words)]), ngrams, mixed=True).compact(dtype)
    if out is not None:
        vectors.save(out)
    return vectors


@dataclass(frozen=True)
class Fit:
    """Vectors with fitted n-grams, and how well the n-grams do on held-out words."""

    vectors: Vectors
    cosine: float
    """Mean cosine similarity of vector and n-gram mean over the words held out."""
    held_out: int
    words: int


def fit_ngrams(
    vectors: Vectors,
    words: Iterable[str] | Mapping[str, float] | None = None,
    *,
    buckets: int = BUCKETS,
    minn: int = 2,
    maxn: int = 4,
    lower: bool | None = None,
    epochs: int = 2,
    batch: int = 128,
    lr: float = 0.2,
    held_out: float = 0.01,
    dtype: str = "float16",
    seed: int = 0,
    progress: bool = True,
) -> Fit:
    """Learn n-gram rows whose mean approximates the word's vector, for tables without n-grams (.vec, .npz).

    Bag-of-sub-words regression (Zhao, Mudgal and Liang, 2018): squared error, here by Adagrad with one rate
    for each row, going down to nothing. Learned from ``words`` that the table knows, by default from all;
    a mapping gives their frequencies, and a word counts by the logarithm of its own. The sizes of n-gram
    suit an alphabet; for Japanese and Chinese 1 to 3 is better. ``lower`` makes no difference of case; unset,
    it is so where the table makes none.
    """
    if buckets < 1 or not 1 <= minn <= maxn or epochs < 1 or batch < 1:
        what = f"n-grams of {minn} to {maxn} characters, {buckets} buckets, {epochs} epochs, batch {batch}"
        raise ConfigError(f"cannot fit {what}")
    vectors = vectors.compact(dtype) if vectors.mixed else vectors
    lower = _is_caseless(vectors) if lower is None else lower
    names, rows, weights = _choose(vectors, words, lower)
    if len(names) < 2:
        raise InputError("fewer than two of the words to learn n-grams from have a vector")
    runs = hash_ngrams(names, minn, maxn, buckets)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(names))
    aside, learn = np.split(order, [min(max(1, round(held_out * len(names))), 10_000)])

    # targets of mean squared length 1, so that the rate suits every table
    sample = vectors.table.take(rows[order[:10_000]])
    scale = float(np.sqrt(np.mean(np.sum(sample**2, axis=1)))) or 1.0
    table = np.zeros((buckets, vectors.dim), np.float32)
    squares = np.full(buckets, 1e-12, np.float32)
    steps = epochs * -(-len(learn) // batch)
    done = 0
    with tqdm(total=steps, desc="n-grams", unit=" steps", disable=None if progress else True) as bar:
        for _ in range(epochs):
            rng.shuffle(learn)
            for start in range(0, len(learn), batch):
                items = learn[start : start + batch]
                targets = vectors.table.take(rows[items]) / scale
                _step(table, squares, runs.take(items), targets, weights[items], lr * (1 - done / steps))
                done += 1
                bar.update()
    table *= scale
    fitted = NGrams(Table(table).cast(dtype), minn, maxn, lower)
    cosine = _cosine(fitted.table, runs.take(aside), vectors.table.take(rows[aside]))
    return Fit(Vectors(vectors.index, vectors.rows, vectors.table, fitted), cosine, len(aside), len(learn))


def _is_caseless(vectors: Vectors) -> bool:
    """Whether words have the same vector in any case, or come in lower case only."""
    words = vectors.words
    cased = [word for word in words[:: max(1, len(words) // 20_000)] if word != word.lower()]
    both = [word for word in cased if word.lower() in vectors]
    if not both:
        return not cased
    pairs = zip(vectors.lookup(both), vectors.lookup([word.lower() for word in both]))
    same = [np.dot(a, b) > 0.99 * np.linalg.norm(a) * np.linalg.norm(b) for a, b in pairs]
    return bool(np.mean(same) > 0.9)


def _choose(
    vectors: Vectors, words: Iterable[str] | Mapping[str, float] | None, lower: bool
) -> tuple[list[str], NDArray[Any], Floats]:
    """The words to learn from, their rows and their weights, which are 1 on average."""
    counts: Mapping[str, float]
    if words is None:
        known = list(enumerate(vectors.words))
        counts = {}
    else:
        counts = words if isinstance(words, Mapping) else dict.fromkeys(words, 1.0)
        known = [(vectors.index.find(word), word) for word in counts if word in vectors]
    numbers: dict[str, int] = {}
    totals: dict[str, float] = {}
    for number, word in known:
        name = word.lower() if lower else word
        numbers.setdefault(name, number)
        totals[name] = totals.get(name, 0.0) + counts.get(word, 1.0)
    rows = vectors.rows[np.array(list(numbers.values()), np.int64)]
    weights: Floats = np.ones(len(numbers), np.float32)
    if counts and numbers:
        weights = np.log1p(np.array(list(totals.values()), np.float32))
        weights /= max(float(weights.mean()), 1e-12)
    return list(numbers), rows, weights


def _step(table: Floats, squares: Floats, runs: Runs, targets: Floats, weights: Floats, lr: float) -> None:
    """One step of Adagrad, in place, on the rows of this batch."""
    if not len(runs.ids):
        return
    counts = np.maximum(runs.counts, 1).astype(np.float32)[:, None]  # (W, 1)
    filled = np.flatnonzero(runs.counts)
    error = -targets  # (W, d)
    error[filled] += np.add.reduceat(table[runs.ids], runs.offsets[filled]) / counts[filled]
    share = error * (weights[:, None] / counts)  # (W, d) the gradient of each of a word's n-grams

    order = np.argsort(runs.ids, kind="stable")
    ids = runs.ids[order]
    firsts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
    owners = np.repeat(np.arange(len(runs)), runs.counts)[order]
    gradient = np.add.reduceat(share[owners], firsts)  # (rows met, d)
    met = ids[firsts]
    squares[met] += np.einsum("nd,nd->n", gradient, gradient)
    table[met] -= gradient * (lr / np.sqrt(squares[met]))[:, None]


def _cosine(table: Table, runs: Runs, targets: Floats) -> float:
    means = table.sums(runs)  # the sum points where the mean does
    lengths = np.linalg.norm(means, axis=1) * np.linalg.norm(targets, axis=1)
    return float(np.mean(np.einsum("nd,nd->n", means, targets) / np.where(lengths == 0, np.inf, lengths)))
