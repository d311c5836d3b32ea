"""A real server on a real socket: what only shows there."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request

import pytest

import nccp.web.batching as batching
from nccp.web.app import create_app
from nccp.web.guard import Limits
from nccp.web.models import Models
from nccp.web.server import Settings, make_server


@pytest.fixture
def served(folder):
    """A port, and the batcher behind it."""
    models = Models({"en": folder / "en"})
    listening = socket.create_server(("127.0.0.1", 0))
    ready = threading.Event()
    app = create_app(models, Limits(seconds=30, stream_seconds=30, body=1 << 20), hosts={"127.0.0.1"})
    server = make_server(app, Settings(), ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(30)
    yield listening.getsockname()[1], models.get("en")
    server.should_exit = True
    thread.join(30)
    assert not thread.is_alive()


def request(port, address, value, *, length=None):
    """A connection on which the question has been asked."""
    body = json.dumps(value).encode()
    head = (
        f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length or len(body)}\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(head.encode() + body)
    return connection


def eventually(condition):
    for _ in range(2000):
        if condition():
            return True
        time.sleep(0.01)
    return False


def healthy(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=30) as answer:
        return json.load(answer)["status"] == "ok"


@pytest.mark.parametrize("address", ["/api/parse", "/api/parse/stream"])
def test_work_for_a_client_that_hung_up_is_dropped(served, address, monkeypatch):
    port, batcher = served
    began, go_on = threading.Event(), threading.Event()
    real, sizes = batching.stream, []

    def stream(engine, sentences, **options):
        sizes.append(len(sentences))
        began.set()
        assert go_on.wait(30)
        return real(engine, sentences, **options)

    monkeypatch.setattr(batching, "stream", stream)
    connection = request(port, address, {"sentences": [["a", "b"]] * 3000})
    assert began.wait(30)
    assert batcher.waiting > 2000
    connection.close()
    assert eventually(lambda: batcher.waiting == 0)
    go_on.set()
    assert healthy(port)
    with request(port, "/api/parse", {"sentences": [["a"]]}) as another:
        assert another.recv(1 << 16).startswith(b"HTTP/1.1 200")
    assert sizes == [sizes[0], 1]


def test_a_client_that_hangs_up_within_its_question(served):
    port, _ = served
    connection = request(port, "/api/parse", {"text": "a"}, length=1000)
    connection.close()
    assert healthy(port)


def test_lines_come_before_the_last_is_ready(served, monkeypatch):
    port, _ = served
    go_on, rounds = threading.Event(), []
    real = batching.stream

    def stream(engine, sentences, **options):
        rounds.append(len(sentences))
        assert len(rounds) == 1 or go_on.wait(30)
        return real(engine, sentences, **options)

    monkeypatch.setattr(batching, "stream", stream)
    with request(port, "/api/parse/stream", {"sentences": [["a", "b"]] * 600}) as connection:
        seen = b""
        while b'"words"' not in seen:  # while the worker is held up at the second round
            seen += connection.recv(1 << 16)
        assert not go_on.is_set()
        go_on.set()
        while not seen.endswith(b"0\r\n\r\n"):
            seen += connection.recv(1 << 16)
    assert seen.count(b'"words"') == 600


def test_a_body_without_a_length(served):
    port, _ = served
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(
            b"POST /api/parse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(16):  # as much as it takes
            connection.sendall(b"10000\r\n" + b"a" * 0x10000 + b"\r\n")
        connection.sendall(b"1\r\na\r\n")
        answer = connection.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 413")
    assert healthy(port)


def test_foreign_names(served):
    port, _ = served
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(asked, timeout=30)
    assert caught.value.code == 421
