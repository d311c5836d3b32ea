"""How fast a parser is here: by length, from a cold start, and where the time goes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from nccp.decoding import Context, Engine, Parser
from nccp.decoding.engine import Floats, Lengths
from nccp.decoding.stream import BATCH
from nccp.errors import NccpError

BINS = (10, 20, 40, 80, 160, 320, 500)
"""Words of the longest sentence of each bin; longer ones make one more."""

P = ParamSpec("P")
T = TypeVar("T")
Sentences = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Speed:
    """Sentences from words to brackets: the best of several times."""

    sentences: int
    words: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentences": self.sentences,
            "words": self.words,
            "seconds": self.seconds,
            "sentences_per_second": self.sentences / self.seconds,
            "words_per_second": self.words / self.seconds,
        }


def measure_speed(
    parser: Parser,
    sentences: Sentences,
    *,
    batch_size: int = BATCH,
    threads: int | None = None,
    repeat: int = 3,
) -> Speed:
    """Parse all sentences ``repeat`` times."""

    def once() -> float:
        began = time.perf_counter()
        for parse in parser.parse_many(sentences, batch_size=batch_size, threads=threads, scores=False):
            parse.brackets()
        return time.perf_counter() - began

    return Speed(len(sentences), sum(map(len, sentences)), min(once() for _ in range(repeat)))


def by_length(sentences: Sentences) -> dict[tuple[int, int], list[Sequence[str]]]:
    """The sentences in bins, ``(1, 10)``, ``(11, 20)``, ...; empty ones left out."""
    bins: dict[tuple[int, int], list[Sequence[str]]] = {}
    for words in sorted(filter(None, sentences), key=len):
        place = int(np.searchsorted(BINS, len(words)))
        most = BINS[place] if place < len(BINS) else max(map(len, sentences))
        bins.setdefault((BINS[place - 1] + 1 if place else 1, most), []).append(words)
    return bins


def measure_shares(parser: Parser, sentences: Sentences, *, batch_size: int = BATCH) -> dict[str, float]:
    """What part of the time goes where, on one thread; they add up to 1.

    ``context``: word vectors and BiLSTM_cxt. ``layers``: orientations or chunks, and what combines.
    ``labels``: the label layer. ``recovery``: from arrays to brackets. ``glue``: all between them.
    """
    engine = TimedEngine(parser.engine)
    timed = Parser(engine, parser.language, threads=1)
    began = time.perf_counter()
    parses = list(timed.parse_many(sentences, batch_size=batch_size, scores=False))
    parsed = time.perf_counter()
    for parse in parses:
        parse.brackets()
    ended = time.perf_counter()
    parts = {
        **engine.seconds,
        "glue": parsed - began - sum(engine.seconds.values()),
        "recovery": ended - parsed,
    }
    return {name: seconds / (ended - began) for name, seconds in parts.items()}


_START = """
import sys, time
began = time.perf_counter()
import nccp.runtime
imported = time.perf_counter()
parser = nccp.runtime.load(sys.argv[1], threads=1)
loaded = time.perf_counter()
parser.parse(["The", "cat", "sat", "down", "."]).brackets()
print(imported - began, loaded - imported, time.perf_counter() - loaded)
"""


def measure_start(model: str | Path) -> dict[str, float]:
    """Seconds of a new process until its first tree is there: in all, and by step."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _START, str(model)], capture_output=True, text=True)
    total = time.perf_counter() - began
    if done.returncode:
        raise NccpError(f"a new process cannot parse:\n{done.stderr}")
    steps = dict(zip(("import", "load", "first_tree"), map(float, done.stdout.split())))
    return {"total": total, **steps}


def peak_memory() -> int | None:
    """The most bytes that this process has had in memory; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


@dataclass
class TimedEngine:
    """An engine that looks at the clock."""

    engine: Engine
    seconds: dict[str, float] = field(default_factory=lambda: {"context": 0.0, "layers": 0.0, "labels": 0.0})

    def __post_init__(self) -> None:
        self.binary, self.triangular = self.engine.binary, self.engine.triangular
        self.symbols = self.engine.symbols

    def context(self, sentences: Sentences) -> Context:
        return self._time("context", self.engine.context, sentences)

    def labels(self, x: Floats) -> Floats:
        return self._time("labels", self.engine.labels, x)

    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        return self._time("layers", self.engine.orient, x, lengths)

    def compose(self, x_L: Floats, x_R: Floats) -> tuple[Floats, Floats | None]:
        return self._time("layers", self.engine.compose, x_L, x_R)

    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        return self._time("layers", self.engine.chunk, x, lengths)

    def merge(self, x: Floats, hints: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        return self._time("layers", self.engine.merge, x, hints, begins)

    def _time(self, part: str, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        began = time.perf_counter()
        try:
            return call(*arguments, **named)
        finally:
            self.seconds[part] += time.perf_counter() - began
