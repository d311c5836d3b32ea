"""The application: its addresses, and how a request's work is run and its errors are reported."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from nccp.errors import NccpError
from nccp.web import docs, handlers, metrics, requests, responses
from nccp.web.guard import Guard, Limits, Refused, error_response
from nccp.web.handlers import Service
from nccp.web.models import Models
from nccp.web.responses import encode

PAGE = Path(__file__).parent / "page"
NDJSON = "application/x-ndjson"
BROKEN = "The server failed to answer; its log says why."
STOPPED = "The server was stopped before the response was complete; try again."
_GONE = 499  # nginx's status for a client that has closed the connection; nobody sees it
log = logging.getLogger("nccp.web")
T = TypeVar("T")


class Endpoint(NamedTuple):
    """An address of the API. Routes and documentation are made from these."""

    path: str
    summary: str
    handler: Callable[..., Any]
    request: type[requests.Request] | None = None
    responses: tuple[type, ...] = ()
    """Types of the response, or of the lines of a streamed one."""
    streams: bool = False

    @property
    def method(self) -> str:
        """GET, or POST if there is a request body."""
        return "GET" if self.request is None else "POST"


ENDPOINTS = (
    Endpoint("/api/health", "Whether the server is running", handlers.health, None, (responses.Health,)),
    Endpoint("/api/ready", "Whether the server can parse now", handlers.ready, None, (responses.Health,)),
    Endpoint(
        "/api/models",
        "The models of this server",
        handlers.describe_models,
        None,
        (responses.ModelsResponse,),
    ),
    Endpoint(
        "/api/parse", "Parse sentences", handlers.parse, requests.ParseRequest, (responses.ParseResponse,)
    ),
    Endpoint(
        "/api/parse/stream",
        "Parse sentences; one line of JSON per sentence, as soon as it is ready",
        handlers.parse_lines,
        requests.ParseRequest,
        (responses.ParsedSentence, responses.ErrorResponse),
        streams=True,
    ),
    Endpoint(
        "/api/compare",
        "Compare trees",
        handlers.compare,
        requests.CompareRequest,
        (responses.CompareResponse,),
    ),
    Endpoint(
        "/api/open",
        "List and score a file of trees; one line of JSON per tree, and a last one with the totals",
        handlers.open_lines,
        requests.OpenRequest,
        (responses.Row, responses.Summary, responses.ErrorResponse),
        streams=True,
    ),
    Endpoint(
        "/api/layers",
        "The layers of any tree, as a model sees them in training",
        handlers.layers,
        requests.LayersRequest,
        (responses.LayersResponse,),
    ),
    Endpoint(
        "/api/explain",
        "What labels and tags mean",
        handlers.explain,
        requests.ExplainRequest,
        (responses.ExplainResponse,),
    ),
    Endpoint("/api/draw", "Draw a tree as LaTeX, SVG or text", handlers.draw, requests.DrawRequest, (str,)),
)


def create_app(
    models: Models,
    limits: Limits | None = None,
    *,
    hosts: Collection[str] | None = None,
    token: str | None = None,
) -> Starlette:
    """The page and the API over these models, which are closed when the application ends.

    ``hosts`` and ``token``: see `nccp.web.guard.Guard`.
    """
    service = Service(models, limits or Limits())
    document = docs.openapi(ENDPOINTS)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        loading = asyncio.ensure_future(_load_default(models))
        yield
        await loading
        models.close()

    async def index(request: Request) -> Response:
        return FileResponse(PAGE / "index.html")

    async def openapi(request: Request) -> Response:
        return _json(document)

    async def documentation(request: Request) -> Response:
        return HTMLResponse(docs.page(document))

    async def measurements(request: Request) -> Response:
        text, kind = metrics.render()
        return Response(text, headers={"Content-Type": kind})

    app = Starlette(
        routes=[
            Route("/", index),
            Mount("/page", StaticFiles(directory=PAGE)),
            Route("/docs", documentation),
            Route("/metrics", measurements),
            Route("/api/openapi.json", openapi),
            Route("/healthz", _route(ENDPOINTS[0], service)),
            Route("/readyz", _route(ENDPOINTS[1], service)),
            *(Route(one.path, _route(one, service), methods=[one.method]) for one in ENDPOINTS),
        ],
        middleware=[Middleware(Guard, limits=service.limits, hosts=hosts, token=token)],
        exception_handlers={Refused: _refused, NccpError: _invalid, HTTPException: _other},
        lifespan=lifespan,
    )
    app.state.service = service
    return app


async def _load_default(models: Models) -> None:
    with suppress(Refused):  # its error has been logged, and requests for it will be refused
        await run_in_threadpool(models.get)


# ---- running the work of a request


def _route(endpoint: Endpoint, service: Service) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        try:
            return await _response(endpoint, service, request)
        except (Refused, NccpError, HTTPException):
            raise
        except ClientDisconnect:
            return Response(status_code=_GONE)
        except Exception:
            log.exception("a request to %s failed", endpoint.path)
            raise Refused(500, BROKEN) from None

    return respond


async def _response(endpoint: Endpoint, service: Service, request: Request) -> Response:
    if endpoint.request is None:
        return _json(await endpoint.handler(service))
    body = requests.decode_request(
        await request.body(), request.headers.get("content-type", ""), endpoint.request
    )
    value = await _within(request, endpoint.handler(body, service), service)
    if isinstance(value, Response):
        return value
    if endpoint.streams:
        lines = _lines_until_stopped(value, service.limits.stream_seconds, service.stopping)
        return StreamingResponse(lines, media_type=NDJSON, headers={"X-Accel-Buffering": "no"})
    if isinstance(value, str):
        return PlainTextResponse(value)
    return await run_in_threadpool(_json, value)


async def _within(request: Request, work: Coroutine[Any, Any, T], service: Service) -> T | Response:
    """Do the work, unless it takes too long, the client disconnects, or the server is stopped."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnected(request))
    stopped = asyncio.ensure_future(service.stopping.wait())
    waiting: set[asyncio.Future[Any]] = {task, gone, stopped}
    seconds = service.limits.seconds
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if gone.done():
            return Response(status_code=_GONE)
        raise Refused(503, STOPPED if stopped.done() else _too_long(seconds))
    finally:
        for one in waiting:
            one.cancel()


async def _lines_until_stopped(
    lines: AsyncGenerator[bytes, None], seconds: float, stopping: asyncio.Event
) -> AsyncIterator[bytes]:
    """Lines as they are ready. An error on the way becomes the last line.

    When the client disconnects, the server cancels the sending, and with it the work behind the lines.
    """
    end = time.monotonic() + seconds
    stopped = asyncio.ensure_future(stopping.wait())
    coming: asyncio.Future[bytes] | None = None
    try:
        async with aclosing(lines):
            try:
                while True:
                    coming = asyncio.ensure_future(anext(lines))
                    await asyncio.wait(
                        {coming, stopped}, timeout=end - time.monotonic(), return_when=asyncio.FIRST_COMPLETED
                    )
                    if not coming.done():
                        why = STOPPED if stopped.done() else _too_long(seconds)
                        break
                    yield coming.result()
            except StopAsyncIteration:
                return
            except (NccpError, Refused) as error:
                why = str(error)
            except Exception:
                log.exception("a streamed response failed")
                why = BROKEN
            finally:
                await _cancel(coming)
            yield encode(responses.ErrorResponse(error=why)) + b"\n"
    finally:
        stopped.cancel()


async def _cancel(task: asyncio.Future[Any] | None) -> None:
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})


def _too_long(seconds: float) -> str:
    return f"The request took more than {seconds:g} seconds, the limit; send fewer sentences at a time."


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _json(value: Any) -> Response:
    return Response(encode(value), media_type="application/json")


# ---- errors


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error_response(error.status, error.why)


async def _invalid(request: Request, error: Exception) -> Response:
    return error_response(422, str(error))


async def _other(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why = str(error.detail)
    if error.status_code == 404:
        why = "There is nothing at this address; see /docs."
    elif error.status_code == 405:
        why = f"This address does not take {request.method} requests; see /docs."
    return error_response(error.status_code, why, dict(error.headers or {}))
