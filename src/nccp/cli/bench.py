"""``nccp bench``: measure the parser's speed on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, input_option, json_option, threads_option

if TYPE_CHECKING:
    from nccp.decoding import Parser
    from nccp.runtime.bench import Sentences

_EPILOG = """\b
Examples:
  nccp bench
  nccp bench story.txt --threads 1
  nccp bench --sentences 200 --repeat 1 --json | jq .all.sentences_per_second
"""
_BIN_WORDS = 96_000  # of made-up text, for each length: six batches of the longest, work for all cores


@click.command("bench", epilog=_EPILOG)
@click.argument("file", required=False)
@input_option("Of FILE; see nccp parse --help.")
@click.option("--model", default="en", show_default=True, metavar="NAME|PATH", help="See nccp models.")
@click.option(
    "--sentences", "count", type=click.IntRange(1), default=1600, show_default=True, help="To make up."
)
@click.option(
    "--repeat", type=click.IntRange(1), default=3, show_default=True, help="Take the best of these."
)
@batch_size_option
@threads_option
@click.option("--no-start", is_flag=True, help="Do not measure how long a new process takes to start.")
@json_option
def command(
    file: str | None,
    form: str,
    model: str,
    count: int,
    repeat: int,
    batch_size: int | None,
    threads: int | None,
    no_start: bool,
    as_json: bool,
) -> None:
    """Measure how fast a model parses FILE, or English that is made up: from words to brackets.

    Also by length, how soon a new process has its first tree (the first time, and again), the most memory it
    takes, and where the time goes. Nothing else should be running.
    """
    from nccp.decoding.stream import BATCH
    from nccp.runtime.bench import by_length, measure_shares, measure_speed, measure_start, peak_memory
    from nccp.runtime.models import find_model, load

    path = find_model(model)
    starts = [] if no_start else [measure_start(path) for _ in range(2)]
    parser = load(path, threads=threads)
    sentences, bins = _sentences(parser, file, form, count)
    batch_size = batch_size or BATCH
    warm = sentences[:batch_size]
    measure_speed(parser, warm, batch_size=batch_size, repeat=1)
    speed = measure_speed(parser, sentences, batch_size=batch_size, repeat=repeat)
    result: dict[str, Any] = {
        "model": parser.name,
        "threads": parser.threads,
        "batch_size": batch_size,
        "all": speed.to_dict(),
        "by_length": [
            {"from": least, "to": most}
            | measure_speed(parser, part, batch_size=batch_size, repeat=repeat).to_dict()
            for (least, most), part in by_length(bins).items()
        ],
        "shares": measure_shares(parser, sentences, batch_size=batch_size),
        "start": dict(zip(("first", "again"), starts)),
        "peak_memory": peak_memory(),
    }
    click.echo(json.dumps(result, indent=2) if as_json else _text(result))


def _sentences(parser: Parser, file: str | None, form: str, count: int) -> tuple[Sentences, Sentences]:
    """The sentences to parse, and those to parse by length: of a file the same ones."""
    from nccp.cli.parse import read_sentences
    from nccp.errors import InputError
    from nccp.runtime.bench import BINS
    from nccp.runtime.synthetic import make_sentences, typical_lengths

    if file is None:
        lengths = [length for length in BINS for _ in range(max(1, _BIN_WORDS // length))]
        return make_sentences(typical_lengths(count)), make_sentences(lengths)
    given = map(parser.prepare, read_sentences(file, form, parser))
    sentences = [sentence.words for sentence in given if len(sentence)]
    if not sentences:
        raise InputError(f"{file}: nothing to parse")
    return sentences, sentences


def _text(result: dict[str, Any]) -> str:
    lines = [f"{result['model']}, {result['threads']} threads, batches of {result['batch_size']}", ""]
    lines.append(f"{'words':<12}{'sentences':>10}{'sentences/s':>13}{'words/s':>10}")
    rows = {"all": result["all"], **{f"{one['from']}-{one['to']}": one for one in result["by_length"]}}
    for name, one in rows.items():
        speeds = f"{one['sentences_per_second']:>13,.0f}{one['words_per_second']:>10,.0f}"
        lines.append(f"{name:<12}{one['sentences']:>10,}{speeds}")
    shares = ", ".join(f"{name} {share:.0%}" for name, share in result["shares"].items())
    lines += ["", f"time (1 thread): {shares}"]
    for name, start in result["start"].items():
        steps = ", ".join(f"{step.replace('_', ' ')} {start[step]:.2f}" for step in list(start)[1:])
        lines.append(f"start to first tree, {name}: {start['total']:.2f} s ({steps})")
    if result["peak_memory"]:
        lines.append(f"peak memory: {result['peak_memory'] / 1e6:.0f} MB")
    return "\n".join(lines)
