"""Word vectors: a vector for every word, seen or not, with numpy only.

A table has a row for each known word (several words may share one) and, if it covers sub-words, rows for
hashed character n-grams:

    known word                  its row; in a fastText model the mean of its row and its n-grams' rows
    unknown word                the mean of its n-grams' rows
    neither                     the row of the word in other case, then with other digits, else zeros

In a table that ignores case, ``Cat`` and ``CAT`` are known if ``cat`` is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice
from operator import lt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nccp.errors import ConfigError, InputError
from nccp.inputs.words.ngrams import DTYPES, Floats, NGrams, Table

_DIGIT = re.compile(r"\d")


class WordIndex:
    """Sorted words in one block of bytes, found by bisection.

    A dictionary of 700,000 words takes half a second to build at each start of the parser. Here only the line
    ends are searched for, and only the words that are looked up become Python objects.
    """

    def __init__(self, joined: bytes) -> None:
        """``joined`` holds distinct words in ascending order of their UTF-8 bytes, a newline between two."""
        self.joined = joined
        breaks = np.flatnonzero(np.frombuffer(joined, np.uint8) == ord("\n"))
        # memoryviews give Python integers, several times faster than indexing an array
        self._starts = np.concatenate([[0], breaks + 1]).data
        self._ends = np.concatenate([breaks, [len(joined)]]).data
        self.find = lru_cache(maxsize=1 << 16)(self._find)
        """The number of a word, -1 if it is unknown; results are cached."""

    @classmethod
    def build(cls, words: Sequence[bytes]) -> tuple[WordIndex, NDArray[np.int64]]:
        """The index of ``words`` in any order, and for each word in the index its position in ``words``.

        Of duplicates the first is kept; the empty word is left out.
        """
        if all(words) and all(map(lt, words, islice(words, 1, None))):  # already in order: no need to sort
            kept = list(range(len(words)))
        else:
            order = sorted(range(len(words)), key=words.__getitem__)  # stable: of equals the first is first
            kept = [i for before, i in zip([-1, *order], order) if before < 0 or words[before] != words[i]]
            kept = [i for i in kept if words[i]]
        index = cls(b"\n".join([words[i] for i in kept]))
        if len(index) != len(kept):
            raise InputError("a word with a line break in it cannot have a vector")
        return index, np.array(kept, np.int64)

    def __len__(self) -> int:
        return len(self._starts) if self.joined else 0

    def __iter__(self) -> Iterator[str]:
        return iter(self.joined.decode("utf-8", "replace").split("\n") if self.joined else ())

    def __reduce__(self) -> tuple[Any, ...]:
        return WordIndex, (self.joined,)

    def word(self, number: int) -> bytes:
        return self.joined[self._starts[number] : self._ends[number]]

    def _find(self, word: str) -> int:
        key = word.encode("utf-8", "surrogatepass")
        at = bisect_left(range(len(self)), key, key=self.word)
        return at if at < len(self) and self.word(at) == key else -1


class Neighbours(NamedTuple):
    """Words that share one vector, and its cosine similarity to the query."""

    similarity: float
    words: tuple[str, ...]


class Vectors:
    """Word vectors, ready for look-up; never changed in place."""

    def __init__(
        self,
        index: WordIndex,
        rows: NDArray[Any],
        table: Table,
        ngrams: NGrams | None = None,
        *,
        mixed: bool = False,
    ) -> None:
        """``rows[i]`` is the row of word ``i`` of ``index`` in ``table``.

        ``mixed``: rows are one part of a known word's vector and its n-grams the others, as in fastText.
        """
        if len(rows) != len(index) or (len(rows) and int(rows.max()) >= len(table)):
            raise InputError(f"word vectors: {len(index)} words, {len(rows)} row numbers, {len(table)} rows")
        if ngrams is not None and ngrams.table.dim != table.dim:
            raise InputError(f"word vectors of {table.dim} dimensions, n-grams of {ngrams.table.dim}")
        self.index, self.rows, self.table, self.ngrams = index, rows, table, ngrams
        self.mixed = mixed and ngrams is not None

    @classmethod
    def from_words(
        cls, words: Sequence[str | bytes], table: Table, ngrams: NGrams | None = None, *, mixed: bool = False
    ) -> Vectors:
        """Vectors in which ``words[i]`` has row ``i``; of duplicates the first is kept."""
        encoded = [w if isinstance(w, bytes) else w.encode("utf-8", "surrogatepass") for w in words]
        index, rows = WordIndex.build(encoded)
        return cls(index, rows, table, ngrams, mixed=mixed)

    @classmethod
    def load(cls, path: str | Path, *, mapped: bool = True) -> Vectors:
        """Read a file written by `save`; `load_vectors` reads other formats too.

        If it is ``mapped`` into memory, the file must not change for as long as the vectors are used.
        """
        from nccp.inputs.words.vector_files import read_saved

        return read_saved(path, mapped=mapped)

    def save(self, path: str | Path) -> None:
        """Write a safetensors file, complete or not at all."""
        from nccp.inputs.words.vector_files import write_saved

        write_saved(self, path)

    @property
    def dim(self) -> int:
        return self.table.dim

    @property
    def words(self) -> list[str]:
        """All known words, sorted by their UTF-8 bytes; a new list at each call."""
        return list(self.index)

    @property
    def nbytes(self) -> int:
        """The size of the file that `save` writes, without its header."""
        tables = [self.table, *([self.ngrams.table] if self.ngrams else [])]
        arrays = [self.rows, *(a for t in tables for a in (t.values, t.scales) if a is not None)]
        return len(self.index.joined) + sum(a.nbytes for a in arrays)

    def __len__(self) -> int:
        return len(self.index)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.index.find(word) >= 0

    def __repr__(self) -> str:
        grams = f", {len(self.ngrams.table):,} n-gram rows" if self.ngrams else ""
        return f"<Vectors: {len(self):,} words, {len(self.table):,} rows of {self.dim}{grams}>"

    def lookup(self, words: Sequence[str]) -> Floats:
        """A vector for every word, (len(words), dim); zeros only if nothing is known about the word."""
        distinct: dict[str, int] = {}
        places = [distinct.setdefault(word, len(distinct)) for word in words]
        return self._lookup(list(distinct))[places] if words else np.zeros((0, self.dim), np.float32)

    def _lookup(self, words: list[str]) -> Floats:
        numbers = np.array([self._number(word) for word in words], np.int64)
        known = np.flatnonzero(numbers >= 0)
        out = np.zeros((len(words), self.dim), np.float32)
        out[known] = self.table.take(self.rows[numbers[known]])
        left = np.arange(len(words)) if self.mixed else np.flatnonzero(numbers < 0)
        if self.ngrams is not None and len(left):
            runs = self.ngrams.runs([words[i] for i in left])
            parts = runs.counts + (numbers[left] >= 0)
            out[left] += self.ngrams.table.sums(runs)
            out[left] /= np.maximum(parts, 1)[:, None]
            left = left[parts == 0]
        for i in left:
            number = self._variant(words[i])
            if number >= 0:
                out[i] = self.table.take(self.rows[number : number + 1])[0]
        return out

    def _number(self, word: str) -> int:
        """The number of a known word, -1 of any other."""
        number = self.index.find(word)
        if number < 0 and self.ngrams is not None and self.ngrams.lower:
            return self._variant(word, digits=False)
        return number

    def _variant(self, word: str, digits: bool = True) -> int:
        """The number of the first known variant of an unknown word, -1 if there is none."""
        find = self.index.find
        cases = dict.fromkeys((word, word.lower(), word.capitalize(), word.title(), word.upper()))
        numbers: Iterator[int] = map(find, cases)
        if digits and _DIGIT.search(word):
            numbers = chain(numbers, (find(_DIGIT.sub(digit, form)) for digit in "0#19" for form in cases))
        return next((number for number in numbers if number >= 0), -1)

    def prune(self, words: Iterable[str]) -> Vectors:
        """A smaller table in which `lookup` gives the same vectors for these words.

        All n-grams are kept, for unknown words.
        """
        words = list(words)
        numbers = {self._variant(word) if self.ngrams is None else self._number(word) for word in words}
        kept = np.array(sorted(numbers - {-1}), np.int64)
        index = WordIndex(b"\n".join([self.index.word(number) for number in kept.tolist()]))
        used, rows = np.unique(self.rows[kept], return_inverse=True)
        rows = smallest(rows, len(used))
        return Vectors(index, rows, self.table.pick(used), self.ngrams, mixed=self.mixed)

    def affine(self, center: Floats, scale: float) -> Vectors:
        """Every vector v as (v - center) * scale; the zeros of words without any vector stay zeros.

        The mean of moved rows is the moved mean, so n-gram rows are moved like the others.
        """

        def moved(table: Table) -> Table:
            full = table.take(np.arange(len(table)))
            return Table(((full - center) * np.float32(scale)).astype(np.float32))

        ngrams = None if self.ngrams is None else replace(self.ngrams, table=moved(self.ngrams.table))
        return Vectors(self.index, self.rows, moved(self.table), ngrams, mixed=self.mixed)

    def compact(self, dtype: str = "float16", max_rows: int | None = None) -> Vectors:
        """The same words in less space: rows stored as ``dtype``, without unused rows and duplicates.

        With ``max_rows`` only the first rows are kept (in fastText's files those of the most frequent words);
        the other words share the most similar of these.
        """
        if dtype not in DTYPES:
            raise ConfigError(f"word vectors are stored as {', '.join(DTYPES)}, not {dtype}")
        table, rows = self.table, self.rows
        if self.mixed:
            words = self.words
            order = np.argsort(rows, kind="stable")  # the file's order: by frequency
            pieces = (order[start : start + 8192] for start in range(0, len(order), 8192))
            vectors = [self._lookup([words[i] for i in piece]).astype(_float(dtype)) for piece in pieces]
            table = Table(np.concatenate(vectors) if vectors else np.zeros((0, self.dim), np.float32))
            rows = np.empty(len(order), np.int64)
            rows[order] = np.arange(len(order))
        used, rows = np.unique(_first_equal(table)[rows], return_inverse=True)
        if max_rows is not None and len(used) > max_rows:
            near = _nearest_rows(table, used[max_rows:], used[:max_rows])
            rows = np.concatenate([np.arange(max_rows), near])[rows]
            used = used[:max_rows]
        ngrams = self.ngrams and replace(self.ngrams, table=self.ngrams.table.cast(dtype))
        return Vectors(self.index, smallest(rows, len(used)), table.pick(used).cast(dtype), ngrams)

    def nearest(self, word: str, k: int = 10) -> list[Neighbours]:
        """The ``k`` most similar vectors of the table with their words, without ``word`` itself."""
        full = self.compact("float32") if self.mixed else self
        asked = full.lookup([word])[0]
        values = full.table.take(np.arange(len(full.table)))
        lengths = np.linalg.norm(values, axis=1) * np.linalg.norm(asked)
        similarity = values @ asked / np.where(lengths == 0, np.inf, lengths)
        found: list[Neighbours] = []
        for row in np.argsort(-similarity, kind="stable").tolist():
            numbers = np.flatnonzero(full.rows == row).tolist()
            words = tuple(full.index.word(number).decode("utf-8", "replace") for number in numbers)
            if others := tuple(other for other in words if other != word):
                found.append(Neighbours(float(similarity[row]), others))
            if len(found) >= k:
                break
        return found


def smallest(rows: NDArray[Any], count: int) -> NDArray[Any]:
    """Row numbers below ``count`` in the smallest unsigned type that holds them."""
    return rows.astype(np.min_scalar_type(max(count - 1, 0)))


def _float(dtype: str) -> str:
    return "float32" if dtype == "int8" else dtype


def _first_equal(table: Table) -> NDArray[np.int64]:
    """For each row the first row that is equal to it."""
    if table.scales is not None or not len(table):
        return np.arange(len(table))
    values = np.ascontiguousarray(table.values)
    as_bytes = values.view(np.dtype((np.void, values.itemsize * table.dim))).ravel()
    _, firsts, groups = np.unique(as_bytes, return_index=True, return_inverse=True)
    return firsts[groups]


def _nearest_rows(table: Table, of: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row in ``of`` the place in ``among`` of the row with the highest cosine similarity."""
    kept = table.take(among)
    kept /= np.maximum(np.linalg.norm(kept, axis=1, keepdims=True), 1e-12)
    pieces = (of[start : start + 1024] for start in range(0, len(of), 1024))
    return np.concatenate([np.argmax(table.take(piece) @ kept.T, axis=1) for piece in pieces])
