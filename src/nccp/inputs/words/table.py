"""What is known of a word before any network sees it: its frozen vector, its learned row, its letters.

Training and parsing ask the same table, so that a word is the same to both. Words are numbered as they
come; the table forgets all of them when it has grown too large, so a stream of any length can pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nccp.inputs.spelling import plain_word
from nccp.inputs.words.ngrams import Runs, hash_ngrams
from nccp.inputs.words.vectors import Vectors

N = TypeVar("N", np.float32, np.int64)

MIN_NGRAM, MAX_NGRAM = 1, 5
_MANY = 500_000


class WordTable:
    """Numbers for words, with an array row for each: vectors (n, dim), learned rows (n,), n-grams."""

    def __init__(self, learned: Iterable[str] = (), vectors: Vectors | None = None, buckets: int = 0) -> None:
        self.learned = {word: row for row, word in enumerate(learned, start=1)}  # plain; row 0: not learned
        self.vectors = vectors
        self.buckets = buckets
        self._forget()

    def _forget(self) -> None:
        dim = self.vectors.dim if self.vectors is not None else 0
        self._numbers: dict[str, int] = {}
        self._vectors: NDArray[np.float32] = np.zeros((0, dim), np.float32)
        self._rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._ngrams = Runs(np.zeros(0, np.int32), np.zeros(1, np.int64))

    def numbers(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The number of each word; valid until the next call."""
        numbers = self._numbers
        new = [word for word in dict.fromkeys(words) if word not in numbers]
        if new:
            if len(numbers) + len(new) > _MANY:
                self._forget()
                numbers, new = self._numbers, list(dict.fromkeys(words))
            self._learn(new)
        return np.fromiter((numbers[word] for word in words), np.int64, len(words))

    def _learn(self, words: list[str]) -> None:
        for word in words:
            self._numbers[word] = len(self._numbers)
        known = len(self._numbers) - len(words)
        words = [plain_word(word) for word in words]
        if self.vectors is not None:
            self._vectors = _put(self._vectors, known, self.vectors.lookup(words))
        self._rows = _put(
            self._rows, known, np.array([self.learned.get(word, 0) for word in words], np.int64)
        )
        if self.buckets:
            runs = hash_ngrams(words, MIN_NGRAM, MAX_NGRAM, self.buckets)
            self._ngrams = Runs(
                np.concatenate((self._ngrams.ids, runs.ids)),
                np.concatenate((self._ngrams.offsets, runs.offsets[1:] + self._ngrams.offsets[-1])),
            )

    def frozen(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """The frozen vectors of numbered words."""
        return self._vectors[numbers]

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The learned rows; 0 where a word has none of its own."""
        return self._rows[numbers]

    def ngrams(self, numbers: NDArray[np.int64]) -> Runs:
        """The n-gram buckets."""
        return self._ngrams.take(numbers)


def _put(array: NDArray[N], known: int, new: NDArray[N]) -> NDArray[N]:
    """``array[:known]`` followed by ``new``, with room to spare so that growing stays cheap."""
    if known + len(new) > len(array):
        grown = np.zeros((2 * (known + len(new)), *array.shape[1:]), array.dtype)
        grown[:known] = array[:known]
        array = grown
    array[known : known + len(new)] = new
    return array
