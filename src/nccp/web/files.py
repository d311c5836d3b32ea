"""The page's own files, and nothing else."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response

from nccp.web.limits import Refused

FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
}


def page_answer(name: str) -> Response:
    """A file of the page's folder by its plain name."""
    files = {path.name: path for path in FOLDER.iterdir() if path.suffix in _TYPES and path.is_file()}
    if name not in files:
        raise Refused(404, "There is nothing at this address.")
    path = files[name]
    return FileResponse(path, media_type=_TYPES[path.suffix], headers={"Cache-Control": "no-cache"})
