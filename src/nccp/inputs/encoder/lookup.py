"""A pretrained encoder as the network's input: words to pieces, pieces through its graph, and back."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from nccp.errors import BundleError
from nccp.inputs.encoder.subwords import Pieces, Subwords, SubwordSpec, fast_encode
from nccp.inputs.lookup import Floats, Words
from nccp.inputs.sessions import Session, open_session

INPUTS = {"ids", "mask", "types"}
"""Of the encoder's graph; the last only where the encoder wants it."""

_MOST_PIECES = 1024
"""Padded pieces per run of the graph. It bounds what attention may cost (pieces times the length of a window),
and more pieces are slower, since they leave the processor's caches (``benchmarks/memory.py``)."""


class PieceSpec(msgspec.Struct, frozen=True):
    """``pieces.json``: how words become pieces, and pieces words again."""

    subwords: SubwordSpec
    subword: Literal["first", "last", "mean"]
    """Which of a word's pieces stands for it."""


class EncoderInput:
    """An `Input` that gives every word what ``nccp.inputs.encoder.torch_module.EncoderInput`` gives it."""

    def __init__(self, session: Session, subwords: Subwords, subword: str, size: int) -> None:
        self._session, self._subwords, self._subword, self.size = session, subwords, subword, size
        self._lock = threading.Lock()  # words that were met before are remembered

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        with self._lock:
            pieces = self._subwords.batch(sentences, most=_MOST_PIECES)
        vectors = self._pick(pieces, self._encode(pieces))
        return Words(vectors, np.arange(len(vectors)))

    def _encode(self, pieces: Pieces) -> Floats:
        """The vectors of all pieces, padding included: (P, size)."""
        arrays = {"ids": pieces.ids, "mask": pieces.mask, "types": pieces.types}
        start, parts = 0, [np.zeros((0, self.size), np.float32)]
        for rows, columns in pieces.groups.tolist():
            end = start + rows * columns
            given = {
                name: array[start:end].reshape(rows, columns)
                for name, array in arrays.items()
                if array is not None and name in self._session.inputs
            }
            parts.append(self._session.run(**given)[0].reshape(end - start, self.size))
            start = end
        return np.concatenate(parts)

    def _pick(self, pieces: Pieces, vectors: Floats) -> Floats:
        """From pieces to words: (P, size) to (N, size)."""
        if self._subword != "mean":
            return vectors[pieces.starts if self._subword == "first" else pieces.stops - 1]
        places, offsets = pieces.places()
        if not len(offsets):
            return vectors
        sums: Floats = np.add.reduceat(vectors[places], offsets)
        sums /= (pieces.stops - pieces.starts)[:, None]
        return sums

    @classmethod
    def load(cls, graph: Path, tokenizer: Path, pieces: Path) -> EncoderInput:
        """The encoder of a bundle."""
        from tokenizers import Tokenizer

        session = open_session(graph, INPUTS)
        try:
            cut = Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # tokenizers raises plain Exceptions
            raise BundleError(f"{tokenizer}: damaged: {error}") from None
        try:
            spec = msgspec.json.decode(pieces.read_bytes(), type=PieceSpec)
        except (msgspec.MsgspecError, OSError) as error:
            raise BundleError(f"{pieces}: damaged: {error}") from None
        subwords = Subwords(fast_encode(cut), spec.subwords)
        return cls(session, subwords, spec.subword, session.outputs["vectors"][-1])


def range_of(input: EncoderInput, sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """How large each number of a word's vector gets over these sentences, (size,), with some room."""
    largest = np.full(input.size, 1e-3, np.float32)
    for sentence in sentences:
        words = input.lookup([sentence])
        np.maximum(largest, np.abs(words.vectors).max(0), out=largest)
    largest *= np.float32(1.25)
    return largest
