"""Word vectors as the network's input: from a file, learned, or from letters, each part optional."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from nccp.errors import BundleError, InputError
from nccp.inputs.lookup import Floats, Words
from nccp.inputs.spelling import plain_word
from nccp.inputs.words.ngrams import Table, hash_ngrams
from nccp.inputs.words.table import MAX_NGRAM, MIN_NGRAM
from nccp.inputs.words.vectors import Vectors

_MANY = 50_000  # words remembered: 80 MB at 400 dimensions
_TABLES = ("shift", "words", "ngrams")


class WordInput:
    """An `Input` that gives every word what ``nccp.inputs.words.torch_module.WordInput`` gives it.

    A word's vector is made when it is first met, and remembered.
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
        """``shift`` (added to vectors) and ``words``: row 0 for unknown words, then one for each learned."""
        self.learned, self.vectors = list(learned), vectors
        self.shift, self.words, self.ngrams = shift, words, ngrams
        self.size = sum(part.dim for part in (vectors, words, ngrams) if part is not None)
        self._rows = {word: row for row, word in enumerate(self.learned, start=1)}
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known = np.zeros((1024, self.size), np.float32)

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        words = [word for sentence in sentences for word in sentence]
        with self._lock:
            new = [word for word in dict.fromkeys(words) if word not in self._numbers]
            if new:
                if len(self._numbers) + len(new) > _MANY:
                    self._forget()
                    new = list(dict.fromkeys(words))
                self._learn(new)
            rows = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
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
        words = [plain_word(word) for word in words]
        rows = np.array([self._rows.get(word, 0) for word in words], np.int64)
        parts = []
        if self.vectors is not None:
            vectors = self.vectors.lookup(words)
            parts.append(vectors if self.shift is None else vectors + self.shift.take(rows))
        if self.words is not None:
            parts.append(self.words.take(rows))
        if self.ngrams is not None:
            runs = hash_ngrams(words, MIN_NGRAM, MAX_NGRAM, len(self.ngrams))
            parts.append(self.ngrams.sums(runs) / np.maximum(runs.counts, 1)[:, None])
        return np.concatenate(parts, 1, dtype=np.float32)

    def bounds(self) -> Floats:
        """The largest size that each number of a word's vector can have, (size,)."""
        parts = []
        if self.vectors is not None:
            grams = self.vectors.ngrams
            tables = [self.vectors.table, *([grams.table] if grams is not None else [])]
            part = np.max([_largest(table) for table in tables], axis=0)
            parts.append(part if self.shift is None else part + _largest(self.shift))
        parts += [_largest(table) for table in (self.words, self.ngrams) if table is not None]
        bounds = np.concatenate(parts, dtype=np.float32)
        bounds[bounds == 0] = 1
        return bounds

    def cast(self, dtype: str, max_rows: int | None = None) -> WordInput:
        """The same words in less room; see `Vectors.compact`."""
        tables = {name: table and table.cast(dtype) for name, table in self._tables().items()}
        vectors = self.vectors and self.vectors.compact(dtype, max_rows)
        return WordInput(learned=self.learned, vectors=vectors, **tables)

    def _tables(self) -> dict[str, Table | None]:
        return {name: getattr(self, name) for name in _TABLES}

    def save(self, words: Path, tables: Path, vectors: Path) -> None:
        """Write the files of a bundle that there is something for."""
        arrays = {}
        for name, table in self._tables().items():
            if table is not None:
                arrays[name] = np.ascontiguousarray(table.values)
                if table.scales is not None:
                    arrays[f"{name}_scales"] = np.ascontiguousarray(table.scales)
        if arrays:
            tables.write_bytes(save(arrays))
        if self.learned:
            words.write_bytes(msgspec.json.encode(self.learned))
        if self.vectors is not None:
            self.vectors.save(vectors)

    @classmethod
    def load(cls, words: Path, tables: Path, vectors: Path) -> WordInput:
        """What `save` wrote; the files that are missing belong to parts that the model has not."""
        try:
            arrays = load_file(tables) if tables.exists() else {}
        except (SafetensorError, OSError, KeyError) as error:
            raise BundleError(f"{tables}: damaged: {error}") from None
        try:
            learned = msgspec.json.decode(words.read_bytes(), type=list[str]) if words.exists() else []
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BundleError(f"{words}: damaged: {error}") from None
        try:
            loaded = Vectors.load(vectors) if vectors.exists() else None
        except InputError as error:
            raise BundleError(str(error)) from None
        names = [name for name in _TABLES if name in arrays]
        parts = {name: Table(arrays[name], arrays.get(f"{name}_scales")) for name in names}
        for name in ("shift", "words"):
            if name in parts and len(parts[name]) != len(learned) + 1:
                raise BundleError(f"{tables}: {len(parts[name])} rows of {name} for {len(learned)} words")
        if not parts and loaded is None:
            raise BundleError(f"{tables}: not there, and no vectors either: the bundle is not complete")
        return cls(learned=learned, vectors=loaded, **parts)


def _largest(table: Table) -> Floats:
    """Of each column, (dim,)."""
    largest = np.zeros(table.dim, np.float32)
    for start in range(0, len(table), 8192):
        rows = table.take(np.arange(start, min(start + 8192, len(table))))
        largest = np.maximum(largest, np.abs(rows).max(0))
    return largest
