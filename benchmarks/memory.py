"""Peak memory and speed by model and sentence length, and peak memory for odd inputs.

    python benchmarks/memory.py                                   # every installed model, about an hour
    python benchmarks/memory.py --models en --lengths 20,480 --words 8000 --odd ""
    python benchmarks/memory.py --output memory.json              # again: measures only what is missing there

Every cell is a process of its own that runs to its end, so that the peak is its own too. Times are processor
time, which other programs on the machine disturb less than time on the clock. Odd inputs go through ``nccp
parse`` and ``nccp bulk``. The last table is one line of more and more words: its peak must not grow.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from nccp.runtime import list_models
from nccp.runtime.synthetic import make_sentences

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


@dataclass(frozen=True)
class Odd:
    """An odd input: the verb and its options, what is in the file, and the exit code."""

    command: str
    write: Callable[[Path], object]
    suffix: str = ".txt"
    status: int = 0


def _text(make: Callable[[], str]) -> Callable[[Path], object]:
    return lambda path: path.write_text(make(), encoding="utf-8")


def _line(words: int, times: int = 1) -> Callable[[Path], object]:
    return _text(lambda: (" ".join(make_sentences([words])[0]) + "\n") * times)


def _different(count: int) -> str:
    """Words of 8 random letters, no two the same, 30 per line."""
    words = (f"{random.Random(number).getrandbits(20):05x}{number:03x}" for number in range(count))
    return "".join(word + ("\n" if place % 30 == 29 else " ") for place, word in enumerate(words))


def _document(path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"text": ["ab" * 4_190_000, "The river fell."]}), path)


ODD = {
    "word of 100,000 letters": Odd("parse --input tokens", _text(lambda: "ab" * 50_000 + "\n")),
    "line of 20 MB, 200 words": Odd(
        "parse --input tokens", _text(lambda: ("ab" * 50_000 + " ") * 200 + "\n")
    ),
    "line of 20,000 words, JSON": Odd("parse --input lines --output json", _line(20_000)),
    "line of 2,000 brackets": Odd("parse --input lines", _text(lambda: "(" * 2_000 + "\n")),
    "10,000 different words": Odd("parse --input tokens", _text(lambda: _different(10_000))),
    "sentences of 8,000 words": Odd("parse --input tokens", _line(8_000, times=2)),
    "five words 400 times": Odd("parse --input tokens", _text(lambda: "the old river fell , " * 400)),
    "tree 400,000 levels deep": Odd(
        "parse --input brackets", _text(lambda: "(X " * 400_000 + "a" + ")" * 400_000 + "\n")
    ),
    "20 MB of open brackets (an error)": Odd(
        "parse --input brackets", _text(lambda: "(" * 20_000_000), status=2
    ),
    "bulk: line of 20,000 words": Odd("bulk --workers 1 --input lines", _line(20_000)),
    "bulk: Parquet document of 8 MB": Odd("bulk --workers 1", _document, suffix=".parquet"),
}
GROWTH = (20_000, 60_000, 180_000, 540_000)
"""Words of one line."""


class Results:
    """The cells of the tables, stored after each."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.cells: dict[str, dict[str, dict[str, float]]] = {}
        if path is not None and path.exists():
            self.cells = json.loads(path.read_text(encoding="utf-8"))

    def has(self, table: str, row: str, column: str) -> bool:
        return column in self.cells.get(table, {}).get(row, {})

    def tables(self) -> list[tuple[str, dict[str, dict[str, float]]]]:
        return [(title, rows) for title, rows in self.cells.items() if isinstance(rows, dict)]

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
@click.option("--growth", default="en-fast", show_default=True, help="Models for the last table.")
@click.option("--speed/--no-speed", default=True, show_default=True, help="Report speed too.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Add to this JSON file.")
def main(
    models: str | None,
    lengths: str,
    words: int,
    batch_size: int,
    threads: int,
    odd: str | None,
    growth: str,
    speed: bool,
    output: Path | None,
) -> None:
    """Print tables of peak memory (MB) and of words per second of processor time."""
    names = models.split(",") if models else [model.name for model in list_models()]
    titles = list(ODD) if odd is None else list(filter(None, odd.split("|")))
    results = Results(output)
    for name in names:
        for length in filter(None, lengths.split(",")):
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
                results.add("odd_peak_mb", name, title, run_odd(name, ODD[title], threads))
    for name in filter(None, growth.split(",")):
        for words in GROWTH:
            for verb, options in {"parse": "", "bulk": " --workers 1"}.items():
                row, column = f"{name}, nccp {verb}", f"line of {words:,} words"
                if not results.has("growth_peak_mb", row, column):
                    case = Odd(f"{verb} --input lines{options}", _line(words))
                    results.add("growth_peak_mb", row, column, run_odd(name, case, threads))
    for title, rows in results.tables():
        click.echo(f"\n{title}\n{table(rows)}")


def run_odd(model: str, odd: Odd, threads: int) -> float:
    """Peak memory of a command over an odd input."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"input{odd.suffix}")
        odd.write(path)
        verb, *options = odd.command.split()
        files = [str(path), *([str(Path(folder, "out"))] if verb == "bulk" else [])]
        call = [sys.executable, "-m", "nccp", verb, *files, "--model", model, *options]
        _, peak = run([*call, "--threads", str(threads)], odd.status)
    return peak


def run(call: list[str], expected: int = 0) -> tuple[bytes, float]:
    """A process's output and its peak memory in MB."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(call, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if code != expected:
            raise click.ClickException(f"exit status {code}: {call}\n{errors.read().decode()}")
        return output.read(), usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def table(rows: dict[str, dict[str, float]]) -> str:
    """A table in Markdown, a line per model."""
    heads = list(dict.fromkeys(head for row in rows.values() for head in row))
    lines = [["", *heads], ["---"] * (len(heads) + 1)]
    lines += [
        [name, *(f"{row[head]:,.0f}" if head in row else "" for head in heads)] for name, row in rows.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
