"""A real server on a real socket: what only shows there."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
import time
import urllib.request
from contextlib import contextmanager, suppress

import pytest

import nccp.web.batching as batching
import nccp.web.server as server
from nccp.web.app import BROKEN, STOPPED, create_app
from nccp.web.guard import Limits
from nccp.web.models import Models
from nccp.web.server import Settings, make_server

pytestmark = pytest.mark.slow


class Running:
    """A server in a thread of this process."""

    def __init__(self, folder, settings=None, **limits):
        self.models = Models({"en": folder / "en"})
        listening = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = listening.getsockname()[1]
        ready = threading.Event()
        limits = Limits(**{"seconds": 30, "stream_seconds": 30, "body": 1 << 20, **limits})
        app = create_app(self.models, limits, hosts={"127.0.0.1"})
        self.service = app.state.service
        self.server = make_server(app, settings or Settings(), ready.set)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self._thread.start()
        assert ready.wait(30)
        self.batcher = self.models.get("en")

    def end(self):
        self.server.should_exit = True

    def wait(self):
        self._thread.join(60)
        assert not self._thread.is_alive()


@pytest.fixture
def start(folder):
    """Starts servers that end with the test."""
    running = []

    def begin(settings=None, **limits):
        running.append(Running(folder, settings, **limits))
        return running[-1]

    yield begin
    for one in running:
        one.end()
        one.wait()


@pytest.fixture
def served(start):
    """A port, and the batcher behind it."""
    running = start()
    return running.port, running.batcher


class Gate:
    """Holds the parsing up until it is opened; the word "boom" makes it fail."""

    def __init__(self, monkeypatch):
        self.began, self.open = threading.Event(), threading.Event()
        real = batching.stream

        def stream(engine, sentences, **options):
            sentences = list(sentences)
            self.began.set()
            assert self.open.wait(60)
            if any("boom" in given.words for given in sentences):
                raise ZeroDivisionError("boom")
            return real(engine, sentences, **options)

        monkeypatch.setattr(batching, "stream", stream)


def response(connection):
    """The status and the body of a response, read to its end."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status, answer.read()


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


# ---- the end: every request that was accepted is answered


@pytest.mark.parametrize("address", ["/api/parse", "/api/parse/stream"])
def test_requests_finish_after_the_signal(start, monkeypatch, address):
    gate = Gate(monkeypatch)
    running = start()
    with request(running.port, address, {"sentences": [["a", "b"]] * 600}) as connection:
        assert gate.began.wait(30)
        running.end()
        assert eventually(lambda: running.service.draining)
        gate.open.set()
        status, body = response(connection)
    assert status == 200
    assert body.count(b'"words"') == 600
    assert b"error" not in body
    running.wait()


def test_a_request_that_takes_longer_than_the_grace_time_is_refused(start, monkeypatch, caplog):
    gate = Gate(monkeypatch)
    running = start(Settings(grace=0.2))
    with (
        request(running.port, "/api/parse", {"text": "a"}) as whole,
        request(running.port, "/api/parse/stream", {"text": "a"}) as lines,
    ):
        assert gate.began.wait(30)
        assert eventually(lambda: len(running.server.server_state.tasks) == 2)
        running.end()
        for connection, expected in ((whole, 503), (lines, 200)):
            status, body = response(connection)
            assert status == expected
            assert json.loads(body) == {"error": STOPPED}
    gate.open.set()
    running.wait()
    assert "Traceback" not in caplog.text


def test_connections_that_wait_are_answered(start, monkeypatch):
    """Those that the server had not accepted when the signal came, and one that is kept alive."""
    running = start(Settings(connections=2))
    with http_connection(running.port) as kept:
        assert ask(kept) == 200
        with http_connection(running.port) as other:
            assert ask(other) == 200  # now the server is full
            waiting = request(running.port, "/api/parse", {"text": "a"})
            assert eventually(lambda: running.server.server_state.connections)
        assert response(waiting)[0] == 200  # in the place of the one that has been closed
        waiting.close()
        running.end()
        assert ask(kept) == 200
    running.wait()


@contextmanager
def http_connection(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    yield connection
    connection.close()


def ask(connection):
    connection.request("POST", "/api/parse", b'{"text": "a"}', {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


# ---- hostile clients


def test_idle_connections_are_closed(start):
    running = start(Settings(idle=0.3))
    silent = socket.create_connection(("127.0.0.1", running.port), timeout=60)
    slow = socket.create_connection(("127.0.0.1", running.port), timeout=60)
    slow.sendall(b"POST /api/parse HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    for connection in (silent, slow):
        assert connection.recv(100) == b""
        connection.close()
    assert healthy(running.port)


def test_a_connection_with_a_request_is_not_idle(start, monkeypatch):
    gate = Gate(monkeypatch)
    running = start(Settings(idle=0.1))
    with request(running.port, "/api/parse", {"text": "a"}) as connection:
        assert gate.began.wait(30)
        with socket.create_connection(("127.0.0.1", running.port), timeout=60) as other:
            assert other.recv(100) == b""  # closed as idle, after the first would have been
        gate.open.set()
        assert response(connection)[0] == 200


def test_a_slow_body(start):
    running = start(seconds=0.3)
    with request(running.port, "/api/parse", {"text": "a"}, length=1000) as connection:
        status, body = response(connection)
    assert status == 408
    assert b"not complete within 0.3 seconds" in body


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
        b"POST /api/parse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /api/parse HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500,
        b"\0" * 100 + b"\r\n\r\n",
    ],
    ids=["huge", "duplicate host", "duplicate length", "chunks", "TLS", "zeros"],
)
def test_heads_that_are_not_http(served, head):
    port, _ = served
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        try:
            connection.sendall(head)
            assert connection.recv(100).startswith(b"HTTP/1.1 400")
        except ConnectionError:
            pass  # closed before everything was sent
    assert healthy(port)


@pytest.mark.parametrize("address", ["/api/parse", "/api/health", "/nothing"])
def test_a_malformed_body_while_the_request_is_answered(served, address, caplog):
    port, _ = served
    head = f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    for rest in (b"zz\r\n", b"5\r\n{zz\r\n\r\n-1\r\n", b"\0\0\r\n", b"1\r\n{\r\nzz\r\n"):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(head.encode() + rest)
            with suppress(ConnectionError):
                assert connection.recv(100)[9:10] in (b"4", b"")
    assert healthy(port)
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]


def test_a_poison_sentence_beside_others(served, monkeypatch):
    gate = Gate(monkeypatch)
    port, batcher = served
    first = request(port, "/api/parse", {"sentences": [["first"]]})
    assert gate.began.wait(30)
    words = ["before", "boom", "after"]
    others = [request(port, "/api/parse", {"sentences": [[word]]}) for word in words]
    assert eventually(lambda: batcher.waiting == 3)
    gate.open.set()
    found = [response(one) for one in (first, *others)]
    for one in (first, *others):
        one.close()
    assert [status for status, _ in found] == [200, 200, 500, 200]
    assert json.loads(found[2][1]) == {"error": BROKEN}
    assert json.loads(found[3][1])["sentences"][0]["words"] == ["after"]


def test_equal_requests_at_once(served, parsers):
    port, _ = served
    connections = [request(port, "/api/parse", {"text": "The cat sat."}) for _ in range(40)]
    bodies = {response(one) for one in connections}
    for one in connections:
        one.close()
    ((status, body),) = bodies
    assert status == 200
    assert json.loads(body)["sentences"][0]["tree"] == parsers["en"].parse("The cat sat.").brackets()


def test_clients_that_vanish_while_they_are_answered(served):
    port, batcher = served
    for _ in range(20):
        connection = request(port, "/api/parse/stream", {"sentences": [["a", "b"]] * 500})
        connection.recv(10)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        connection.close()
    assert eventually(lambda: batcher.waiting == 0)
    assert healthy(port)


def test_a_client_that_does_not_read(start, monkeypatch):
    monkeypatch.setattr(server, "_STUCK", 0.2)
    running = start()
    connection = request(running.port, "/api/parse/stream", {"sentences": [["word"] * 20] * 4000})
    assert eventually(lambda: running.batcher.waiting > 0)
    assert eventually(lambda: running.batcher.waiting == 0 and not running.server.server_state.connections)
    connection.close()
    assert healthy(running.port)
