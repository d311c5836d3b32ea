"""Words per second by sentence length: does a word cost the same in long sentences as in short ones?

    python benchmarks/growth.py --output docs/results/data/growth.json          # every installed model
    python benchmarks/growth.py --models en --lengths 10,120,500 --words 4000 --rounds 2 --threads 1

The lengths of a model take turns, several rounds in one process, and the best round of each counts: other
programs on the machine then disturb all lengths alike. With one thread the time is processor time, else time
on the clock. ``slowest / fastest`` is 1 if speed does not depend on length.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

import nccp
from bulk import describe_machine, output_option, write_result
from nccp.decoding import Parser
from nccp.runtime import list_models
from nccp.runtime.synthetic import make_sentences

LENGTHS = "10,20,40,80,120,160,320,500"


@click.command()
@click.option("--models", help="Names or paths, separated by commas; all installed models if left out.")
@click.option("--lengths", default=LENGTHS, show_default=True, help="Words per sentence.")
@click.option("--words", default=16_000, show_default=True, help="Words per length.")
@click.option("--rounds", default=3, show_default=True)
@click.option("--threads", default=2, show_default=True)
@output_option
def main(
    models: str | None, lengths: str, words: int, rounds: int, threads: int, output: Path | None
) -> None:
    """Measure words per second by sentence length."""
    names = models.split(",") if models else [model.name for model in list_models()]
    texts = {
        length: make_sentences([int(length)] * max(1, words // int(length))) for length in lengths.split(",")
    }
    rows = {Path(name).name: measure(nccp.load(name, threads=threads), texts, rounds) for name in names}
    clock = "processor time, 1 thread" if threads == 1 else f"time on the clock, {threads} threads"
    about = (
        f"{words:,} words of generated English per length, {clock}; best of {rounds}; {describe_machine()}"
    )
    write_result({"about": about, "words_per_second": rows}, output)


def measure(parser: Parser, texts: dict[str, list[list[str]]], rounds: int) -> dict[str, Any]:
    """Words per second for each length, and the slowest as a part of the fastest."""
    now = time.process_time if parser.threads == 1 else time.perf_counter
    best: dict[str, float] = {}
    for _ in range(rounds):
        for length, sentences in texts.items():
            began = now()
            for parse in parser.parse_many(sentences, scores=False):
                parse.brackets()
            best[length] = max(best.get(length, 0), sum(map(len, sentences)) / (now() - began))
    speeds: dict[str, Any] = {length: round(speed) for length, speed in best.items()}
    return speeds | {"slowest / fastest": round(min(best.values()) / max(best.values()), 2)}


if __name__ == "__main__":
    main()
