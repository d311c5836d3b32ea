"""Requests that arrive together are parsed together.

Each model has a worker thread. In every round it takes a share of each waiting request, parses them as one
batch, and hands each request its results; new requests queue up meanwhile. So a large request does not delay
a small one, a request that fails fails alone, and a request whose client has gone is dropped. A sentence's
tree does not depend on the other sentences of the batch.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from itertools import islice

from nccp.decoding import Parse, Parser
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.stream import BATCH, stream
from nccp.decoding.trace import Trace, trace
from nccp.web import metrics
from nccp.web.guard import Refused

GATHER = 0.002
"""Seconds that an idle worker waits for further requests after the first."""

_ROUND = 2 * BATCH  # about how many sentences a round has
_LEAST = 16  # sentences that a request may have in a round, at least
_TRACED = 8  # sentences without layers that take about as long as one with them
_WORDS = 1 << 13  # about how many words a round has: long sentences make short rounds

Result = Parse | Trace
"""A parse, or a trace if its layers are wanted."""


class _Job:
    """The sentences of a request that are still to be parsed, and where their results go."""

    def __init__(self, sentences: Sequence[InputSentence], layers: Sequence[bool]) -> None:
        self.left = deque(zip(sentences, layers))
        self.dropped = False
        self.parts: asyncio.Queue[list[Result] | Exception] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def take(self, sentences: int, words: int) -> list[_Wanted]:
        """The next sentences: at most ``sentences``, and about ``words`` words."""
        taken: list[_Wanted] = []
        while self.left and sentences > 0 and words > 0:
            given, layers = self.left.popleft()
            taken.append((given, layers))
            sentences -= _TRACED if layers else 1
            words -= len(given)
        return taken

    def deliver(self, part: list[Result] | Exception) -> None:
        """From the worker's thread to the request's event loop. Nothing follows an exception."""
        if isinstance(part, Exception):
            self.dropped = True
        try:
            self._loop.call_soon_threadsafe(self.parts.put_nowait, part)
        except RuntimeError:  # the loop has been closed
            self.dropped = True


Parts = AsyncGenerator[list[Result], None]
_Wanted = tuple[InputSentence, bool]  # a sentence, and whether its layers are wanted
_Share = tuple[_Job, list[_Wanted]]


class Batcher:
    """A parser that many requests share."""

    def __init__(self, parser: Parser, *, waiting: int = 50_000, gather: float = GATHER) -> None:
        """``waiting``: how many sentences may wait; ``gather``: see `GATHER`."""
        self.parser = parser
        self._most, self._gather = waiting, gather
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._worker = threading.Thread(target=self._run, name=f"nccp {parser.name}", daemon=True)
        self._worker.start()

    async def parse(self, sentences: Sequence[InputSentence], layers: Sequence[bool] | None = None) -> Parts:
        """Results in order, in parts as they are ready: a `Trace` if ``layers`` are wanted, else a `Parse`.

        Closing the iterator (`contextlib.aclosing`) drops what has not been parsed yet.
        """
        if not sentences:
            return
        job = _Job(sentences, layers or [False] * len(sentences))
        self._add(job)
        try:
            missing = len(sentences)
            while missing:
                part = await job.parts.get()
                if isinstance(part, Exception):
                    raise part
                missing -= len(part)
                yield part
        finally:
            job.dropped = True

    @property
    def waiting(self) -> int:
        """Sentences that the worker has not begun to parse."""
        with self._changed:
            return self._count()

    def close(self) -> None:
        """End the worker after its current round."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._worker.join(timeout=5)

    def _add(self, job: _Job) -> None:
        with self._changed:
            if self._closed:
                raise Refused(503, "The server is shutting down.")
            if (waiting := self._count()) and waiting + len(job.left) > self._most:
                raise Refused(
                    503, f"{waiting:,} sentences are waiting for this model; at most {self._most:,} may."
                )
            self._jobs.append(job)
            self._note_waiting()
            self._changed.notify()

    def _note_waiting(self) -> None:
        metrics.WAITING.labels(self.parser.name).set(self._count())

    def _count(self) -> int:
        return sum(len(job.left) for job in self._jobs if not job.dropped)

    # ---- the worker's thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed:
            with self._changed:
                shares = self._take()
            self._parse(shares)
        with self._changed:
            for job in self._jobs:
                job.deliver(Refused(503, "The server is shutting down."))

    def _take(self) -> list[_Share]:
        """Wait for requests, then take a share of each, the longest waiting first."""
        if not self._jobs:
            self._changed.wait_for(lambda: self._jobs or self._closed)
            end = time.monotonic() + self._gather
            while (rest := end - time.monotonic()) > 0 and not self._closed:
                self._changed.wait(rest)
        self._jobs = deque(job for job in self._jobs if not job.dropped)
        count = min(len(self._jobs), _ROUND // _LEAST)
        shares: list[_Share] = []
        for _ in range(count):
            job = self._jobs.popleft()
            shares.append((job, job.take(_ROUND // count, _WORDS // count)))
            if job.left:
                self._jobs.append(job)
        self._note_waiting()
        return shares

    def _parse(self, shares: list[_Share]) -> None:
        """Parse all shares as one batch; if that fails, each request on its own, so that only one fails."""
        shares = [share for share in shares if not share[0].dropped]
        try:
            results = iter(self._results([one for _, share in shares for one in share]))
        except Exception as error:
            if len(shares) == 1:
                shares[0][0].deliver(error)
            else:
                for one in shares:
                    self._parse([one])
            return
        for job, share in shares:
            metrics.SENTENCES.labels(self.parser.name).inc(len(share))
            job.deliver(list(islice(results, len(share))))

    def _results(self, wanted: list[_Wanted]) -> list[Result]:
        if not wanted:  # all requests were dropped
            return []
        metrics.BATCHES.labels(self.parser.name).observe(len(wanted))
        plain = [given for given, layers in wanted if not layers]
        threads = 1 if len(plain) <= BATCH else self.parser.threads
        engine = self.parser.engine
        parses = iter(list(stream(engine, plain, threads=threads, scores=True)) if plain else [])
        return [trace(engine, given) if layers else next(parses) for given, layers in wanted]
