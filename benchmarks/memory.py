"""Peak memory and speed by model and sentence length, and peak memory for odd inputs.

    python benchmarks/memory.py                                   # every installed model, a few minutes
    python benchmarks/memory.py --models en --lengths 20,480 --words 8000

Every cell is a process of its own, so that the peak is its own too. Speed is given per second of processor
time, which other programs on the machine disturb less than time on the clock. Odd inputs are parsed as
``nccp parse`` does: one word of 100,000 letters, a line of 20 MB, sentences of 8,000 words. They are stopped
after ``--seconds``. For the line of 20 MB that is one sentence this hides the peak, since its memory grows
until the end (1.8 GB and more with en-fast): give it ``--seconds 2000``.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
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

ODD: dict[str, tuple[str, Callable[[], str]]] = {
    "one word of 100,000 letters": ("tokens", lambda: "ab" * 50_000 + "\n"),
    "20 MB in one line, as text": (
        "text",
        lambda: "The old river fell, and they slept. " * (20_000_000 // 36),
    ),
    "20 MB in one line, as one sentence": ("lines", lambda: "the old river fell , " * (20_000_000 // 21)),
    "20 sentences of 8,000 words": ("tokens", lambda: ("the old river fell near it , " * 1143 + "\n") * 20),
    "10,000 opening brackets": ("tokens", lambda: "( " * 10_000 + "\n"),
}


@click.command()
@click.option("--models", help="Names, separated by commas; all installed models if left out.")
@click.option("--lengths", default=LENGTHS, show_default=True, help="Words per sentence.")
@click.option("--words", default=16_000, show_default=True, help="Words per cell.")
@click.option("--batch-size", default=128, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--odd/--no-odd", default=True, show_default=True, help="Measure the odd inputs too.")
@click.option("--seconds", default=60.0, show_default=True, help="After which an odd input is stopped.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def main(
    models: str | None,
    lengths: str,
    words: int,
    batch_size: int,
    threads: int,
    odd: bool,
    seconds: float,
    as_json: bool,
) -> None:
    """Print tables of peak memory (MB) and of words per second of processor time."""
    names = models.split(",") if models else [model.name for model in list_models()]
    columns = [int(length) for length in lengths.split(",")]
    result: dict[str, dict[str, dict[str, float]]] = {
        "peak_mb": {},
        "words_per_second": {},
        "odd_peak_mb": {},
    }
    for name in names:
        result["peak_mb"][name], result["words_per_second"][name] = {}, {}
        for length in columns:
            call = [sys.executable, "-c", _PARSE, name, *map(str, (length, words, batch_size, threads))]
            output, peak = run(call)
            done = json.loads(output)
            result["peak_mb"][name][str(length)] = peak
            result["words_per_second"][name][str(length)] = done["words"] / done["seconds"]
        if odd:
            peaks = {title: parse_odd(name, *ODD[title], threads, seconds) for title in ODD}
            result["odd_peak_mb"][name] = peaks
    if as_json:
        click.echo(json.dumps(result, indent=1))
        return
    for title, rows in result.items():
        if rows:
            click.echo(f"\n{title}\n{table(rows)}")


def parse_odd(model: str, form: str, text: Callable[[], str], threads: int, seconds: float) -> float:
    """Peak memory of ``nccp parse`` over a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "input.txt")
        path.write_text(text(), encoding="utf-8")
        call = [sys.executable, "-m", "nccp", "parse", "--model", model, "--input", form, str(path)]
        _, peak = run([*call, "--threads", str(threads)], seconds)
    return peak


def run(call: list[str], seconds: float | None = None) -> tuple[bytes, float]:
    """A process's output and its peak memory in MB; it is stopped after ``seconds``."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(call, stdout=output)
        stop = threading.Timer(seconds or threading.TIMEOUT_MAX, process.kill)
        stop.start()
        _, status, usage = os.wait4(process.pid, 0)
        stop.cancel()
        stopped = seconds is not None and os.waitstatus_to_exitcode(status) == -signal.SIGKILL
        if status and not stopped:
            raise click.ClickException(f"exit status {os.waitstatus_to_exitcode(status)}: {call}")
        output.seek(0)
        return output.read(), usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def table(rows: dict[str, dict[str, float]]) -> str:
    """A table in Markdown, a line per model."""
    heads = list(next(iter(rows.values())))
    lines = [["", *heads], ["---"] * (len(heads) + 1)]
    lines += [[name, *(f"{row[head]:,.0f}" for head in heads)] for name, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
