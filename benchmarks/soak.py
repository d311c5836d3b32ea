"""A long run of mixed load: does memory or the number of open files grow?

    python benchmarks/soak.py                       # one hour
    python benchmarks/soak.py --minutes 1 --model en-fast --output soak.json
    python benchmarks/soak.py --rate 12             # leaves most of a core to others

Two processes are watched. A server gets requests of all kinds from several clients: sentences, streams, wrong
requests, clients that hang up. A second process parses sentences of mixed lengths with the Python API. Memory
and open files of both are recorded every few seconds. The first fifth of the time is for warming up; after
it, the least memory of the last quarter may not exceed that of the first quarter by more than ``--growth``
percent, nor the open files by more than a few. Prints JSON; exit code 1 if something grew or an answer was
wrong. Linux only.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from serve_load import descriptors, make_requests, megabytes, server

import nccp

WHO = ("server", "parser")
MORE_FILES = 4  # connections that are open at the moment of a measurement
WRONG = [b"", b"{", b"[" * 2000, b'{"text": 3}', b'{"text": "a", "model": "none"}']

_PARSE = """
import random, sys, time
import nccp
from nccp.runtime.synthetic import make_sentences
parser, rng, rate = nccp.load(sys.argv[1]), random.Random(0), float(sys.argv[2])
while True:
    began = time.monotonic()
    lengths = [rng.choice((1, 5, 20, 20, 40, 200)) for _ in range(rng.choice((1, 10, 100)))]
    sentences = make_sentences(lengths, rng.randrange(1000))
    for words, parse in zip(sentences, parser.parse_many(sentences)):
        assert list(parse.words) == words
        parse.brackets()
    print(len(sentences), flush=True)
    time.sleep(max(0, began + len(sentences) / rate - time.monotonic()))
"""


@dataclass
class Load:
    """The clients of a server, until they are told to stop."""

    port: int
    requests: list[list[list[str]]]
    trees: list[list[str]]
    seconds: float
    """Time between the requests of a client, at least."""
    over: threading.Event = field(default_factory=threading.Event)
    answered: int = 0
    failures: list[str] = field(default_factory=list)

    def client(self, seed: int) -> None:
        rng = random.Random(seed)
        while not self.over.is_set():
            began = time.monotonic()
            try:
                self._ask(rng)
                self.answered += 1
            except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
                self.failures.append(repr(error))
            self.over.wait(max(0, began + self.seconds - time.monotonic()))

    def _ask(self, rng: random.Random) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        place, kind = rng.randrange(len(self.requests)), rng.randrange(10)
        address = "/api/parse/stream" if kind in (0, 1) else "/api/parse"
        body = rng.choice(WRONG) if kind == 2 else json.dumps({"sentences": self.requests[place]}).encode()
        connection.request("POST", address, body, {"Content-Type": "application/json"})
        if kind == 3:
            connection.close()  # hangs up
            return
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if kind == 2:
            good = 400 <= answer.status < 500
        elif address.endswith("stream"):
            lines = [json.loads(line) for line in text.splitlines()]
            good = [line["tree"] for line in lines if "tree" in line] == self.trees[place]
        else:
            good = [one["tree"] for one in json.loads(text)["sentences"]] == self.trees[place]
        if not good:
            self.failures.append(f"{answer.status} {text[:200]!r}")


def ends(values: list[float]) -> tuple[float, float]:
    """The least value of the first and of the last quarter, after warming up."""
    values = values[len(values) // 5 :] or [0.0]
    quarter = max(1, len(values) // 4)
    return min(values[:quarter]), min(values[-quarter:])


@click.command()
@click.option("--minutes", default=60.0, show_default=True)
@click.option("--model", default="en", show_default=True)
@click.option("--clients", default=8, show_default=True)
@click.option("--workers", default=1, show_default=True, help="Worker processes of the server.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    default=math.inf,
    help="Requests and, in the other process, sentences per second; as many as possible if left out.",
)
@click.option("--every", default=5.0, show_default=True, help="Seconds between measurements.")
@click.option("--growth", "most", default=5.0, show_default=True, help="Percent that memory may grow.")
@click.option("--output", type=click.Path(dir_okay=False), help="Also write the JSON to this file.")
def main(
    minutes: float,
    model: str,
    clients: int,
    workers: int,
    rate: float,
    every: float,
    most: float,
    output: str | None,
) -> None:
    """Load a server and parse in another process; record memory and open files."""
    requests = make_requests(200)
    parser = nccp.load(model, threads=1)
    trees = [[parser.parse(words, scores=False).brackets() for words in request] for request in requests]
    samples: dict[str, list[float]] = {f"{who}_{what}": [] for who in WHO for what in ("megabytes", "files")}
    with (
        server(model, workers) as (served, port),
        subprocess.Popen([sys.executable, "-c", _PARSE, model, str(rate)], stdout=subprocess.PIPE) as parsing,
    ):
        load = Load(port, requests, trees, clients / rate)
        counter = _Counter(parsing)
        threads = [threading.Thread(target=load.client, args=(seed,)) for seed in range(clients)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 60 * minutes
        try:
            while time.monotonic() < end and served.poll() is None and parsing.poll() is None:
                time.sleep(every)
                for who, pid in zip(WHO, (served.pid, parsing.pid)):
                    samples[f"{who}_megabytes"].append(megabytes(pid))
                    samples[f"{who}_files"].append(float(descriptors(pid)))
            died = [who for who, process in zip(WHO, (served, parsing)) if process.poll() is not None]
        finally:
            load.over.set()
            for thread in threads:
                thread.join()
            parsing.kill()
    pace = "" if rate == math.inf else f", at most {rate:g} requests and sentences per second"
    result = report(f"{minutes:g} minutes{pace}", model, samples, load, counter.sentences, died, most)
    text = json.dumps(result, indent=1)
    click.echo(text)
    if output:
        Path(output).write_text(text + "\n", encoding="utf-8")
    sys.exit(not result["steady"])


class _Counter:
    """Counts the sentences that the parsing process reports."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.sentences, self._process = 0, process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.sentences += int(line)


def report(
    length: str,
    model: str,
    samples: dict[str, list[float]],
    load: Load,
    sentences: int,
    died: list[str],
    most: float,
) -> dict[str, Any]:
    """The figures, the verdict, and the samples themselves."""
    rows, grown = [], []
    for who in WHO:
        memory, files = samples[f"{who}_megabytes"], samples[f"{who}_files"]
        (first, last), (opened, open_still) = ends(memory), ends(files)
        rows.append(
            {
                "process": who,
                "measurements": len(memory),
                "memory at the start (MB)": first,
                "memory at the end (MB)": last,
                "most memory (MB)": max(memory, default=0.0),
                "open files at the start": int(opened),
                "open files at the end": int(open_still),
                "most open files": int(max(files, default=0.0)),
            }
        )
        if last > first * (1 + most / 100) or open_still > opened + MORE_FILES:
            grown.append(who)
    about = f"{length}, model {model}, {os.cpu_count()} cores, nccp {nccp.__version__}: "
    about += f"{load.answered:,} requests and {sentences:,} sentences in process"
    return {
        "about": about,
        "rows": rows,
        "steady": not (grown or died or load.failures),
        "grown": grown,
        "died": died,
        "failures": len(load.failures),
        "first_failure": load.failures[0] if load.failures else None,
        "samples": samples,
    }


if __name__ == "__main__":
    main()
