"""Many clients at once against a real server: does each get its own answer, how fast, in how much memory?

    python benchmarks/serve_load.py [--requests 10000] [--clients 64] [--workers 2] [--model en]

A server is started on a free port. Each request has one to three sentences of synthetic English; its response
must hold exactly those words and the trees that `Parser.parse` gives for them in this process. Expected trees
are computed before and responses are compared after the run, so only the requests are timed (but clients and
server share the machine). ``--stop`` sends the signal when half of the requests have been answered: every
request after it must be answered in full, or its connection refused or reset before it was accepted.
``--minutes`` repeats the requests for that long and reports memory and open files after each round.

Prints JSON; the exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
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
def server(model: str, workers: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The server's process and its port."""
    command = [sys.executable, "-u", "-m", "nccp", "serve", "--port", "0", "--no-browser"]
    command += ["--model", model, "--workers", str(workers), "--grace", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, int(process.stdout.readline().split()[3].rsplit(":", 1)[1])
        finally:
            process.terminate()


def processes(pid: int) -> list[int]:
    """A process and its children (Linux)."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


def megabytes(pid: int) -> float:
    """Resident memory of the server's processes together."""
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in processes(pid))
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def descriptors(pid: int) -> int:
    """Open file descriptors of the server's processes together."""
    return sum(len(os.listdir(f"/proc/{one}/fd")) for one in processes(pid))


@dataclass
class Run:
    """What became of the requests: a response, an error, or "refused" for one that was never accepted."""

    requests: list[Sentences]
    answers: list[Any] = field(init=False)
    seconds: list[float] = field(init=False)
    answered: int = 0
    took: float = 0

    def __post_init__(self) -> None:
        self.answers = [None] * len(self.requests)
        self.seconds = [0.0] * len(self.requests)

    def run(self, port: int, clients: int, stop_after: int = 0, stop: Any = None) -> None:
        """Send all requests; call ``stop`` once when so many have been answered."""
        places = iter(range(len(self.requests)))
        lock = threading.Lock()

        def client() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
            while True:
                with lock:
                    place = next(places, None)
                if place is None:
                    break
                began = time.perf_counter()
                answer = ask(connection, self.requests[place])
                self.seconds[place] = time.perf_counter() - began
                self.answers[place] = answer
                with lock:
                    self.answered += 1
                    if stop is not None and self.answered == stop_after:
                        stop()
            connection.close()

        threads = [threading.Thread(target=client) for _ in range(clients)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.took = time.perf_counter() - began


def ask(connection: http.client.HTTPConnection, sentences: Sentences) -> Any:
    """The response, or what went wrong."""
    body = json.dumps({"sentences": sentences})
    fresh = connection.sock is None
    try:
        connection.request("POST", "/api/parse", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        return json.loads(text) if answer.status == 200 else f"{answer.status} {text[:200]!r}"
    except (ConnectionRefusedError, ConnectionResetError, BrokenPipeError) as error:
        connection.close()
        if isinstance(error, http.client.RemoteDisconnected) and fresh:
            return repr(error)  # accepted, and closed without a response
        return "refused"  # never accepted, or a kept connection that the server had closed
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        return repr(error)


def check_rounds(
    pid: int, port: int, requests: list[Sentences], trees: list[list[str]], given: argparse.Namespace
) -> list[dict[str, float]]:
    """Further rounds until ``--minutes`` are over: what each left behind, and how many answers were wrong."""
    rounds: list[dict[str, float]] = []
    end = time.monotonic() + 60 * given.minutes
    while time.monotonic() < end:
        run = Run(requests)
        run.run(port, given.clients)
        wrong = sum(
            not isinstance(answer, dict) or [one["tree"] for one in answer["sentences"]] != expected
            for answer, expected in zip(run.answers, trees)
        )
        rounds.append({"wrong": wrong, "megabytes": megabytes(pid), "files": descriptors(pid)})
    return rounds


def main() -> None:
    """Ask, check, print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("--requests", type=int, default=10_000)
    options.add_argument("--clients", type=int, default=64)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--model", default="en")
    options.add_argument("--minutes", type=float, default=0)
    options.add_argument("--stop", choices=["SIGTERM", "SIGINT"], help="end the server in the middle")
    given = options.parse_args()
    requests = make_requests(given.requests)
    parser = nccp.load(given.model, threads=1)
    trees = [[parser.parse(words, scores=False).brackets() for words in request] for request in requests]
    run = Run(requests)
    memory, files = {}, {}
    rounds: list[dict[str, float]] = []
    with server(given.model, given.workers) as (process, port):
        for _ in range(8 * given.workers):  # loads the models
            Run(requests[:4]).run(port, 1)
        memory["before"], files["before"] = megabytes(process.pid), descriptors(process.pid)
        if given.stop:
            run.run(
                port,
                given.clients,
                len(requests) // 2,
                lambda: process.send_signal(getattr(signal, given.stop)),
            )
        else:
            run.run(port, given.clients)
            rounds = check_rounds(process.pid, port, requests, trees, given)
            memory["after"], files["after"] = megabytes(process.pid), descriptors(process.pid)
    refused = sum(answer == "refused" for answer in run.answers)
    failed = [one for one in run.answers if not isinstance(one, dict) and one != "refused"]
    strays = wrong = 0
    for request, expected, answer in zip(requests, trees, run.answers):
        if isinstance(answer, dict):
            strays += [one["words"] for one in answer["sentences"]] != request
            wrong += [one["tree"] for one in answer["sentences"]] != expected
    times = [s for s, answer in zip(run.seconds, run.answers) if isinstance(answer, dict)]
    result = {
        "requests": len(requests),
        "sentences": sum(map(len, requests)),
        "clients": given.clients,
        "workers": given.workers,
        "answered": len(times),
        "refused": refused,
        "failed": len(failed),
        "not_their_words": strays,
        "other_trees": wrong,
        "seconds": round(run.took, 2),
        "requests_per_second": round(len(times) / run.took, 1),
        "milliseconds": {
            f"{q:g} %": round(1000 * float(np.quantile(times, q / 100)), 1) for q in (50, 99, 99.9)
        },
        "server_megabytes": memory,
        "server_files": files,
        "rounds": rounds,
        "first_failure": failed[0] if failed else None,
    }
    print(json.dumps(result, indent=2))
    bad_rounds = any(one["wrong"] for one in rounds)
    sys.exit(bool(failed or strays or wrong or bad_rounds or (refused and not given.stop)))


if __name__ == "__main__":
    main()
