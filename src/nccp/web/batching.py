"""Requests that arrive together are parsed together.

A model has one worker, a thread. It takes what waits, a share of every request, parses all of it as one
batch, and hands each request its part; meanwhile others queue up. A request is never held up by a large one
before it, a request that fails does so alone, and one that nobody waits for any more is dropped. A
sentence's tree does not depend on its company, so none of this shows.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from itertools import islice

from nccp.decoding import Parser
from nccp.decoding.input_sentence import Given
from nccp.decoding.stream import BATCH, stream
from nccp.decoding.trace import Trace, trace
from nccp.web.limits import Refused

GATHER = 0.002
"""Seconds that an idle worker waits for others to join the first."""

_ROUND = 2 * BATCH  # sentences of a batch of several requests, about
_LEAST = 16  # sentences of a request in a round, if it has so many
_WORDS = 1 << 13  # words of a round, about: one with long sentences shall not take longer


class _Job:
    """The sentences of a request that are still to be parsed, and where their parses go."""

    def __init__(self, sentences: Sequence[Given], layers: bool) -> None:
        self.layers, self.left = layers, deque(sentences)
        self.dropped = False
        self.parts: asyncio.Queue[list[Trace] | Exception] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def take(self, sentences: int, words: int) -> list[Given]:
        """The next sentences, until there are so many, or so many words."""
        taken: list[Given] = []
        while self.left and len(taken) < sentences and words > 0:
            taken.append(self.left.popleft())
            words -= len(taken[-1])
        return taken

    def deliver(self, part: list[Trace] | Exception) -> None:
        """From the worker's thread to the request's event loop. After an exception nothing follows."""
        if isinstance(part, Exception):
            self.dropped = True
        try:
            self._loop.call_soon_threadsafe(self.parts.put_nowait, part)
        except RuntimeError:  # the loop has been closed: nobody is there any more
            self.dropped = True


Parts = AsyncGenerator[list[Trace], None]
_Share = tuple[_Job, list[Given]]


class Batcher:
    """A parser that many requests share."""

    def __init__(self, parser: Parser, *, waiting: int = 50_000, gather: float = GATHER) -> None:
        """``waiting``: how many sentences may wait at a time; ``gather``: see `GATHER`."""
        self.parser = parser
        self._most, self._gather = waiting, gather
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._worker = threading.Thread(target=self._run, name=f"nccp {parser.name}", daemon=True)
        self._worker.start()

    async def parse(self, sentences: Sequence[Given], *, layers: bool = False) -> Parts:
        """Parses in order, in parts as they are ready; unless ``layers`` are asked for they have none.

        Close the iterator (`contextlib.aclosing`), and what has not been parsed yet never will be.
        """
        if not sentences:
            return
        job = _Job(sentences, layers)
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
        """Sentences that are asked for, and that the worker has not begun to parse."""
        with self._changed:
            return self._count()

    def close(self) -> None:
        """End the worker, after the batch it is at."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._worker.join(timeout=5)

    def _add(self, job: _Job) -> None:
        with self._changed:
            if self._closed:
                raise Refused(503, "The server is shutting down.")
            if (waiting := self._count()) and waiting + len(job.left) > self._most:
                raise Refused(503, "The server has too much to do at the moment; try again later.")
            self._jobs.append(job)
            self._changed.notify()

    def _count(self) -> int:
        return sum(len(job.left) for job in self._jobs if not job.dropped)

    # ---- the worker's thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closed:
            with self._changed:
                shares = self._take()
            self._parse([share for share in shares if not share[0].layers])
            for job, share in shares:
                if job.layers:
                    self._trace(job, share)
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
        return shares

    def _parse(self, shares: list[_Share]) -> None:
        """All of these as one batch; if that fails each for itself, so that only who is at fault learns."""
        if not shares:  # all were dropped, or want layers
            return
        sentences = [given for _, share in shares for given in share]
        threads = 1 if len(sentences) <= BATCH else self.parser.threads
        try:
            parses = iter(list(stream(self.parser.engine, sentences, threads=threads, details=True)))
        except Exception as error:
            if len(shares) == 1:
                shares[0][0].deliver(error)
            else:
                for one in shares:
                    self._parse([one])
            return
        for job, share in shares:
            job.deliver([Trace(parse, []) for parse in islice(parses, len(share))])

    def _trace(self, job: _Job, share: list[Given]) -> None:
        for given in share:
            if job.dropped:
                return
            try:
                job.deliver([trace(self.parser.engine, given)])
            except Exception as error:
                job.deliver(error)
