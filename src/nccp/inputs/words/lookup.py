"""Word vectors for parsing: from a file, learned, or from character n-grams, each part optional."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from nccp.errors import BundleError, InputError
from nccp.inputs.lookup import BundleFile, Floats, Words
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.table import WordMemory, WordTable
from nccp.inputs.words.vectors import Vectors

WORDS, TABLES, VECTORS = "words.json", "tables.safetensors", "vectors.safetensors"
"""The files of a bundle: words with a learned vector; learned vectors; vectors from a file."""

_LIMIT = 50_000  # words kept in memory: 80 MB at 400 dimensions
_PARTS = ("shift", "words", "ngrams")

T = TypeVar("T")


class WordLookup:
    """A `Lookup` that gives every word what `WordModule` gives it in training."""

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
        self.table = WordTable(learned, vectors, 0 if ngrams is None else len(ngrams))
        self.shift, self.words, self.ngrams = shift, words, ngrams
        self.size = sum(part.dim for part in (vectors, words, ngrams) if part is not None)
        self._memory = WordMemory(self.size, self.embed, _LIMIT)

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        return self._memory.lookup([word for sentence in sentences for word in sentence])

    def embed(self, words: Sequence[str]) -> Floats:
        """The vectors of words, (len(words), size)."""
        rows = self.table.rows(words)
        parts = []
        if self.table.vectors is not None:
            vectors = self.table.frozen(words)
            parts.append(vectors if self.shift is None else vectors + self.shift.take(rows))
        if self.words is not None:
            parts.append(self.words.take(rows))
        if self.ngrams is not None:
            runs = self.table.ngrams(words)
            parts.append(self.ngrams.sums(runs) / np.maximum(runs.counts, 1)[:, None])
        return np.concatenate(parts, 1, dtype=np.float32)

    def bounds(self) -> Floats:
        """The largest size that each number of a word's vector can have, (size,)."""
        parts = []
        if (vectors := self.table.vectors) is not None:
            tables = [vectors.table, *([vectors.ngrams.table] if vectors.ngrams is not None else [])]
            part = np.max([_largest(table) for table in tables], axis=0)
            parts.append(part if self.shift is None else part + _largest(self.shift))
        parts += [_largest(table) for table in (self.words, self.ngrams) if table is not None]
        bounds = np.concatenate(parts, dtype=np.float32)
        bounds[bounds == 0] = 1
        return bounds

    def cast(self, dtype: str, max_rows: int | None = None) -> WordLookup:
        """The same words in less space; see `Vectors.compact`."""
        tables = {name: table and table.cast(dtype) for name, table in self._tables().items()}
        vectors = self.table.vectors and self.table.vectors.compact(dtype, max_rows)
        return WordLookup(learned=self.table.learned, vectors=vectors, **tables)

    def _tables(self) -> dict[str, Table | None]:
        return {name: getattr(self, name) for name in _PARTS}

    def save(self, file: BundleFile) -> None:
        """Write the files of a bundle; a file that would be empty is left out."""
        arrays = {}
        for name, table in self._tables().items():
            if table is not None:
                arrays[name] = np.ascontiguousarray(table.values)
                if table.scales is not None:
                    arrays[f"{name}_scales"] = np.ascontiguousarray(table.scales)
        if arrays:
            file(TABLES).write_bytes(save(arrays))
        if self.table.learned:
            file(WORDS).write_bytes(msgspec.json.encode(self.table.learned))
        if self.table.vectors is not None:
            self.table.vectors.save(file(VECTORS))


def load_lookup(file: BundleFile) -> WordLookup:
    """What `WordLookup.save` wrote; a missing file belongs to a part that the model does not have."""
    learned = _read(file(WORDS), lambda path: msgspec.json.decode(path.read_bytes(), type=list[str])) or []
    parts = _read(file(TABLES), _read_tables) or {}
    vectors = _read(file(VECTORS), lambda path: Vectors.load(path, mapped=False))
    for name in ("shift", "words"):
        if name in parts and len(parts[name]) != len(learned) + 1:
            what = f"{len(parts[name])} rows of {name} for {len(learned)} words"
            raise BundleError(f"{file(TABLES)}: damaged: {what}; expected one more row than words")
    if not parts and vectors is None:
        raise BundleError(f"{file(TABLES)}: missing, and no {VECTORS} either: the bundle is incomplete")
    if "shift" in parts and (vectors is None or parts["shift"].dim != vectors.dim):
        raise BundleError(f"{file(TABLES)}: damaged: the table shift does not fit {VECTORS}")
    return WordLookup(learned=learned, vectors=vectors, **parts)


def _read(path: Path, read: Callable[[Path], T]) -> T | None:
    """The content of a file, None if it is missing; a damaged one is a `BundleError`."""
    if not path.exists():
        return None
    try:
        return read(path)
    except InputError as error:  # names the file
        raise BundleError(str(error)) from None
    except (SafetensorError, msgspec.MsgspecError, OSError, KeyError, ValueError) as error:
        raise BundleError(f"{path}: damaged: {error}") from None


def _read_tables(path: Path) -> dict[str, Table]:
    arrays = load(path.read_bytes())  # a mapped file that is cut would kill the process
    tables = {name: Table(arrays[name], arrays.get(f"{name}_scales")) for name in _PARTS if name in arrays}
    for name, table in tables.items():
        table.check(name)
        if not len(table):
            raise ValueError(f"the table {name} has no rows")
    return tables


def _largest(table: Table) -> Floats:
    """The largest absolute value of each column, (dim,)."""
    largest = np.zeros(table.dim, np.float32)
    for start in range(0, len(table), 8192):
        rows = table.take(np.arange(start, min(start + 8192, len(table))))
        largest = np.maximum(largest, np.abs(rows).max(0))
    return largest
