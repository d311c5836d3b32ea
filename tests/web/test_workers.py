"""``nccp serve`` in processes of its own: several workers, few file descriptors, signals, logs."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
import nccp.web.server
{patch}
from nccp.cli import main
sys.argv[0] = "nccp"
main()
"""


class Served:
    """The command, its port, and what it wrote to standard error."""

    def __init__(self, folder, tmp_path, *options, program=("-m", "nccp")):
        self.errors = tmp_path / "stderr"
        command = [sys.executable, *program, "serve", "--port", "0", "--model", "en", "--no-browser"]
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [*command, *options],
                env={
                    **os.environ,
                    "NCCP_MODELS": str(folder),
                    "PYTHONUNBUFFERED": "1",
                    "OMP_NUM_THREADS": "1",
                },
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        line = self.process.stdout.readline()
        assert line.startswith("nccp is at"), self.errors.read_text()
        self.port = int(line.split()[3].rsplit(":", 1)[1])

    def ask(self, path, body=None, headers=None):
        """The status and the text of a response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            if body is None:
                connection.request("GET", path, headers=headers or {})
            else:
                connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def end(self, number=signal.SIGTERM):
        """The exit code."""
        self.process.send_signal(number)
        return self.process.wait(120)


@pytest.fixture
def serve(folder, tmp_path):
    started = []

    def begin(*options, **more):
        started.append(Served(folder, tmp_path, *options, **more))
        return started[-1]

    yield begin
    for one in started:
        one.process.kill()
        one.process.wait()
        one.process.stdout.close()


def eventually(condition):
    for _ in range(3000):
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("", "connections are open, the limit"),
        ("nccp.web.server._room = lambda: 10_000", "cannot accept connections: Too many open files"),
    ],
    ids=["limit", "accept error"],
)
def test_fewer_file_descriptors_than_connections(serve, patch, said):
    served = serve(program=("-c", LIMITED.format(patch=patch)))
    assert eventually(lambda: served.ask("/readyz")[0] == 200)
    idle = [socket.create_connection(("127.0.0.1", served.port), timeout=120) for _ in range(100)]
    for _ in range(3):
        status, text = served.ask("/api/parse", {"text": "The cat sat."})
        assert status == 200
        assert json.loads(text)["sentences"][0]["words"] == ["The", "cat", "sat", "."]
    for one in idle:
        one.close()
    written = served.errors.read_text()
    assert said in written
    assert len(written) < 2000
    assert served.end() in (0, -signal.SIGTERM)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        found = [int(child) for child in file.read().split()]
    return [child for child in found if b"spawn_main" in command_of(child)]


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""


linux = pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="reads /proc")


@linux
def test_workers_share_their_figures_are_replaced_and_end_together(serve):
    served = serve("--workers", "2")
    first = children(served.process.pid)
    assert len(first) == 2
    for _ in range(20):
        assert served.ask("/api/parse", {"text": "a"})[0] == 200
    counted = 'nccp_requests_total{path="/api/parse",status="200"} 20.0'
    assert eventually(lambda: counted in served.ask("/metrics")[1])  # a worker counts after it has answered
    _, text = served.ask("/metrics")
    assert 1 <= text.count("nccp_memory_bytes{") <= 2  # of those that have answered
    os.kill(first[0], signal.SIGKILL)
    assert eventually(lambda: len(set(children(served.process.pid)) - {first[0]}) == 2)
    assert served.ask("/api/parse", {"text": "a"})[0] == 200
    assert "starting another" in served.errors.read_text()
    workers = children(served.process.pid)
    assert served.end() == 0
    assert not any(b"spawn_main" in command_of(worker) for worker in workers)


@linux
def test_workers_end_when_their_parent_is_killed(serve):
    served = serve("--workers", "2")
    workers = children(served.process.pid)
    served.process.kill()
    assert eventually(lambda: not any(b"spawn_main" in command_of(worker) for worker in workers))


@pytest.mark.parametrize(("workers", "number"), [("1", signal.SIGINT), ("2", signal.SIGTERM)])
def test_every_accepted_request_is_answered(serve, workers, number):
    """Clients ask without a pause. After the signal they get whole responses or no connection."""
    served = serve("--workers", workers)
    statuses, cut, went = [], [], threading.Semaphore(0)

    def client(path):
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", served.port), timeout=120)
            except ConnectionError:
                return
            with connection:
                body = json.dumps({"sentences": [["a", "b", "c"]] * 50}).encode()
                try:
                    connection.sendall(
                        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n".encode()
                        + body
                    )
                    answer = http.client.HTTPResponse(connection)
                    answer.begin()
                    text = answer.read()
                except http.client.HTTPException as error:  # also if it was closed without a response
                    cut.append(error)
                    return
                except ConnectionError:
                    return  # reset: the connection had not been accepted
                statuses.append((answer.status, text.count(b'"words"')))
                went.release()

    paths = ["/api/parse", "/api/parse/stream"] * 4
    threads = [threading.Thread(target=client, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for _ in range(30):
        assert went.acquire(timeout=120)
    assert served.end(number) in (0, -signal.SIGTERM)
    for thread in threads:
        thread.join(120)
    assert cut == []
    assert set(statuses) == {(200, 50)}
    assert served.errors.read_text() == ""


def test_json_logs(serve):
    served = serve("--log-format", "json", "--log-level", "info")
    served.ask("/api/health")
    assert eventually(lambda: "/api/health" in served.errors.read_text())
    served.end()
    lines = [json.loads(line) for line in served.errors.read_text().splitlines()]
    (one,) = [line for line in lines if line.get("path") == "/api/health"]
    assert (one["method"], one["status"], one["client"], one["level"]) == ("GET", 200, "127.0.0.1", "info")
    assert one["milliseconds"] >= 0


def test_a_token_and_a_warning_without_one(serve):
    served = serve("--host", "0.0.0.0")
    assert "Warning: anyone who can reach 0.0.0.0" in served.errors.read_text()
    served.end()
    served = serve("--host", "0.0.0.0", "--token", "secret")
    assert served.errors.read_text() == ""
    assert served.ask("/api/models")[0] == 401
    assert served.ask("/api/models", headers={"Authorization": "Bearer secret"})[0] == 200
