"""Any number of sentences through an engine: in order, in bounded memory, on several threads.

Sentences are read in windows. Those of a window are sorted by length and grouped into batches, which threads
parse in parallel (the engine releases the interpreter's lock); the next window is read and started while the
results of one are returned. A sentence's tree does not depend on its batch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from nccp.decoding.confidence import Confidence
from nccp.decoding.decode import Decoded, decode
from nccp.decoding.engine import Engine
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.results import Parse
from nccp.trees import Gaps
from nccp.trees.gaps import Ints

BATCH = 128
"""Default number of sentences per batch."""
LONGEST = 2048
"""The most words that are parsed as one sentence; a longer one is parsed in pieces, which are joined.

Time grows with the square of this for a text of which every layer combines only one pair.
"""

_WINDOWS = (256, 1024, 4096)  # sentences; the first are small so that results come soon
_WINDOW_WORDS = 1 << 17
_WINDOW_LETTERS = 1 << 22
_BATCH_WORDS = 1 << 12  # about 30 KB each while a batch is parsed
_BATCH_LETTERS = 1 << 18


class _Piece(NamedTuple):
    """A sentence of the window, or a part of one."""

    sentence: int
    start: int
    words: Sequence[str]


class _Parsed(NamedTuple):
    gaps: Gaps
    joined: bool
    invalid_layers: int
    confidence: Confidence | None


_Batch = list[_Piece]


def stream(
    engine: Engine,
    sentences: Iterable[InputSentence],
    *,
    batch_size: int = BATCH,
    threads: int = 1,
    scores: bool = False,
) -> Iterator[Parse]:
    """The parse of each sentence, in order."""

    def run(batch: _Batch) -> list[_Parsed]:
        return list(_unpack(decode(engine, [piece.words for piece in batch], scores=scores)))

    windows = _windows(sentences)
    if threads == 1:
        for window in windows:
            yield from _collect(window, [(batch, run(batch)) for batch in _batches(window, batch_size)])
        return
    pool = ThreadPoolExecutor(threads, "nccp")
    begun: deque[tuple[list[InputSentence], list[tuple[_Batch, Future[list[_Parsed]]]]]] = deque()
    try:
        for window in windows:
            begun.append((window, [(b, pool.submit(run, b)) for b in _batches(window, batch_size)]))
            if len(begun) > 1:
                yield from _await(*begun.popleft())
        while begun:
            yield from _await(*begun.popleft())
    finally:
        pool.shutdown(cancel_futures=True)


def _await(
    window: list[InputSentence], futures: list[tuple[_Batch, Future[list[_Parsed]]]]
) -> Iterator[Parse]:
    return _collect(window, [(batch, future.result()) for batch, future in futures])


def _windows(sentences: Iterable[InputSentence]) -> Iterator[list[InputSentence]]:
    window: list[InputSentence] = []
    number = words = letters = 0
    for sentence in sentences:
        window.append(sentence)
        words += len(sentence)
        letters += sentence.letters
        if len(window) >= _WINDOWS[number] or words >= _WINDOW_WORDS or letters >= _WINDOW_LETTERS:
            yield window
            window, words, letters, number = [], 0, 0, min(number + 1, len(_WINDOWS) - 1)
    if window:
        yield window


def _batches(window: list[InputSentence], batch_size: int) -> Iterator[_Batch]:
    """The batches of a window, longest sentences first, so that the threads finish at about the same time."""
    pieces = [piece for number, sentence in enumerate(window) for piece in _pieces(number, sentence)]
    pieces.sort(key=lambda piece: -len(piece.words))
    batch: _Batch = []
    words = letters = 0
    for piece in pieces:
        more, longer = len(piece.words), sum(map(len, piece.words))
        if batch and (
            len(batch) == batch_size or words + more > _BATCH_WORDS or letters + longer > _BATCH_LETTERS
        ):
            yield batch
            batch, words, letters = [], 0, 0
        batch.append(piece)
        words, letters = words + more, letters + longer
    if batch:
        yield batch


def _pieces(number: int, sentence: InputSentence) -> Iterator[_Piece]:
    words = sentence.readable()
    for start in range(0, len(words), LONGEST):
        yield _Piece(number, start, words[start : start + LONGEST] if len(words) > LONGEST else words)


def _unpack(decoded: Decoded) -> Iterator[_Parsed]:
    start, confidence = 0, decoded.confidence
    for gaps, joined, invalid in zip(decoded.gaps(), decoded.joined.tolist(), decoded.invalid.tolist()):
        end = start + len(gaps)
        yield _Parsed(gaps, joined, invalid, confidence and confidence.cut(start, end))
        start = end


def _collect(window: list[InputSentence], results: list[tuple[_Batch, list[_Parsed]]]) -> Iterator[Parse]:
    parts: list[list[tuple[int, _Parsed]]] = [[] for _ in window]
    for batch, parsed in results:
        for piece, part in zip(batch, parsed):
            parts[piece.sentence].append((piece.start, part))
    for sentence, found in zip(window, parts):
        if not found:
            yield Parse(sentence, None)
        elif len(found) == 1:
            yield Parse(sentence, *found[0][1])
        else:
            found.sort(key=lambda part: part[0])
            yield Parse(sentence, *_join([part for _, part in found]))


def _join(parts: list[_Parsed]) -> _Parsed:
    """The trees of several pieces joined under a root without a label."""
    top = 1 + max(int(part.gaps.heights.max(initial=0)) for part in parts)

    def chain(arrays: Iterable[Ints], between: list[int]) -> Ints:
        spaced = [part for array in arrays for part in (np.array(between, np.int32), array)]
        return np.concatenate(spaced[1:])

    gaps = Gaps(
        [word for part in parts for word in part.gaps.words],
        chain((part.gaps.tags for part in parts), []),
        chain((part.gaps.leaf_labels for part in parts), []),
        chain((part.gaps.heights for part in parts), [top]),
        chain((part.gaps.labels for part in parts), [-1]),
        parts[0].gaps.symbols,
    )
    confidences = [part.confidence for part in parts if part.confidence is not None]
    invalid = sum(part.invalid_layers for part in parts)
    return _Parsed(gaps, True, invalid, Confidence.join(confidences) if confidences else None)
