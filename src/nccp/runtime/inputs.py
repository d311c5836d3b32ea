"""What a word is to the network, without torch: vectors for the words of a batch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nccp.text.ngrams import Table, hash_ngrams
from nccp.text.vectors import Vectors
from nccp.text.words import MAX_NGRAM, MIN_NGRAM

Floats = NDArray[np.float32]
_MANY = 50_000  # words remembered: 80 MB at 400 dimensions


class Words(NamedTuple):
    """The words of a batch, sentences end to end: word i is ``vectors[rows[i]]``."""

    vectors: Floats  # (M, size)
    rows: NDArray[np.int64]  # (N,)


class Input(Protocol):
    """What BiLSTM_cxt reads."""

    size: int

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        """The vectors of all words; safe to call from several threads."""


class WordInput:
    """Word vectors: up to three parts side by side, as in ``nccp.model.inputs.WordInput``.

    A word's whole vector is made when it is first met, and remembered.
    """

    def __init__(
        self,
        *,
        learned: Sequence[str] = (),
        vectors: Vectors | None = None,
        shift: Table | None = None,
        words: Table | None = None,
        ngrams: Table | None = None,
    ) -> None:
        """``shift`` and ``words`` have a row for each of ``learned``, behind row 0 for all others."""
        self._learned = {word: row for row, word in enumerate(learned, start=1)}
        self._vectors, self._shift, self._words, self._ngrams = vectors, shift, words, ngrams
        self.size = sum(part.dim for part in (vectors, words, ngrams) if part is not None)
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known = np.zeros((1024, self.size), np.float32)

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        words = [word for sentence in sentences for word in sentence]
        with self._lock:
            numbers = self._numbers
            new = [word for word in dict.fromkeys(words) if word not in numbers]
            if new and len(numbers) + len(new) > _MANY:
                self._forget()
                numbers, new = self._numbers, list(dict.fromkeys(words))
            if new:
                self._learn(new)
            rows = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
            return Words(self._known, rows)

    def _learn(self, words: list[str]) -> None:
        first = len(self._numbers)
        end = first + len(words)
        if end > len(self._known):
            grown = np.zeros((2 * end, self.size), np.float32)
            grown[:first] = self._known[:first]
            self._known = grown  # a batch under way keeps the old one
        self._known[first:end] = self.embed(words)
        self._numbers.update(zip(words, range(first, end)))

    def embed(self, words: Sequence[str]) -> Floats:
        """The vectors of words, (len(words), size)."""
        rows = np.array([self._learned.get(word, 0) for word in words], np.int64)
        parts = []
        if self._vectors is not None:
            vectors = self._vectors.lookup(words)
            parts.append(vectors if self._shift is None else vectors + self._shift.take(rows))
        if self._words is not None:
            parts.append(self._words.take(rows))
        if self._ngrams is not None:
            runs = hash_ngrams(words, MIN_NGRAM, MAX_NGRAM, len(self._ngrams))
            parts.append(self._ngrams.sums(runs) / np.maximum(runs.counts, 1)[:, None])
        return np.concatenate(parts, 1, dtype=np.float32)
