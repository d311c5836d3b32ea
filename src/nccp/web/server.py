"""Running the application on a socket."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

_PATIENCE = 3  # seconds that answers on their way have when the server ends


def run(app: ASGIApp, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; ``ready`` is called when the first request can come."""
    try:
        make_server(app, ready).run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn has ended in good order by now
        pass
    finally:
        listening.close()


def make_server(app: ASGIApp, ready: Callable[[], None]) -> uvicorn.Server:
    """A server that is yet to run; setting its ``should_exit`` ends it."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
        ws="none",
    )
    return _Server(config, ready)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()
