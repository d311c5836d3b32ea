"""Character n-grams of words, hashed to rows of a table: how an unseen word gets a vector.

    where  ->  <where>  ->  <wh whe her ere re> ...  ->  hash % buckets  ->  the mean of those rows

Hash, order and edge cases are fastText's, so that the n-gram rows of its models can be used as they are;
the work is vectorised over a list of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
Floats = NDArray[np.float32]

FNV_BASIS, FNV_PRIME = np.uint32(2166136261), np.uint32(16777619)
END_OF_SENTENCE = "</s>"
"""fastText's line-end word: it represents no characters, so it has no n-grams."""

DTYPES = ("float32", "float16", "int8")
"""How the numbers of a table may be stored."""

_LARGEST_SCALE = 1_000_000
_WORDS_AT_ONCE = 1 << 15  # bounds the memory of the hash matrix, about 10 MB


@dataclass(frozen=True)
class Runs:
    """Lists of ids end to end: those of item i are ``ids[offsets[i]:offsets[i + 1]]`` (CSR)."""

    ids: Ids
    offsets: Offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> Offsets:
        return np.diff(self.offsets)

    def take(self, items: NDArray[Any]) -> Runs:
        """The runs of ``items``, in that order."""
        starts, counts = self.offsets[:-1][items], self.counts[items]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
        return Runs(self.ids[np.repeat(starts, counts) + within], offsets)


def hash_ngrams(words: Sequence[str], minn: int, maxn: int, buckets: int) -> Runs:
    """Bucket ids of the n-grams of ``minn`` to ``maxn`` characters of ``<word>``, in fastText's order."""
    parts = [
        _hash_ngrams(words[start : start + _WORDS_AT_ONCE], minn, maxn, buckets)
        for start in range(0, len(words) if maxn > 0 and buckets > 0 else 0, _WORDS_AT_ONCE)
    ]
    if not parts:
        return Runs(np.zeros(0, np.int32), np.zeros(len(words) + 1, np.int64))
    counts = np.concatenate([part.counts for part in parts])
    return Runs(np.concatenate([part.ids for part in parts]), np.concatenate([[0], np.cumsum(counts)]))


def _hash_ngrams(words: Sequence[str], minn: int, maxn: int, buckets: int) -> Runs:
    # a lone surrogate is no UTF-8, yet must not stop a parse: it is passed through as three bytes
    marked = [b"" if w == END_OF_SENTENCE else b"<%b>" % w.encode("utf-8", "surrogatepass") for w in words]
    text = np.frombuffer(b"".join(marked), np.uint8)
    # fastText XORs a *signed* char into the hash: bytes from 0x80 also flip the upper 24 bits
    signed = text.view(np.int8).astype(np.int32).view(np.uint32)

    starts = np.flatnonzero((text & 0xC0) != 0x80)  # (C,) the first byte of every character
    widths = np.diff(starts, append=len(text))
    word_ends_in_bytes = np.cumsum(np.fromiter(map(len, marked), np.int64, len(marked)))
    ends = np.searchsorted(starts, word_ends_in_bytes)  # (W,) one past the last character of each word
    lengths = np.diff(ends, prepend=0)
    room = np.repeat(ends, lengths) - np.arange(len(starts))  # (C,) characters from here to the word's end

    minn = max(minn, 1)
    hashes = np.empty((len(starts), max(0, maxn - minn + 1)), np.uint32)  # (C, sizes)
    keep = np.empty(hashes.shape, bool)
    running = np.full(len(starts), FNV_BASIS)
    for n in range(1, maxn + 1):
        last = np.arange(n - 1, len(starts) + n - 1).clip(max=len(starts) - 1)  # the n-gram's last character
        running = (running ^ signed[starts[last]]) * FNV_PRIME
        for byte in range(1, int(widths.max(initial=1))):
            wide = np.flatnonzero(widths[last] > byte)
            running[wide] = (running[wide] ^ signed[starts[last[wide]] + byte]) * FNV_PRIME
        if n >= minn:
            hashes[:, n - minn] = running
            keep[:, n - minn] = room >= n
    if minn == 1:  # "<" and ">" alone are not n-grams
        edges = np.concatenate([ends - 1, ends - lengths])[np.tile(lengths > 0, 2)]
        keep[edges, 0] = False
    counts = np.concatenate([[0], np.cumsum(keep.sum(1))])  # up to and with each character
    ids = (hashes[keep] % np.uint32(buckets)).astype(np.int32)
    return Runs(ids, np.concatenate([[0], counts[ends]]))


@dataclass(frozen=True)
class Table:
    """A matrix of vectors as it is stored: float32, float16, or int8 with a scale for each row."""

    values: NDArray[Any]
    scales: Floats | None = None

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def dim(self) -> int:
        return int(self.values.shape[1])

    def check(self, name: str) -> None:
        """Raise a `ValueError` unless the arrays, read from a file, are those of a table."""
        values, scales = self.values, self.scales
        if values.ndim != 2 or values.dtype.name not in DTYPES or not values.shape[1]:
            what = f"{values.dtype} of shape {values.shape}"
            raise ValueError(f"{name} is {what}; expected rows and columns of {', '.join(DTYPES)}")
        if (values.dtype == np.int8) != (scales is not None):
            raise ValueError(f"{name}: only a table of int8 has scales, and needs them")
        if scales is not None and (scales.shape != values.shape[:1] or scales.dtype != np.float32):
            raise ValueError(f"{name}: {scales.dtype} scales of shape {scales.shape} for {len(values)} rows")
        if scales is not None and not (np.abs(scales) < _LARGEST_SCALE).all():
            raise ValueError(f"{name}: a scale is larger than {_LARGEST_SCALE:,} or not a number")

    def pick(self, rows: NDArray[Any]) -> Table:
        """A table of the given rows only."""
        return Table(self.values[rows], None if self.scales is None else self.scales[rows])

    def take(self, rows: NDArray[Any]) -> Floats:
        """The given rows as float32, ``(len(rows), dim)``."""
        taken: Floats = self.values[rows].astype(np.float32)
        if self.scales is not None:
            taken *= self.scales[rows][:, None]
        return taken

    def sums(self, runs: Runs) -> Floats:
        """For each run the sum of its rows; zeros for an empty one. ``(len(runs), dim)``"""
        out = np.zeros((len(runs), self.dim), np.float32)
        for start in range(0, len(runs), 256):  # small pieces stay in the processor's cache
            offsets = runs.offsets[start : start + 257]
            filled = np.flatnonzero(np.diff(offsets))
            if len(filled):
                rows = self.take(runs.ids[offsets[0] : offsets[-1]])
                out[start + filled] = np.add.reduceat(rows, offsets[filled] - offsets[0])
        return out

    def cast(self, dtype: str) -> Table:
        """The same vectors stored as ``float32``, ``float16`` or ``int8``."""
        if self.values.dtype == dtype:
            return self
        full = self.take(np.arange(len(self)))
        if dtype != "int8":
            return Table(full.astype(dtype))
        scales = np.abs(full).max(axis=1, initial=0) / np.float32(127)
        scales[scales == 0] = 1
        return Table(np.rint(full / scales[:, None]).astype(np.int8), scales)


@dataclass(frozen=True)
class NGrams:
    """The rows of hashed n-grams, with the sizes of n-gram they were made for."""

    table: Table
    minn: int
    maxn: int
    lower: bool = False
    """Case is ignored: n-grams are those of the word in lower case."""

    def runs(self, words: Sequence[str]) -> Runs:
        """The rows of each word's n-grams."""
        words = [word.lower() for word in words] if self.lower else words
        return hash_ngrams(words, self.minn, self.maxn, len(self.table))
