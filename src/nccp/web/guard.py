"""What a request may ask for, and the middleware that checks it before the application sees it."""

from __future__ import annotations

import asyncio
import hmac
import logging
import threading
import time
from collections.abc import Collection
from contextvars import ContextVar
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nccp.web import metrics

log = logging.getLogger("nccp.web.access")

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine for itself."""

OPEN = frozenset({"/api/health", "/api/ready", "/healthz", "/readyz"})
"""Addresses for probes: they need no access token, and are answered however busy the server is."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class Limits:
    """The limits of a server process. A request beyond them is refused, and the error names the limit."""

    body: int = 8 << 20
    """Bytes of a request."""
    bodies: int = 16 << 20
    """Bytes of all requests that are being answered. A byte may become 20 in memory when it is decoded."""
    requests: int = 256
    """Requests that are being answered at a time."""
    sentences: int = 10_000
    """Sentences of a request."""
    words: int = 1000
    """Words of a sentence."""
    letters: int = 20_000
    """Characters of a sentence."""
    request_words: int = 250_000
    """Words of all sentences of a request."""
    held_words: int = 400_000
    """Words of all requests that are being answered. A word and its response take about 500 bytes."""
    tree: int = 1 << 20
    """Bytes of one tree that is sent to the server."""
    layered: int = 100
    """Sentences of a request whose layers are returned."""
    layered_words: int = 300
    """Words of each of them: all layers together have up to half as many nodes as that squared."""
    depth: int = 500
    """Levels of a tree that is sent to the server."""
    seconds: float = 60
    """Time until a request is answered."""
    stream_seconds: float = 600
    """Time until the last line of a streamed response."""
    waiting: int = 50_000
    """Sentences that may wait for one model."""


class Refused(Exception):
    """A request that is refused: its status, and why in one plain sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


def error_response(status: int, why: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Every error is ``{"error": "one plain sentence"}``."""
    headers = dict(headers or {})
    if status == 503:
        headers["Retry-After"] = "2"
    elif status in (400, 401, 403, 408, 413, 421):  # the body may not have been read
        headers["Connection"] = "close"
    return JSONResponse({"error": why}, status, headers=headers)


_WORDS: ContextVar[_Words | None] = ContextVar("words", default=None)


def hold_words(count: int) -> None:
    """Count words that the current request keeps in memory until it is answered; `Refused` beyond a limit."""
    if (words := _WORDS.get()) is not None:
        words.hold(count)


class Guard:
    """Refuses foreign hosts and origins, missing tokens, and too many or too large requests.

    A page from elsewhere can make a browser call a server on this machine, by giving its own name the address
    127.0.0.1 (DNS rebinding). The header Host then holds that name: only ``hosts`` pass, or all if None. A
    request that another site's page sends carries that site as its Origin, and is refused as well.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, hosts: Collection[str] | None, token: str | None = None
    ) -> None:
        """``token``: what requests to the API must send as ``Authorization: Bearer TOKEN``."""
        self.app, self.limits, self.hosts, self.token = app, limits, hosts, token
        self._requests = 0
        self._bytes = 0
        self._words = 0
        self._lock = threading.Lock()  # words are counted by the threads of handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        status, began = 0, time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for key, value in _HEADERS.items():
                    headers.setdefault(key, value)
                if scope["app"].state.service.draining:
                    headers["Connection"] = "close"
            await send(message)

        try:
            await self._run(scope, receive, send_with_headers)
        finally:
            _note(scope, status, time.perf_counter() - began)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope["path"], Headers(scope=scope))
        except Refused as refused:
            headers = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else None
            await error_response(refused.status, refused.why, headers)(scope, receive, send)
            return
        body, words = _Body(self, receive), _Words(self)
        _WORDS.set(words)
        self._requests += 1
        try:
            with metrics.RUNNING.track_inprogress():
                await self.app(scope, body.receive, send)
        finally:
            self._requests -= 1
            self._bytes -= body.size
            words.release()

    def _check(self, path: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            raise Refused(421, "This server does not answer to that host name; see nccp serve --allow-host.")
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin, host):
            raise Refused(403, "This server does not answer requests from other sites' pages.")
        if self.token is not None and _is_protected(path) and not self._has_token(headers):
            raise Refused(401, "This server needs an access token: send Authorization: Bearer TOKEN.")
        length = headers.get("content-length", "")
        if length.isascii() and length.isdigit() and int(length[:20]) > self.limits.body:
            raise Refused(413, self.too_large)
        if self._requests >= self.limits.requests and path not in OPEN:
            raise Refused(503, f"The server is answering {self.limits.requests:,} requests, its limit.")

    @property
    def too_large(self) -> str:
        """The error for a large body."""
        return f"The request is larger than {self.limits.body:,} bytes."

    def hold(self, size: int) -> None:
        """Count bytes of a request that is being answered."""
        if self._bytes + size > self.limits.bodies:
            raise Refused(503, f"The server is holding {self.limits.bodies:,} bytes of requests, its limit.")
        self._bytes += size

    def hold_words(self, count: int) -> None:
        """Count words of a request that is being answered; a negative count releases them."""
        with self._lock:
            if count > 0 and self._words + count > self.limits.held_words:
                most = f"{self.limits.held_words:,} words of requests"
                raise Refused(503, f"The server is holding {most}, its limit.")
            self._words += count

    def _is_own(self, origin: str, host: str) -> bool:
        """Whether a request comes from a page of this server."""
        try:
            netloc = urlsplit(origin).netloc
        except ValueError:
            return False
        return bool(netloc) and (
            netloc.lower() == host.strip().lower() or (self.hosts is not None and _name(netloc) in self.hosts)
        )

    def _has_token(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        expected = self.token or ""
        return kind.lower() == "bearer" and hmac.compare_digest(
            token.strip().encode("latin-1"), expected.encode()
        )


class _Body:
    """Counts a request's bytes as they arrive, and the time that they take."""

    def __init__(self, guard: Guard, receive: Receive) -> None:
        self.size = 0
        self._guard, self._receive = guard, receive
        self._whole, self._end = False, time.monotonic() + guard.limits.seconds

    async def receive(self) -> Message:
        if self._whole:  # only the end of the connection can follow
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), max(self._end - time.monotonic(), 0.001))
        except asyncio.TimeoutError:
            seconds = self._guard.limits.seconds
            raise Refused(408, f"The request was not complete within {seconds:g} seconds.") from None
        size = len(message.get("body", b""))
        if self.size + size > self._guard.limits.body:
            raise Refused(413, self._guard.too_large)
        self._guard.hold(size)
        self.size += size
        self._whole = not message.get("more_body", False)
        return message


class _Words:
    """Counts the words of a request until it is answered."""

    def __init__(self, guard: Guard) -> None:
        self._guard, self._held = guard, 0

    def hold(self, count: int) -> None:
        most = self._guard.limits.request_words
        if self._held + count > most:
            raise Refused(413, f"The request has more than {most:,} words.")
        self._guard.hold_words(count)
        self._held += count

    def release(self) -> None:
        self._guard.hold_words(-self._held)
        self._held = 0


def _is_protected(path: str) -> bool:
    return (path.startswith("/api/") or path == "/metrics") and path not in OPEN


def _note(scope: Scope, status: int, seconds: float) -> None:
    """Measure and log a request."""
    path = scope["path"]
    known = path if "endpoint" in scope and not path.startswith("/page/") else "other"
    metrics.REQUESTS.labels(known, str(status)).inc()
    metrics.SECONDS.labels(known).observe(seconds)
    metrics.note_memory()
    client = scope.get("client")
    log.info(
        "%s %s %d %.1f ms",
        scope["method"],
        path,
        status,
        1000 * seconds,
        extra={
            "method": scope["method"],
            "path": path,
            "status": status,
            "milliseconds": round(1000 * seconds, 1),
            "client": client[0] if client else None,
        },
    )


def _name(host: str) -> str:
    """A host without its port, and without the brackets of an IPv6 address."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].removesuffix(".")
