"""Odd requests to a server on a real socket: an answer below 500 or no answer, and the server stays healthy.

The server runs in a process of its own, so that a crash is seen.
"""

from __future__ import annotations

import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.fuzz.damage import damage

ADDRESSES = [
    *("/api/parse", "/api/parse/stream", "/api/compare", "/api/open", "/api/layers", "/api/explain"),
    *(
        "/api/draw",
        "/api/models",
        "/api/health",
        "/",
        "/docs",
        "/metrics",
        "/../etc/passwd",
        "/%00",
        "//",
        "*",
    ),
]
KEYS = [
    *("text", "sentences", "tokenized", "model", "layers", "gold", "other", "other_model", "tree", "kind"),
    *("content", "name", "format", "labels", "language", "x"),
]
VALUES: list[Any] = [
    *(None, True, 0, -1, 1e300, "", "The cat sat.", "(S (NP (A a)) (B b))", "(S (A a)", "(" * 3000, ")("),
    *(
        "en",
        "../en",
        "nothing",
        [],
        {},
        [[]],
        ["a b", "c"],
        [["a", "b"]],
        [[["a", "A"], ["b", None]]],
        "\x00",
    ),
    *("<script>", "\ud800", "🙂" * 100, "a" * 5000, "a " * 500, [None], [["a", 1]], "svg", "latex", "text"),
]


def fuzz(seed: int, seconds: float) -> str:
    """Send odd requests to one server until the time is over."""
    from tests.bundles import write_bundle

    rng, rounds = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        write_bundle(Path(name, "en"))
        with serve(Path(name)) as (process, port):
            began = time.monotonic()
            while not rounds or time.monotonic() - began < seconds:
                request = odd_request(rng, port)
                where = f"seed {seed}, round {rounds.total()}: {request[:400]!r}"
                status = send(port, request, rng)
                assert status < 500, f"{where}: {status}"
                assert process.poll() is None, f"{where}: the server ended with {process.poll()}"
                rounds["without an answer" if not status else f"{status // 100}xx"] += 1
            parsed = b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            parsed += b'Content-Length: 24\r\nConnection: close\r\n\r\n{"text": "The cat sat."}'
            assert send(port, parsed) == 200, f"seed {seed}: the server no longer parses"
    return f"{rounds.total():,} odd requests: {', '.join(f'{rounds[key]:,} {key}' for key in sorted(rounds))}"


@contextmanager
def serve(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server with the models in a folder; its process and its port."""
    call = [sys.executable, "-u", "-m", "nccp", "serve", "--port", "0", "--no-browser", "--model", "en"]
    settings = {
        **os.environ,
        "NCCP_MODELS": str(folder),
        "OMP_NUM_THREADS": "1",
        "XDG_CACHE_HOME": str(folder),
    }
    with (
        open(folder / "errors.txt", "w+") as errors,
        subprocess.Popen(call, stdout=subprocess.PIPE, stderr=errors, text=True, env=settings) as process,
    ):
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+)", line)
            assert found, f"{line} {(folder / 'errors.txt').read_text()}"
            yield process, int(found[1])
        finally:
            process.terminate()
            process.wait(60)
    assert "Traceback" not in (folder / "errors.txt").read_text(), (folder / "errors.txt").read_text()[-3000:]


def odd_request(rng: random.Random, port: int) -> bytes:
    """A request that is wrong in its head, in its body, in both or in neither."""
    body = json.dumps(
        {rng.choice(KEYS): rng.choice(VALUES) for _ in range(rng.choice((1, 1, 2, 3)))}
    ).encode()
    kind = rng.randrange(6)
    if kind == 0:
        body = damage(body, rng)
    elif kind == 1:
        body = b"[" * rng.choice((10, 5_000)) + body
    length = len(body) if rng.random() < 0.9 else rng.choice((0, 1, -1, 10**12, "x", len(body) + 5))
    method = rng.choice(("POST", "POST", "POST", "POST", "GET", "PUT", "HEAD", "OPTIONS", "X" * 50))
    lines = [
        f"{method} {rng.choice(ADDRESSES)} HTTP/1.1",
        f"Host: {rng.choice(('localhost', f'127.0.0.1:{port}', 'evil.example', ''))}",
        f"Content-Type: {rng.choice(('application/json', 'application/json', 'text/plain', ''))}",
        rng.choice((f"Content-Length: {length}", f"Content-Length: {length}", "Transfer-Encoding: chunked")),
    ]
    if rng.random() < 0.1:
        lines.append(
            rng.choice(("Origin: http://evil.example", "Content-Length: 3", f"X: {'y' * 70_000}", "\x00"))
        )
    head = "\r\n".join([*lines, "Connection: close", "", ""]).encode()
    return damage(head + body, rng) if kind == 2 else head + body


def send(port: int, request: bytes, rng: random.Random | None = None) -> int:
    """The status of the answer; 0 without one, where the request was no HTTP or not complete."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            connection.sendall(request)
            if rng is not None and rng.random() < 0.1:
                return 0  # vanishes without reading
            if rng is not None:
                connection.settimeout(1)  # the server may wait for the rest of a request
            while data := connection.recv(65536):
                answer += data
        except (ConnectionResetError, BrokenPipeError, TimeoutError):
            pass
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0
