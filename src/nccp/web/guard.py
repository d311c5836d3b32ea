"""What stands in front of the application: who may ask, how much, and what browsers are told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine, for itself."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Turns away foreign hosts and large bodies, and puts security headers on every answer.

    A page from elsewhere can make a browser ask a server on this machine, by giving its own name the address
    127.0.0.1 (DNS rebinding). The header Host then holds that name: only ``hosts`` pass, or all if None.
    """

    def __init__(self, app: ASGIApp, body: int, seconds: float, hosts: Collection[str] | None) -> None:
        """``body`` in bytes, and ``seconds`` until all of it has to be there."""
        self.app, self.body, self.seconds, self.hosts = app, body, seconds, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for key, value in _HEADERS.items():
                    headers[key] = value
            await send(message)

        headers = Headers(scope=scope)
        if self.hosts is not None and _name(headers.get("host", "")) not in self.hosts:
            await _refuse(421, "This server does not answer to that name.")(scope, receive, dressed)
        elif self._too_large(headers.get("content-length", "")):
            await _refuse(413, self._why)(scope, receive, dressed)
        else:
            await self.app(scope, self._counted(receive), dressed)

    @property
    def _why(self) -> str:
        return f"The request is larger than {self.body:,} bytes."

    def _too_large(self, length: str) -> bool:
        return length.isascii() and length.isdigit() and int(length[:20]) > self.body

    def _counted(self, receive: Receive) -> Receive:
        """For bodies that do not say how long they will be, and those that never end."""
        seen, whole, end = 0, False, time.monotonic() + self.seconds

        async def counted() -> Message:
            nonlocal seen, whole
            if whole:  # nothing but the end of the connection can follow
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(end - time.monotonic(), 0.001))
            except asyncio.TimeoutError:
                raise HTTPException(408, f"No whole request within {self.seconds:g} seconds.") from None
            seen += len(message.get("body", b""))
            if seen > self.body:
                raise HTTPException(413, self._why)
            whole = not message.get("more_body", False)
            return message

        return counted


def _name(host: str) -> str:
    """Without the port, and the brackets of an IPv6 address."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].removesuffix(".")


def _refuse(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": why}, status, headers={"Connection": "close"})
