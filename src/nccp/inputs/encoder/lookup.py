"""A pretrained encoder for parsing: words to pieces, pieces through its graph, and back to words."""

from __future__ import annotations

import threading
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from nccp.errors import BundleError
from nccp.inputs.encoder.config import Subword
from nccp.inputs.encoder.subwords import Ints, Pieces, Subwords, SubwordSpec, fast_encode
from nccp.inputs.lookup import BundleFile, Floats, Words
from nccp.inputs.sessions import Session, open_session

GRAPH, TOKENIZER, PIECES, SETTINGS = "encoder.onnx", "tokenizer.json", "pieces.json", "encoder.json"
"""The files of a bundle: the encoder, what cuts words for it, how words become pieces; and, for
training only, the configuration of the encoder."""

INPUTS = {"ids", "mask", "types"}
"""Inputs of the encoder's graph; the last only if the encoder takes it."""

LEVELS = ".levels"
"""The ending of names of constants of an 8-bit graph by which the columns of a value are multiplied before it
is rounded (`nccp.export.int8_encoder`)."""

_LONGEST_WINDOW = 1 << 16

_MOST_PIECES = 1024
"""Padded pieces per run of the graph. It bounds the memory of attention (pieces times a window's length), and
more pieces are slower, since they leave the processor's caches (``benchmarks/memory.py``)."""

_WASTE = 1.1  # longest window of a run over its shortest: less padding, but more runs, than 1.2


class PieceSpec(msgspec.Struct, frozen=True):
    """``pieces.json``: how words become pieces, and pieces words again."""

    subwords: SubwordSpec
    subword: Subword
    """Which of a word's pieces represents it."""


class EncoderLookup:
    """A `Lookup` that gives every word what `EncoderModule` gives it in training."""

    def __init__(self, session: Session, subwords: Subwords, subword: str, size: int) -> None:
        self._session, self._subwords, self._subword, self.size = session, subwords, subword, size
        self._lock = threading.Lock()  # the pieces of words are remembered

    def lookup(self, sentences: Sequence[Sequence[str]]) -> Words:
        with self._lock:
            pieces = self._subwords.batch(sentences, waste=_WASTE, most=_MOST_PIECES)
        vectors = self._pick(pieces, self._encode(pieces))
        return Words(vectors, np.arange(len(vectors)))

    def _encode(self, pieces: Pieces) -> Floats:
        """The vectors of all pieces, padding included: (P, size)."""
        runs = (self._session.run(**inputs) for inputs in graph_inputs(pieces, self._session.inputs))
        parts = [vectors.reshape(-1, self.size) for (vectors,) in runs]
        return np.concatenate([np.zeros((0, self.size), np.float32), *parts])

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


def graph_inputs(pieces: Pieces, names: Container[str] = INPUTS) -> Iterator[dict[str, Ints]]:
    """The inputs of these names of the encoder's graph for each group of windows, (rows, columns) each."""
    found = {"ids": pieces.ids, "mask": pieces.mask, "types": pieces.types}
    arrays = {name: array for name, array in found.items() if array is not None and name in names}
    start = 0
    for rows, columns in pieces.groups.tolist():
        end = start + rows * columns
        yield {name: array[start:end].reshape(rows, columns) for name, array in arrays.items()}
        start = end


def load_lookup(file: BundleFile) -> EncoderLookup:
    """The encoder of a bundle."""
    from tokenizers import Tokenizer

    graph, tokenizer, pieces = file(GRAPH), file(TOKENIZER), file(PIECES)
    session = open_session(graph, INPUTS)
    size = session.outputs.get("vectors", [None])[-1]
    if not isinstance(size, int) or len(session.outputs["vectors"]) != 3:
        raise BundleError(f"{graph}: unexpected outputs {session.outputs}; expected vectors of a fixed size")
    try:
        cut = Tokenizer.from_file(str(tokenizer))
    except Exception as error:  # tokenizers raises plain Exceptions
        raise BundleError(f"{tokenizer}: damaged: {error}") from None
    try:
        spec = msgspec.json.decode(pieces.read_bytes(), type=PieceSpec)
    except (msgspec.MsgspecError, OSError) as error:
        raise BundleError(f"{pieces}: damaged: {error}") from None
    _check_spec(spec.subwords, cut.get_vocab_size(), pieces)
    return EncoderLookup(session, Subwords(fast_encode(cut), spec.subwords), spec.subword, size)


def _check_spec(spec: SubwordSpec, vocabulary: int, source: Path) -> None:
    """Refuse windows and pieces that the encoder cannot have."""
    if not (spec.room >= 4 and spec.limit <= _LONGEST_WINDOW):
        raise BundleError(f"{source}: damaged: windows of {spec.limit} pieces, {spec.room} of them for words")
    ids = (*spec.before, *spec.after, *spec.blanks, spec.pad, spec.unknown)
    if not all(0 <= piece < vocabulary for piece in ids):
        raise BundleError(f"{source}: damaged: pieces {ids} of a vocabulary of {vocabulary}")
    if len(spec.after_types) not in (0, len(spec.after)):
        raise BundleError(f"{source}: damaged: {len(spec.after_types)} types for {len(spec.after)} pieces")
