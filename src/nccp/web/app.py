"""The application: addresses and what answers them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from nccp import __version__
from nccp.errors import NccpError
from nccp.web import schemas, work
from nccp.web.answers import BROKEN, answer, json_answer, stream_answer
from nccp.web.files import page_answer
from nccp.web.guard import Guard
from nccp.web.limits import Limits, Refused
from nccp.web.models import Models
from nccp.web.problems import describe_problem

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Error, "description": what}
    for status, what in (
        (400, "not JSON"),
        (404, "no such model"),
        (413, "too much"),
        (422, "not a question that has an answer"),
        (503, "too busy, or it took too long"),
    )
}


def create_app(
    models: Models, limits: Limits | None = None, *, hosts: Collection[str] | None = None
) -> FastAPI:
    """The page and the API over these models, which are closed when the application ends.

    ``hosts``: the names by which the server may be called, see `nccp.web.guard`; None for any.
    """
    limits = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        models.close()

    app = FastAPI(
        title="nccp",
        version=__version__,
        description="Neural combinatory constituency parsing.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(Guard, body=limits.body, seconds=limits.seconds, hosts=hosts)
    _add_errors(app)

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        return page_answer("index.html")

    @app.get("/page/{name}", include_in_schema=False)
    def page(name: str) -> Response:
        return page_answer(name)

    @app.get("/api/health", response_model=schemas.Health, summary="Whether the server is there")
    def health() -> Response:
        return json_answer({"status": "ok", "version": __version__, "models": models.names})

    @app.get("/api/models", response_model=schemas.ModelsAnswer, summary="The models at hand")
    def describe() -> Response:
        return json_answer({"default": models.default, "models": models.describe()})

    @app.post("/api/parse", response_model=schemas.ParseAnswer, responses=_ERRORS, summary="Parse sentences")
    async def parse(question: schemas.ParseQuestion, request: Request) -> Response:
        return await answer(request, work.parse(question, models, limits), limits.seconds)

    @app.post(
        "/api/parse/stream",
        responses={**_ERRORS, 200: schemas.lines_of("a line a sentence, in order, as they are ready")},
        summary="Parse sentences, an answer at a time",
    )
    async def parse_stream(question: schemas.ParseQuestion, request: Request) -> Response:
        lines = work.parse_lines(question, models, limits)
        return await answer(request, stream_answer(lines, limits.stream_seconds), limits.seconds)

    @app.post(
        "/api/compare", response_model=schemas.CompareAnswer, responses=_ERRORS, summary="Compare trees"
    )
    async def compare(question: schemas.CompareQuestion, request: Request) -> Response:
        return await answer(request, work.compare(question, models, limits), limits.seconds)

    @app.post(
        "/api/open",
        responses={**_ERRORS, 200: schemas.lines_of("a line a tree, and a last one with the total")},
        summary="List and score a file of trees",
    )
    async def open_trees(question: schemas.OpenQuestion, request: Request) -> Response:
        lines = work.open_lines(question, models, limits)
        return await answer(request, stream_answer(lines, limits.stream_seconds), limits.seconds)

    return app


def _add_errors(app: FastAPI) -> None:
    """Every error is ``{"error": "one plain sentence"}``."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _error(*describe_problem(error.errors(), request.headers.get("content-type", "")))

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return _error(error.status, error.why)

    @app.exception_handler(NccpError)
    async def unfit(request: Request, error: NccpError) -> Response:
        return _error(422, str(error))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        why = str(error.detail)
        if error.status_code == 404:
            why = "There is nothing at this address."
        elif error.status_code == 405:
            why = f"{request.method} is not for this address."
        elif error.status_code == 400:
            why = "The request cannot be read as JSON."
        return _error(error.status_code, why, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return _error(500, BROKEN)


def _error(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    headers = headers or {}
    if status == 503:
        headers["Retry-After"] = "2"
    if status == 413:
        headers["Connection"] = "close"
    return JSONResponse({"error": why}, status, headers=headers)
