"""A worker process: the application on a listening socket, within the limits of the process."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from nccp.web import metrics
from nccp.web.app import create_app
from nccp.web.guard import Limits
from nccp.web.models import Models

log = logging.getLogger("nccp.web")

_SPARE = 16  # file descriptors that are kept free for models and files
_LINGER = 0.5  # seconds that an idle connection stays open for a request on its way when the server ends
_CROWDED = 1.0  # seconds after which idle connections are closed while others wait for a place
_STUCK = 60.0  # seconds that a client may take to read what has been sent
_MESSAGES = 60.0  # seconds between two messages about connections


@dataclass(frozen=True)
class Settings:
    """How to serve; worker processes are started with it."""

    models: tuple[str, ...] = ()
    """Names or paths; all installed models if empty."""
    hosts: frozenset[str] | None = None
    token: str | None = None
    limits: Limits = field(default_factory=Limits)
    grace: float = 30
    """Seconds that running requests have to finish after SIGTERM or Ctrl-C."""
    idle: float = 15
    """Seconds after which a connection without a request is closed."""
    connections: int = 1000
    """Connections that are open at a time; further ones wait. Never more than the process has room for."""
    threads: int | None = None
    """Threads of each model; one per core if None."""
    log_format: str = "text"
    log_level: str = "warning"


def run(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; ``ready`` is called when requests are accepted."""
    models = Models.find(settings.models, waiting=settings.limits.waiting, threads=settings.threads)
    app = create_app(models, settings.limits, hosts=settings.hosts, token=settings.token)
    try:
        make_server(app, settings, ready).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn raises it again after an orderly end
        pass
    finally:
        listening.close()


def make_server(app: Starlette, settings: Settings, ready: Callable[[], None]) -> uvicorn.Server:
    """A server that has not started yet; setting its ``should_exit`` ends it."""
    config = uvicorn.Config(
        app,
        http=_Connection,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=max(1, round(settings.idle)),
        timeout_graceful_shutdown=round(settings.grace) + 5,  # the application ends its requests before
    )
    return _Server(config, app, settings, ready)


class _Connection(H11Protocol):
    """A connection that knows since when it has been idle, and ends if its client does not read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.idle_since = time.monotonic()
        self.closed: Callable[[], None] = lambda: None
        self._last = False
        self._stuck: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.resume_writing()
        self.closed()

    def handle_events(self) -> None:
        super().handle_events()
        if self._last and self.cycle is not None:
            self.cycle.keep_alive = False

    def on_response_complete(self) -> None:
        self.idle_since = time.monotonic()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed body; the application may be at work on the request, or answering it already."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = self.loop.call_later(_STUCK, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def close_if_idle(self) -> None:
        if self.idle and not self.transport.is_closing():
            self.transport.close()

    def shutdown(self) -> None:
        """Finish the request; without one, wait a moment for one that may be on its way."""
        self._last = True
        if self.idle:
            self.loop.call_later(_LINGER, self.close_if_idle)
        else:
            self.cycle.keep_alive = False


class _Server(uvicorn.Server):
    """Accepts no more connections than the process has room for, and ends without breaking any request.

    asyncio's own servers accept without limit; when file descriptors run out they log an error for each
    attempt, thousands of times a second.
    """

    def __init__(
        self, config: uvicorn.Config, app: Starlette, settings: Settings, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._service, self._settings, self._ready = app.state.service, settings, ready
        self._open = 0
        self._most = settings.connections
        self._starting: set[asyncio.Task[Any]] = set()
        self._said = -_MESSAGES

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        if sys.platform == "win32":  # no readers of sockets there; asyncio's own servers have to do
            await super().startup(sockets)
        else:
            await self.lifespan.startup()
            if self.lifespan.should_exit:
                sys.exit(uvicorn.config.STARTUP_FAILURE)
            self.servers = []
            self._sockets = sockets or []
            self._most = min(self._most, _room())
            for listening in self._sockets:
                listening.setblocking(False)
            self._listen(True)
            self.started = True
        if not self.should_exit:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second: close what has been idle for too long."""
        if counter % 5 == 0:
            limit = _CROWDED if self._open >= self._most else self._settings.idle
            latest = time.monotonic() - min(limit, self._settings.idle)
            for connection in list(self.server_state.connections):
                if isinstance(connection, _Connection) and connection.idle_since <= latest:
                    connection.close_if_idle()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take in the connections that already wait, let all requests finish, and refuse the late ones."""
        if sys.platform != "win32":
            self._listen(False)
        self._service.draining = True
        if sys.platform != "win32":
            for listening in self._sockets:
                while self._open < self._most and self._accept(listening):
                    pass
            if self._starting:
                await asyncio.wait(self._starting)
        asyncio.get_running_loop().call_later(self._settings.grace, self._service.stopping.set)
        await super().shutdown(sockets)

    def _listen(self, on: bool) -> None:
        """Accept connections, or let them wait."""
        loop = asyncio.get_running_loop()
        for listening in self._sockets:
            if not on:
                loop.remove_reader(listening)
            elif not self._service.draining and self._open < self._most:
                loop.add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> bool:
        """Take one connection; False if there is none."""
        loop = asyncio.get_running_loop()
        try:
            accepted, _ = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return False
        except OSError as error:  # out of file descriptors or memory
            self._say(f"cannot accept connections: {error.strerror}; {self._open} are open")
            self._most = max(1, self._open)  # the process has no room for more
            self._listen(False)
            loop.call_later(1, self._listen, True)
            return False
        accepted.setblocking(False)
        self._open += 1
        metrics.CONNECTIONS.inc()
        if self._open >= self._most:
            self._say(f"{self._open} connections are open, the limit; further ones wait")
            self._listen(False)
        task = loop.create_task(self._start(accepted))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        return True

    async def _start(self, accepted: socket.socket) -> None:
        loop = asyncio.get_running_loop()

        def connection() -> _Connection:
            made = _Connection(
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state, _loop=loop
            )
            made.closed = self._closed
            return made

        try:
            await loop.connect_accepted_socket(connection, accepted)
        except OSError:  # the client has already gone
            accepted.close()
            self._closed()

    def _closed(self) -> None:
        self._open -= 1
        metrics.CONNECTIONS.dec()
        if self._open == self._most - 1:
            self._listen(True)

    def _say(self, message: str) -> None:
        """Warn, but not again for a while."""
        if time.monotonic() - self._said >= _MESSAGES:
            self._said = time.monotonic()
            log.warning(message)


def _room() -> int:
    """How many connections the process has file descriptors for."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    used = next((len(os.listdir(path)) for path in ("/proc/self/fd", "/dev/fd") if os.path.isdir(path)), 16)
    return max(1, limit - used - _SPARE)
