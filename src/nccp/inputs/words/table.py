"""What is known about a word before any network sees it: its vector, its learned row, its character n-grams.

Training and parsing use this one table, so that a word is the same to both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from nccp.inputs.lookup import Floats, Words
from nccp.inputs.spelling import plain_word
from nccp.inputs.words.ngrams import Runs, hash_ngrams
from nccp.inputs.words.vectors import Vectors

MIN_NGRAM, MAX_NGRAM = 1, 5

_LETTERS = 1 << 23  # of all words that are kept in memory


class WordTable:
    """Vectors from a file, rows of learned vectors, and buckets of n-grams; each is optional."""

    def __init__(self, learned: Iterable[str] = (), vectors: Vectors | None = None, buckets: int = 0) -> None:
        """``learned``: the words with a learned vector, in plain spelling; ``buckets``: 0 for no n-grams."""
        self.learned, self.vectors, self.buckets = list(learned), vectors, buckets
        self._rows = {word: row for row, word in enumerate(self.learned, start=1)}

    @property
    def dim(self) -> int:
        """Numbers of a vector from the file; 0 without a file."""
        return self.vectors.dim if self.vectors is not None else 0

    def frozen(self, words: Sequence[str]) -> Floats:
        """The vectors from the file, (N, dim)."""
        if self.vectors is None:
            return np.zeros((len(words), 0), np.float32)
        return self.vectors.lookup([plain_word(word) for word in words])

    def rows(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The rows of the learned vectors, (N,); 0 for a word that has none."""
        return np.array([self._rows.get(plain_word(word), 0) for word in words], np.int64)

    def ngrams(self, words: Sequence[str]) -> Runs:
        """The buckets of each word's n-grams."""
        return hash_ngrams([plain_word(word) for word in words], MIN_NGRAM, MAX_NGRAM, self.buckets)


class WordMemory:
    """Vectors of words, computed when a word is first met and kept for when it comes again.

    When it has grown too large it forgets everything, so that a stream of any length can pass. Threads may
    share it.
    """

    def __init__(self, size: int, compute: Callable[[list[str]], Floats], limit: int) -> None:
        """``compute`` gives the vectors of words, (N, size); at most ``limit`` words are kept."""
        self.size, self.limit, self._compute = size, limit, compute
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._letters = 0
        self._vectors = np.zeros((1024, self.size), np.float32)

    def lookup(self, words: Sequence[str]) -> Words:
        """The vectors of these words."""
        with self._lock:
            new = [word for word in dict.fromkeys(words) if word not in self._numbers]
            if new:
                if len(self._numbers) + len(new) > self.limit or self._letters > _LETTERS:
                    self._forget()
                    new = list(dict.fromkeys(words))
                self._add(new)
            rows = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
            return Words(self._vectors, rows)

    def _add(self, words: list[str]) -> None:
        first = len(self._numbers)
        end = first + len(words)
        if end > len(self._vectors):
            grown = np.zeros((2 * end, self.size), np.float32)
            grown[:first] = self._vectors[:first]
            self._vectors = grown  # whoever holds the old array keeps it
        self._vectors[first:end] = self._compute(words)
        self._numbers.update(zip(words, range(first, end)))
        self._letters += sum(map(len, words))
