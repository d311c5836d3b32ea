"""A real server in a process of its own, a real browser, and a page that must not complain in its console."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("playwright", reason="the browser tests need playwright")
pytest.importorskip("starlette")
pytest.importorskip("prometheus_client")
pytest.importorskip("uvicorn")
pytest.importorskip("torch", reason="the small bundles are written with torch")

from playwright import sync_api

from tests.bundles import write_bundle

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WAIT = 20_000  # milliseconds until something counts as missing: a busy machine is no failure


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of ``nccp serve`` with the model that is built in, a small binary and a small multi."""
    folder = tmp_path_factory.mktemp("served")
    write_bundle(folder / "tiny")
    write_bundle(folder / "multi", {"kind": "multi"})
    write_bundle(folder / "japanese", language="ja")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "nccp", "serve", "--port", "0", "--no-browser"),
            *("--model", "en", "--model", "tiny", "--model", "multi", "--model", "japanese"),
        ],
        env={**os.environ, "NCCP_MODELS": str(folder), "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, said
        yield found[0]
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    """One a module: while it is there, an event loop runs in this thread, and other tests start their own."""
    path = os.environ.get("NCCP_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_api.sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        except sync_api.Error as error:
            pytest.skip(f"no chromium that starts: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


class Site:
    """A page and what its console said."""

    def __init__(self, address: str, page: sync_api.Page, folder: Path) -> None:
        self.address, self.page, self.folder = address, page, folder
        self.complaints: list[str] = []
        self.expected: list[str] = []
        """Parts of complaints that a test provokes, such as that of a request refused."""
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def open(self, **place: str) -> sync_api.Page:
        """Go there, as the address says it, and wait until the models are known."""
        self.page.goto(f"{self.address}/#{urlencode(place)}")
        self.page.wait_for_selector("#model option", state="attached")
        return self.page

    def shoot(self, name: str) -> None:
        self.page.screenshot(path=self.folder / f"{name}.png")

    def _hear(self, message: sync_api.ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@pytest.fixture
def context_options() -> dict[str, object]:
    """Of the window; tests may give others by parametrizing."""
    return {}


@pytest.fixture
def site(
    server: str, browser: sync_api.Browser, tmp_path: Path, context_options: dict[str, object]
) -> Iterator[Site]:
    folder = Path(os.environ.get("NCCP_ARTEFACTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context_options})
    site = Site(server, context.new_page(), folder)
    yield site
    context.close()
    assert [one for one in site.complaints if not any(part in one for part in site.expected)] == []


@pytest.fixture
def expect():
    sync_api.expect.set_options(timeout=WAIT)
    return sync_api.expect
