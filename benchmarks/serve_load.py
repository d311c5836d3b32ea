"""Many clients at once against a real server: does every one get its own answer, and how fast?

    python benchmarks/serve_load.py [--requests 2000] [--clients 32] [--model en]

A server process is started on a free port. Each request has one to three sentences of made-up English; its
answer has to hold exactly those words, and the trees that `Parser.parse` gives for them in this process.
Expected trees are made beforehand and answers are compared afterwards, so that only the asking is timed (but
client and server share the machine). Prints JSON; the exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import nccp
from nccp.runtime.synthetic import make_sentences, typical_lengths

Sentences = list[list[str]]


def make_requests(count: int) -> list[Sentences]:
    """One to three sentences each."""
    sizes = np.random.default_rng(0).integers(1, 4, count).tolist()
    sentences = iter(make_sentences(typical_lengths(sum(sizes)), seed=1))
    return [[next(sentences) for _ in range(size)] for size in sizes]


@contextmanager
def server(model: str) -> Iterator[tuple[int, int]]:
    """Its process id and its port."""
    command = [sys.executable, "-u", "-m", "nccp", "serve", "--port", "0", "--no-browser", "--model", model]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline().split()[3].rsplit(":", 1)[1])
        finally:
            process.terminate()


def resident(pid: int) -> float:
    """Megabytes of memory that a process holds (Linux)."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def ask(connection: http.client.HTTPConnection, sentences: Sentences) -> Any:
    """The answer, or what went wrong."""
    body = json.dumps({"sentences": sentences})
    try:
        connection.request("POST", "/api/parse", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        return json.loads(text) if answer.status == 200 else f"{answer.status} {text[:200]!r}"
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        return repr(error)


def run(port: int, requests: list[Sentences], clients: int) -> tuple[list[Any], list[float], float]:
    """The answers, how long each took, and how long all of them."""
    answers: list[Any] = [None] * len(requests)
    seconds = [0.0] * len(requests)
    places = iter(range(len(requests)))
    lock = threading.Lock()

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while True:
            with lock:
                place = next(places, None)
            if place is None:
                connection.close()
                return
            began = time.perf_counter()
            answers[place] = ask(connection, requests[place])
            seconds[place] = time.perf_counter() - began

    threads = [threading.Thread(target=client) for _ in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers, seconds, time.perf_counter() - began


def main() -> None:
    """Ask, check, print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("--requests", type=int, default=2000)
    options.add_argument("--clients", type=int, default=32)
    options.add_argument("--model", default="en")
    given = options.parse_args()
    requests = make_requests(given.requests)
    parser = nccp.load(given.model, threads=1)
    trees = [[parser.parse(words, scores=False).brackets() for words in request] for request in requests]
    with server(given.model) as (pid, port):
        run(port, requests[:4], 1)  # loads the model
        before = resident(pid)
        answers, seconds, took = run(port, requests, given.clients)
        after = resident(pid)
    failed = [answer for answer in answers if not isinstance(answer, dict)]
    strays = wrong = 0
    for request, expected, answer in zip(requests, trees, answers):
        if isinstance(answer, dict):
            strays += [one["words"] for one in answer["sentences"]] != request
            wrong += [one["tree"] for one in answer["sentences"]] != expected
    result = {
        "requests": len(requests),
        "sentences": sum(map(len, requests)),
        "clients": given.clients,
        "failed": len(failed),
        "not_their_words": strays,
        "other_trees": wrong,
        "seconds": round(took, 2),
        "requests_per_second": round(len(requests) / took, 1),
        "milliseconds": {q: round(1000 * float(np.quantile(seconds, q / 100)), 1) for q in (50, 95, 99)},
        "server_megabytes": {"before": round(before, 1), "after": round(after, 1)},
        "first_failure": failed[0] if failed else None,
    }
    print(json.dumps(result, indent=2))
    sys.exit(bool(failed or strays or wrong))


if __name__ == "__main__":
    main()
