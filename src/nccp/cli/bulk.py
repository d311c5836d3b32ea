"""``nccp bulk``: parse a corpus of many files into shards."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, json_option, model_option

if TYPE_CHECKING:
    from nccp.bulk import Progress, Summary

_EPILOG = """\b
Examples:
  nccp bulk corpus/ trees/ --model en-fast
  nccp bulk 'web/*.jsonl.zst' trees/ --column content --id-column url --bad skip
  nccp bulk sentences.txt.gz trees/ --input lines --format jsonl
  nccp bulk corpus/ /shared/trees/ --engine ray --address auto
To resume a run that was interrupted, run the same command again.
"""
_EVERY = 30.0  # seconds between lines of progress where there is no terminal


@click.command("bulk", epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.argument("out", type=click.Path(file_okay=False))
@model_option
@click.option(
    "--input",
    type=click.Choice(["text", "lines", "tokens"]),
    default="text",
    show_default=True,
    help="text: raw text; lines: one sentence per line; tokens: one tokenised sentence per line.",
)
@click.option("--column", default="text", show_default=True, help="Text column of JSON lines and Parquet.")
@click.option("--id-column", metavar="NAME", help="Column with an identifier of each document.")
@click.option(
    "--format",
    type=click.Choice(["parquet", "jsonl", "brackets"]),
    default="parquet",
    show_default=True,
    help="Format of the shards.",
)
@click.option(
    "--compression",
    type=click.Choice(["gz", "zst", "none"]),
    default="gz",
    show_default=True,
    help="Compression of jsonl and brackets; Parquet is always compressed.",
)
@click.option("--root", metavar="LABEL", help="Put a root on every tree, such as TOP.")
@click.option("--no-scores", is_flag=True, help="Leave out confidence scores; a little faster.")
@click.option(
    "--shard-size",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Sentences per shard: what is parsed again after an interruption.",
)
@click.option(
    "--bad",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="Input files that cannot be read: stop before parsing, or report them and continue without them.",
)
@click.option(
    "--encoding", default="utf-8", show_default=True, metavar="NAME", help="Encoding of text files."
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Run on this machine, or on Ray.",
)
@click.option(
    "--address",
    metavar="ADDRESS",
    help="Address of a Ray cluster, or auto. [default: start Ray on this machine]",
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes or Ray actors. [default: one per core]"
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads, and Ray CPUs, per worker.")
@batch_size_option
@json_option
def command(
    inputs: tuple[str, ...],
    out: str,
    no_scores: bool,
    batch_size: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Parse INPUTs (files, folders, quoted patterns) into shards in the folder OUT.

    Text, JSON lines (.jsonl) and Parquet files are read, also compressed (.gz, .zst, .bz2, .xz). All inputs
    are checked before parsing begins. Every sentence keeps its source, document, number and text offsets.

    A run that is killed continues when the same command is run again. Finished shards are kept, and the
    result is byte for byte that of an uninterrupted run.
    """
    import msgspec

    from nccp.bulk import parse_corpus

    if batch_size is not None:
        options["batch_size"] = batch_size
    display = _Display()
    try:
        summary = parse_corpus(inputs, out, scores=not no_scores, progress=display.show, **options)
    finally:
        display.close()
    for failure in summary.failures:
        click.echo(f"skipped {failure.error}", err=True)
    click.echo(msgspec.json.encode(summary) if as_json else _describe(summary))


def _describe(summary: Summary) -> str:
    lines = [
        f"{summary.out}: {summary.sentences:,} sentences, {summary.words:,} words, {summary.shards:,} shards",
        f"{summary.documents:,} documents in {summary.files:,} files, {len(summary.failures):,} skipped",
        f"fallback trees: {summary.fallbacks:,}; characters replaced by U+FFFD: {summary.replaced:,}",
        f"{summary.seconds:,.1f} s, {summary.rate:,.0f} sentences/s",
    ]
    if summary.resumed:
        lines.append(f"{summary.resumed:,} shards were finished by an earlier run")
    return "\n".join(lines)


class _Display:
    """Share done, rate and time left: a bar on a terminal, else a line now and then, on standard error."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._bar: Any = None
        self._stage = ""
        self._begun = self._last = time.monotonic()

    def show(self, progress: Progress) -> None:
        """Called whenever something is done."""
        if progress.stage != self._stage:
            self.close()
            self._stage, self._begun = progress.stage, time.monotonic()
        if self._live:
            self._draw(progress)
        elif time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            click.echo(self._line(progress), err=True)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _draw(self, progress: Progress) -> None:
        if self._bar is None:
            from tqdm import tqdm

            name, unit = _STAGES[progress.stage]
            self._bar = tqdm(
                desc=name, total=progress.total, unit=f" {unit}", initial=progress.before, leave=False
            )
        self._bar.update(progress.done - self._bar.n)

    def _line(self, progress: Progress) -> str:
        name, unit = _STAGES[progress.stage]
        rate = (progress.done - progress.before) / max(time.monotonic() - self._begun, 1e-9)
        left = f", {(progress.total - progress.done) / rate / 60:,.0f} min left" if rate else ""
        share = progress.done / max(progress.total, 1)
        return f"{name}: {share:.1%}, {progress.done:,} of {progress.total:,} {unit}, {rate:,.0f}/s{left}"


_STAGES = {"check": ("checking inputs", "files"), "parse": ("parsing", "sentences")}
