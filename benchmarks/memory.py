"""Peak memory and speed by model and sentence length, and peak memory for odd inputs.

    python benchmarks/memory.py                                   # every installed model, about an hour
    python benchmarks/memory.py --models en --lengths 20,480 --words 8000 --odd ""
    python benchmarks/memory.py --output memory.json              # again: measures only what is missing there

Every cell is a process of its own, so that the peak is its own too. Times are processor time, which other
programs on the machine disturb less than time on the clock. Odd inputs are parsed by ``nccp parse``, which is
stopped after ``--seconds``: memory has reached its peak when the first windows of sentences are written.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click

from nccp.runtime import list_models

LENGTHS = "10,20,40,80,160,320,480"

_PARSE = """
import json, sys, time
import nccp
from nccp.runtime.synthetic import make_sentences
model, length, words, batch, threads = sys.argv[1], *map(int, sys.argv[2:])
sentences = make_sentences([length] * max(1, words // length))
parser = nccp.load(model)
began = time.process_time()
for parse in parser.parse_many(sentences, batch_size=batch, threads=threads):
    parse.brackets()
seconds = time.process_time() - began
print(json.dumps({"words": len(sentences) * length, "seconds": seconds}))
"""

_MEGABYTES = 20
ODD: dict[str, tuple[str, Callable[[], str]]] = {
    "word of 100,000 letters": ("--input tokens", lambda: "ab" * 50_000 + "\n"),
    "20 MB line, text": ("--input text", lambda: _repeat("The old river fell, and they slept. ")),
    "20 MB line, one sentence": ("--input lines", lambda: _repeat("the old river fell , ")),
    "the same, JSON": ("--input lines --output json", lambda: _repeat("the old river fell , ")),
    "20 MB line of brackets": ("--input lines", lambda: _repeat("(")),
    "20 MB of different words": ("--input tokens", lambda: _different(_MEGABYTES * 10**6)),
    "20 MB without a blank": ("--input lines", lambda: _repeat("ab")),
    "sentences of 8,000 words": (
        "--input tokens",
        lambda: ("the old river fell near it , " * 1143 + "\n") * 20,
    ),
    "tree of 2 MB": ("--input brackets", lambda: "(S" + " (X a)" * 340_000 + ")\n"),
}
"""Options of ``nccp parse``, and its input."""


def _repeat(text: str) -> str:
    return text * (_MEGABYTES * 10**6 // len(text))


def _different(size: int) -> str:
    """Words of 32 random letters, no two the same, 30 per line."""
    words = (random.Random(number).randbytes(16).hex() for number in range(size // 33))
    return "".join(word + ("\n" if place % 30 == 29 else " ") for place, word in enumerate(words))


class Results:
    """The cells of the tables, stored after each."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.cells: dict[str, dict[str, dict[str, float]]] = {}
        if path is not None and path.exists():
            self.cells = json.loads(path.read_text(encoding="utf-8"))

    def has(self, table: str, row: str, column: str) -> bool:
        return column in self.cells.get(table, {}).get(row, {})

    def add(self, table: str, row: str, column: str, value: float) -> None:
        self.cells.setdefault(table, {}).setdefault(row, {})[column] = round(value, 1)
        if self.path is not None:
            self.path.write_text(json.dumps(self.cells, indent=1) + "\n", encoding="utf-8")


@click.command()
@click.option("--models", help="Names, separated by commas; all installed models if left out.")
@click.option("--lengths", default=LENGTHS, show_default=True, help="Words per sentence.")
@click.option("--words", default=16_000, show_default=True, help="Words per cell.")
@click.option("--batch-size", default=128, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--odd", help=f"Odd inputs, separated by |; all if left out: {' | '.join(ODD)}")
@click.option("--seconds", default=60, show_default=True, help="After which an odd input is stopped.")
@click.option("--speed/--no-speed", default=True, show_default=True, help="Report speed too.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Add to this JSON file.")
def main(
    models: str | None,
    lengths: str,
    words: int,
    batch_size: int,
    threads: int,
    odd: str | None,
    seconds: int,
    speed: bool,
    output: Path | None,
) -> None:
    """Print tables of peak memory (MB) and of words per second of processor time."""
    names = models.split(",") if models else [model.name for model in list_models()]
    titles = list(ODD) if odd is None else list(filter(None, odd.split("|")))
    results = Results(output)
    for name in names:
        for length in lengths.split(","):
            if results.has("peak_mb", name, length):
                continue
            call = [sys.executable, "-c", _PARSE, name, length, *map(str, (words, batch_size, threads))]
            printed, peak = run(call)
            done = json.loads(printed)
            results.add("peak_mb", name, length, peak)
            if speed:
                results.add("words_per_second", name, length, done["words"] / done["seconds"])
        for title in titles:
            if not results.has("odd_peak_mb", name, title):
                results.add("odd_peak_mb", name, title, parse_odd(name, *ODD[title], threads, seconds))
    for title, rows in results.cells.items():
        click.echo(f"\n{title}\n{table(rows)}")


def parse_odd(model: str, options: str, text: Callable[[], str], threads: int, seconds: int) -> float:
    """Peak memory of ``nccp parse`` over a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "input.txt")
        path.write_text(text(), encoding="utf-8")
        call = [sys.executable, "-m", "nccp", "parse", "--model", model, *options.split(), str(path)]
        _, peak = run([*call, "--threads", str(threads)], seconds)
    return peak


def run(call: list[str], seconds: int | None = None) -> tuple[bytes, float]:
    """A process's output and its peak memory in MB; it is stopped after ``seconds`` of processor time."""
    if seconds is not None:
        call = ["bash", "-c", f'ulimit -t {seconds}; exec "$0" "$@"', *call]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            call, stdout=output, stderr=None if seconds is None else subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        stopped = seconds is not None and -os.waitstatus_to_exitcode(status) in (
            signal.SIGKILL,
            signal.SIGXCPU,
        )
        if status and not stopped:
            raise click.ClickException(f"exit status {os.waitstatus_to_exitcode(status)}: {call}")
        output.seek(0)
        return output.read(), usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def table(rows: dict[str, dict[str, float]]) -> str:
    """A table in Markdown, a line per model."""
    heads = list(next(iter(rows.values())))
    lines = [["", *heads], ["---"] * (len(heads) + 1)]
    lines += [
        [name, *(f"{row[head]:,.0f}" if head in row else "" for head in heads)] for name, row in rows.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
