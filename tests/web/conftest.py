"""Two small models in a folder of their own, and a client that asks the application about them."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")
pytest.importorskip("prometheus_client")

from starlette.testclient import TestClient

from nccp import load
from nccp.web.app import create_app
from nccp.web.guard import Limits
from nccp.web.models import Models
from tests.bundles import write_bundle

SMALL = Limits(
    body=20_000, sentences=30, words=40, letters=300, layered=4, layered_words=20, depth=60, tree=2000
)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    write_bundle(folder / "en")
    write_bundle(folder / "multi", {"kind": "multi"})
    return folder


@pytest.fixture(scope="session")
def parsers(folder):
    return {name: load(folder / name, threads=1) for name in ("en", "multi")}


@pytest.fixture
def models(folder, monkeypatch):
    monkeypatch.setenv("NCCP_MODELS", str(folder))
    return Models.find(["en", "multi"])


@pytest.fixture
def client(models):
    with TestClient(create_app(models, SMALL), raise_server_exceptions=False) as client:
        yield client
