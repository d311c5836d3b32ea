"""Several worker processes on this machine. One that dies is replaced, and its item is done again.

Workers are new interpreters, not forks of this one: a program that calls
`nccp.bulk.parse_corpus` needs no guard around its main module, and notebooks work.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from nccp.bulk.engines import R, T, Work
from nccp.bulk.folder import ATTEMPTS
from nccp.bulk.worker import receive, send
from nccp.errors import NccpError


class LocalEngine:
    """An engine of ``workers`` processes."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.deaths = 0
        """Workers that have died."""

    def map(self, work: Work[T, R], items: Sequence[T]) -> Generator[R]:
        """Results as they come."""
        waiting = deque(range(len(items)))
        attempts = [0] * len(items)
        inbox: SimpleQueue[tuple[_Process, Any]] = SimpleQueue()
        running: dict[_Process, int] = {}  # and the item of each
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    process = _Process(work, inbox)
                    running[process] = item = waiting.popleft()
                    process.send(items[item])
                process, outcome = inbox.get()
                if process not in running:  # we have stopped it ourselves
                    continue
                item = running.pop(process)
                if outcome is None:
                    process.stop()
                    self.deaths += 1
                    attempts[item] += 1
                    if attempts[item] == ATTEMPTS:
                        raise NccpError(
                            f"{ATTEMPTS} workers died over the same part of the work, the last with "
                            f"{process.status()}; if memory is short, use fewer --workers"
                        )
                    waiting.appendleft(item)
                    continue
                if waiting:
                    running[process] = following = waiting.popleft()
                    process.send(items[following])
                else:
                    process.stop()
                yield outcome.value()
        finally:
            for process in running:
                process.stop()


class _Process:
    """A worker process; its results, and None when it is gone, go to ``inbox``."""

    def __init__(self, work: Any, inbox: SimpleQueue[tuple[_Process, Any]]) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        self._popen = subprocess.Popen(
            [sys.executable, "-c", "from nccp.bulk.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")},
        )
        self._inbox = inbox
        self.send(work)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._popen.stdout is not None
        try:
            while True:
                self._inbox.put((self, receive(self._popen.stdout)))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._inbox.put((self, None))

    def send(self, message: Any) -> None:
        """Hand the worker something; a dead one is noticed by its silence."""
        assert self._popen.stdin is not None
        with suppress(OSError):
            send(self._popen.stdin, message)

    def status(self) -> str:
        """How it ended."""
        code = self._popen.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def stop(self) -> None:
        """End it now: whatever it was doing is of no use any more."""
        self._popen.kill()
        self._popen.wait()
