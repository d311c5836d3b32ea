"""Bulk parsing: its rate beside plain `parse_many`, and what a corpus costs at a rate.

    python benchmarks/bulk.py rate ../shared/raw/genres --input tokens --model en-fast --rounds 2
    python benchmarks/bulk.py cost --rate 900 --machines 20 --cores 16

Every way to parse runs several times, in turn, in processes of its own. Its start-up is what it takes for as
many sentences as it has workers, and is subtracted to get the rate that a long run approaches. Processor time
(of all processes) disturbs less than time on the clock if other programs run on the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
from processes import watch_usage

import nccp

_CORES = len(os.sched_getaffinity(0))
_PLAIN = """
import sys
from pathlib import Path
import nccp
from nccp.bulk import Options
from nccp.bulk.inputs import find_inputs
from nccp.bulk.reading import read_items
model, form, threads, *inputs = sys.argv[1:]
parser = nccp.load(model, threads=int(threads))
sources = find_inputs(inputs, Path("no folder"))
options = Options(model=model, input=form)
items = (item for source in sources for item in read_items(source, options, parser.language))
for parse in parser.parse_many(item.words if item.words is not None else item.text for item in items):
    parse.brackets()
"""

model_option = click.option("--model", default="en-fast", show_default=True)
form_option = click.option("--input", "form", default="text", show_default=True)
shard_option = click.option("--shard-size", default=10_000, show_default=True)
output_option = click.option("--output", type=click.Path(path_type=Path), help="Write the result as JSON.")


class Took(NamedTuple):
    """Of one run."""

    seconds: float
    processor_seconds: float


def bulk_command(inputs: tuple[str, ...], out: Path, model: str, form: str, shard_size: int) -> list[str]:
    """The command ``nccp bulk``."""
    start = [sys.executable, "-m", "nccp", "bulk", *inputs, str(out)]
    return [*start, "--model", model, "--input", form, "--shard-size", str(shard_size)]


def timed(command: list[str]) -> Took:
    """Run a command to its end."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    with watch_usage(process) as usage:
        code = process.wait()
        seconds = time.perf_counter() - begun
    if code:
        raise click.ClickException(f"exit code {code}: {' '.join(command)}")
    return Took(seconds, usage.seconds)


def describe_machine() -> str:
    """Processor, cores, version and date of a measurement."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{name}, {_CORES} of {os.cpu_count()} cores, nccp {nccp.__version__}, {time.strftime('%Y-%m-%d')}"


def write_result(result: dict[str, Any], output: Path | None) -> None:
    """Print it, and store it for the documentation."""
    text = json.dumps(result, indent=2)
    click.echo(text)
    if output:
        output.write_text(text + "\n", encoding="utf-8")


@click.group()
def main() -> None:
    """Measure nccp bulk."""


@main.command()
@click.argument("inputs", nargs=-1, required=True)
@model_option
@form_option
@shard_option
@output_option
@click.option("--rounds", default=2, show_default=True)
@click.option("--workers", default=_CORES, show_default=True, help="Threads, processes or actors.")
@click.option("--ray/--no-ray", default=True, show_default=True)
def rate(
    inputs: tuple[str, ...],
    model: str,
    form: str,
    shard_size: int,
    output: Path | None,
    rounds: int,
    workers: int,
    ray: bool,
) -> None:
    """Sentences per second of every way to parse INPUTS."""
    count = str(workers)
    ways = {
        f"parse_many, {workers} threads": None,
        f"nccp bulk, 1 process with {workers} threads": ["--workers", "1", "--threads", count],
        f"nccp bulk, {workers} processes": ["--workers", count, "--threads", "1"],
        f"nccp bulk, Ray, {workers} actors": ["--engine", "ray", "--workers", count],
    }
    if not ray:
        ways.popitem()
    with tempfile.TemporaryDirectory() as folder:
        few = Path(folder, "few.txt")
        few.write_text("It rains .\n" * workers)

        def run(way: list[str] | None, inputs: tuple[str, ...], size: int) -> Took:
            if way is None:
                return timed([sys.executable, "-c", _PLAIN, model, form, count, *inputs])
            with tempfile.TemporaryDirectory(dir=folder) as out:
                return timed([*bulk_command(inputs, Path(out, "out"), model, form, size), *way])

        took: dict[str, list[tuple[Took, Took]]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                took[name].append((run(way, (str(few),), 1), run(way, inputs, shard_size)))
                click.echo(f"{name}: {took[name][-1]}", err=True)
        out = Path(folder, "count")
        subprocess.run(
            bulk_command(inputs, out, model, form, shard_size), check=True, stdout=subprocess.DEVNULL
        )
        about = json.loads((out / "_manifest.json").read_text())
    write_result(_compare(took, about["sentences"], about["words"], describe_machine()), output)


def _compare(took: dict[str, list[tuple[Took, Took]]], sentences: int, words: int, where: str) -> Any:
    rows: list[dict[str, Any]] = []
    for name, runs in took.items():
        start, wall = (median(run[part].seconds for run in runs) for part in (0, 1))
        idle, used = (median(run[part].processor_seconds for run in runs) for part in (0, 1))
        row = {
            "way": name,
            "start-up, s": round(start, 1),
            "all, s": round(wall, 1),
            "sentences/s, steady": round(sentences / (wall - start)),
            "sentences per CPU second, steady": round(sentences / (used - idle)),
        }
        first = rows[0] if rows else row
        share = row["sentences per CPU second, steady"] / first["sentences per CPU second, steady"]
        rows.append({**row, "CPU rate to that of parse_many": round(share, 3)})
    rounds = len(next(iter(took.values())))
    return {
        "about": f"{sentences:,} sentences, {words:,} words, medians of {rounds} rounds; {where}",
        "ways": rows,
    }


@main.command()
@click.option("--rate", required=True, type=float, help="Sentences per second and core, measured.")
@click.option("--sentences", default=1e9, show_default=True)
@click.option("--machines", default=1, show_default=True)
@click.option("--cores", default=16, show_default=True, help="Of each machine.")
@click.option("--overhead", default=0.0, show_default=True, help="Share of time lost to Ray, measured.")
@click.option("--price", default=0.0, show_default=True, help="Of a core for an hour, in any currency.")
def cost(rate: float, sentences: float, machines: int, cores: int, overhead: float, price: float) -> None:
    """What a corpus costs, from a measured rate."""
    hours = sentences / rate / (1 - overhead) / 3600
    click.echo(
        f"{sentences:,.0f} sentences at {rate:,.0f}/s per core: {hours:,.0f} core hours; "
        f"{hours / (machines * cores):,.1f} hours on {machines} machines of {cores} cores"
        + (f"; costs {hours * price:,.0f}" if price else "")
    )


if __name__ == "__main__":
    main()
