"""``nccp bench``: measure the speed of parsing and of training on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, input_option, json_option, model_option, threads_option

if TYPE_CHECKING:
    from nccp.decoding import Parser
    from nccp.runtime.bench import Sentences

_EPILOG = """\b
Examples:
  nccp bench
  nccp bench story.txt --threads 1
  nccp bench --sentences 200 --repeat 1 --json | jq .all.sentences_per_second
  nccp bench --training wsj --formats stratified,triangular --memory 4 --plot formats.svg
  nccp bench --training recipes/ptb.toml --set model.context_layers=2 --batches 20
"""
_BIN_WORDS = 96_000  # of generated text for each length: six batches of the longest, work for all cores


@click.command("bench", epilog=_EPILOG)
@click.argument("file", required=False)
@input_option("Form of FILE; see nccp parse --help.")
@model_option
@click.option(
    "--sentences",
    "count",
    type=click.IntRange(1),
    default=1600,
    show_default=True,
    help="Sentences to generate.",
)
@click.option(
    "--repeat", type=click.IntRange(1), default=3, show_default=True, help="Repetitions; the best one counts."
)
@batch_size_option
@threads_option
@click.option("--no-start", is_flag=True, help="Do not measure how long a new process takes to start.")
@click.option(
    "--training",
    metavar="TREEBANK|CONFIG",
    help="Measure training instead: the paper's binary model on a treebank, or a configuration (.toml).",
)
@click.option(
    "--formats",
    default="stratified,triangular",
    show_default=True,
    metavar="NAMES",
    help="Training: the data formats to compare.",
)
@click.option(
    "--batches", type=click.IntRange(1), metavar="N", help="Training: measure only so many batches."
)
@click.option(
    "--memory",
    type=click.FloatRange(0, min_open=True),
    metavar="GB",
    help="Training: also find the longest sentences of which a batch fits into this much memory.",
)
@click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Training: change the configuration."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Training: draw speed and memory by length as .pdf, .svg or .png (needs matplotlib).",
)
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
    training: str | None,
    formats: str,
    batches: int | None,
    memory: float | None,
    overrides: tuple[str, ...],
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure how fast a model parses FILE, or generated English text: from words to brackets.

    The report has the speed by length, how soon a new process has its first tree (the first time, and again),
    the peak memory, and where the time goes. Nothing else should be running.

    With --training, compare the data formats of training (paper, Table "fmt"): time per epoch without
    evaluations (CPU time with --threads 1), peak memory, speed by length and, with --memory, the longest
    sentences that fit.
    """
    if training is not None:
        if file is not None:
            raise click.UsageError("--training and FILE cannot be combined")
        _bench_training(training, formats.split(","), batches, memory, overrides, threads, plot, as_json)
        return
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


def _bench_training(
    source: str,
    formats: list[str],
    batches: int | None,
    memory: float | None,
    overrides: tuple[str, ...],
    threads: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    from nccp.config import apply_overrides, check_config, load_config, parse_override
    from nccp.errors import need

    need("torch", "train", "nccp bench --training")
    if plot is not None:
        from nccp.analysis.figure_style import figure_format

        figure_format(plot)
        need("matplotlib", "plots", "nccp bench --plot")
    from nccp.training.format_benchmark import benchmark_formats

    if threads:
        overrides = (*overrides, f"train.threads={threads}")
    if source.endswith(".toml"):
        config = load_config(source, overrides)
    else:
        tree = {"input": {"kind": "words", "words": 300}, "data": {"treebanks": [{"path": source}]}}
        changes = dict(parse_override(text) for text in overrides)
        config = check_config(apply_overrides(tree, changes, source), source)
    results = benchmark_formats(
        config, formats, batches=batches, memory=None if memory is None else int(memory * 1e9)
    )
    if plot is not None:
        from nccp.analysis.format_figure import draw_formats
        from nccp.cli.output_files import writing

        with writing(plot):
            draw_formats(results, plot)
    made = {"training": source, "batch": config.train.batch, "overrides": list(overrides), "formats": results}
    click.echo(json.dumps(made, indent=2) if as_json else _training_text(results))


def _training_text(results: list[dict[str, Any]]) -> str:
    from nccp.scoring import format_rows

    rows = [("format", "s/epoch", "words/s", "peak memory", "longest that fits")]
    for one in results:
        longest = one.get("longest")
        fits = f"{longest['words']} words in {longest['memory'] / 1e9:g} GB" if longest else "-"
        peak = f"{one['peak_memory'] / 1e9:.2f} GB"
        rows.append(
            (one["format"], f"{one['epoch_seconds']:.1f}", f"{one['words_per_second']:,.0f}", peak, fits)
        )
    lengths: dict[tuple[int, int], dict[str, str]] = {}
    for one in results:
        for part in one["by_length"]:
            cells = lengths.setdefault((part["from"], part["to"]), {})
            cells[one["format"]] = f"{part['sentences_per_second']:,.1f}"
    names = [one["format"] for one in results]
    by_length = [("sentences/s, length", *names)]
    by_length += [
        (f"{low}-{high}", *(cells.get(name, "-") for name in names))
        for (low, high), cells in sorted(lengths.items())
    ]
    return format_rows(rows) + "\n" + format_rows(by_length)


def _sentences(parser: Parser, file: str | None, form: str, count: int) -> tuple[Sentences, Sentences]:
    """The sentences to parse, and those to parse by length: of a file the same ones."""
    from nccp.cli.sentences import read_sentences
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
