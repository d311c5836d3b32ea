"""Several worker processes on one socket: started, watched, replaced when they die, and ended together."""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

import msgspec

from nccp.errors import NccpError
from nccp.web.metrics import SHARED
from nccp.web.server import Settings, run

log = logging.getLogger("nccp.web")

_FIELDS = ("method", "path", "status", "milliseconds", "client")


def serve(settings: Settings, listening: socket.socket, workers: int, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM, in this process or in several; ``ready`` is called when all accept."""
    configure_logging(settings)
    if workers == 1:
        run(settings, listening, ready)
    else:
        _Workers(settings, listening, workers, ready).run()


def configure_logging(settings: Settings) -> None:
    """Log to standard error, as text or with one JSON object per line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _JsonFormatter()
        if settings.log_format == "json"
        else logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    )
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    if settings.log_level == "warning":  # or each malformed request would be a line
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        made: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        made.update({key: getattr(record, key) for key in _FIELDS if hasattr(record, key)})
        if record.exc_info:
            made["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(made).decode()


class _Worker:
    """A worker process and the pipe to it: it says when it is ready, and ends when the pipe breaks."""

    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(settings, listening, theirs))
        self.process.start()
        theirs.close()
        self.ready = False

    def hear(self) -> None:
        """Note whether the process has reported that it is ready."""
        try:
            while self.pipe.poll():
                self.pipe.recv()
                self.ready = True
        except (EOFError, OSError):
            pass


class _Workers:
    def __init__(
        self, settings: Settings, listening: socket.socket, count: int, ready: Callable[[], None]
    ) -> None:
        self._settings, self._listening, self._count, self._ready = settings, listening, count, ready
        self._stopping = False
        self._workers: list[_Worker] = []

    def run(self) -> None:
        folder = tempfile.mkdtemp(prefix="nccp-metrics-")
        os.environ[SHARED] = folder
        before = {one: signal.signal(one, self._stop) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._workers = [_Worker(self._settings, self._listening) for _ in range(self._count)]
            self._watch()
        finally:
            self._listening.close()
            self._end()
            for one, handler in before.items():
                signal.signal(one, handler)
            del os.environ[SHARED]
            shutil.rmtree(folder, ignore_errors=True)

    def _stop(self, number: int, frame: object) -> None:
        self._stopping = True

    def _watch(self) -> None:
        told = False
        while not self._stopping:
            wait([one.process.sentinel for one in self._workers] + [one.pipe for one in self._workers], 0.5)
            for one in self._workers:
                one.hear()
            if not told and all(one.ready for one in self._workers):
                told = True
                self._ready()
            for place, one in enumerate(self._workers):
                if one.process.is_alive() or self._stopping:
                    continue
                code = one.process.exitcode
                if not told:
                    raise NccpError(
                        f"a worker process could not start (exit code {code}); see its messages above"
                    )
                log.error("worker process %s ended (exit code %s); starting another", one.process.pid, code)
                _forget(one)
                time.sleep(1)
                self._workers[place] = _Worker(self._settings, self._listening)

    def _end(self) -> None:
        for one in self._workers:
            if one.process.is_alive():
                one.process.terminate()
        end = time.monotonic() + self._settings.grace + 15
        for one in self._workers:
            one.process.join(max(0.0, end - time.monotonic()))
            if one.process.is_alive():
                log.error("worker process %s did not end; killing it", one.process.pid)
                one.process.kill()
                one.process.join()
            _forget(one)


def _forget(worker: _Worker) -> None:
    """Remove the gauges of a process that has ended."""
    from prometheus_client.multiprocess import mark_process_dead

    worker.pipe.close()
    if worker.process.pid is not None:
        mark_process_dead(worker.process.pid)  # type: ignore[no-untyped-call]


def _work(settings: Settings, listening: socket.socket, pipe: Connection) -> None:
    """The main function of a worker process."""

    def follow_parent() -> None:
        try:
            pipe.recv()
        except (EOFError, OSError):  # the parent has ended, however it did
            os.kill(os.getpid(), signal.SIGTERM)

    configure_logging(settings)
    threading.Thread(target=follow_parent, daemon=True).start()
    run(settings, listening, lambda: pipe.send("ready"))
