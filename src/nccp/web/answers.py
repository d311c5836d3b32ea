"""How an endpoint's work is run: within its time, only as long as the client is there, off the event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from nccp.errors import NccpError
from nccp.web.limits import Refused
from nccp.web.values import encode

T = TypeVar("T")

NDJSON = "application/x-ndjson"
log = logging.getLogger("nccp.web")

BROKEN = "Something went wrong in the server."
_GONE = 499  # nginx's number for a client that has hung up; nobody sees it


def json_answer(value: Any) -> Response:
    """Any value as JSON."""
    return Response(encode(value), media_type="application/json")


async def answer(request: Request, work: Coroutine[Any, Any, Response], seconds: float) -> Response:
    """Do the work, unless it takes too long or the client hangs up; then it is cancelled."""
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({task, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return _result(task)
        if gone.done():
            return Response(status_code=_GONE)
        raise Refused(503, _too_long(seconds))
    finally:
        for one in (task, gone):
            one.cancel()


async def stream_answer(lines: Awaitable[AsyncGenerator[bytes, None]], seconds: float) -> Response:
    """Lines as they are ready, once the work has begun. What goes wrong then is the last line: an error.

    When the client hangs up, the server cancels the sending, and with it the work behind the lines.
    """
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(_until(await lines, seconds), media_type=NDJSON, headers=headers)


async def _until(lines: AsyncGenerator[bytes, None], seconds: float) -> AsyncIterator[bytes]:
    end = time.monotonic() + seconds
    async with aclosing(lines):
        try:
            while True:
                yield await asyncio.wait_for(anext(lines), end - time.monotonic())
        except StopAsyncIteration:
            return
        except asyncio.TimeoutError:
            why = _too_long(seconds)
        except (NccpError, Refused) as error:
            why = str(error)
        except Exception:
            log.exception("a streamed answer failed")
            why = BROKEN
        yield encode({"error": why}) + b"\n"


def _result(task: asyncio.Future[Response]) -> Response:
    try:
        return task.result()
    except (NccpError, Refused):
        raise
    except Exception:
        log.exception("an answer failed")
        raise Refused(500, BROKEN) from None


def _too_long(seconds: float) -> str:
    return f"This took more than {seconds:g} seconds; ask for less at a time."


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
