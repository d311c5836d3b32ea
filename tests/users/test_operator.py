"""An operator of a cluster: a server with probes and metrics, a corpus on Ray while a worker dies."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
import urllib.error
import urllib.request

import pytest
from benchmarks.processes import descendants

pytest.importorskip("prometheus_client")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="finds workers in /proc"),
]
TOKEN = {"Authorization": "Bearer secret"}


def ask(address: str, body: object = None, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """The status and the text of an answer."""
    data = None if body is None else json.dumps(body).encode()
    kind = {} if body is None else {"Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, data, {**kind, **(headers or {})}), timeout=120
        ) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_the_server(user):
    """Two workers with a token: probes, metrics, and requests that are running when it is told to stop."""
    process = user.start(
        "nccp serve --port 0 --model en-fast --workers 2 --token secret --grace 60 --no-browser"
    )
    answers: list[tuple[int, str]] = []
    try:
        found = re.search(r"http://[\w.:]+", process.stdout.readline())
        assert found is not None
        home = found[0]
        while ask(f"{home}/readyz")[0] != 200:
            time.sleep(0.1)
        assert ask(f"{home}/healthz")[0] == 200
        sentences = {"sentences": [["They", "sleep", "."]] * 40}
        assert ask(f"{home}/api/parse", sentences)[0] == 401
        assert ask(f"{home}/metrics")[0] == 401
        clients = [
            threading.Thread(target=lambda: answers.append(ask(f"{home}/api/parse", sentences, TOKEN)))
            for _ in range(16)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        counted = 'nccp_requests_total{path="/api/parse",status="200"} 16.0'
        for _ in range(600):  # a request is counted after it has been answered
            status, figures = ask(f"{home}/metrics", headers=TOKEN)
            if counted in figures:
                break
            time.sleep(0.1)
        assert status == 200
        assert counted in figures
        last = threading.Thread(target=lambda: answers.append(ask(f"{home}/api/parse", sentences, TOKEN)))
        last.start()
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
        last.join()
    except BaseException:
        process.kill()
        raise
    finally:
        process.stdout.close()
    assert {status for status, _ in answers} == {200}
    tree = "(S (NP (PRP They)) (VP (VBP sleep)) (. .))"
    assert all(text.count(tree) == 40 for _, text in answers)


def test_a_corpus_on_ray(user):
    """An actor is killed while it works; the files are those of a run on one machine."""
    pytest.importorskip("ray.data")
    user.write("corpus/story.txt", "The old man sat by the river. He watched the boats.\n" * 300)
    command = "nccp bulk corpus {} --model en-fast --shard-size 20 --workers 2"
    user.run(command.format("local"))
    process = user.start(command.format("ray") + " --engine ray")
    try:
        while process.poll() is None and len(list((user.home / "ray").glob("part-*"))) < 2:
            time.sleep(0.01)
        workers = [pid for pid, line in descendants(process.pid).items() if "MapWorker" in line]
        os.kill(max(workers), signal.SIGKILL)
        assert process.wait(900) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    made, expected = (
        {path.name: path.read_bytes() for path in (user.home / name).rglob("*") if path.is_file()}
        for name in ("ray", "local")
    )
    assert made == expected
    assert len(expected) > 30
