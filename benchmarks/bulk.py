"""Bulk parsing: its rate beside plain `parse_many`, and what is left after runs that were killed at random.

python benchmarks/bulk.py rate ../shared/raw --model en-fast
python benchmarks/bulk.py kills ../shared/raw --model en-fast --kills 10
python benchmarks/bulk.py cost --rate 900 --machines 20 --cores 16
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
from processes import descendants

import nccp
from nccp.bulk.inputs import find_inputs
from nccp.bulk.options import Options
from nccp.bulk.reading import read_items

CORES = len(os.sched_getaffinity(0))
_MODEL = click.option("--model", default="en-fast", show_default=True)
_FORM = click.option("--input", "form", default="text", show_default=True)
_SHARD = click.option("--shard-size", default=10_000, show_default=True)
_SCRATCH = click.option("--scratch", default=None, help="Folder for outputs. [default: a temporary one]")


@click.group()
def main() -> None:
    """Measure and try nccp bulk."""


@main.command()
@click.argument("folder")
@_MODEL
@_FORM
@_SHARD
@_SCRATCH
@click.option("--repeat", default=1, show_default=True)
def rate(folder: str, model: str, form: str, shard_size: int, scratch: str | None, repeat: int) -> None:
    """Sentences per second of every way to parse FOLDER, one after the other."""
    options = Options(model=model, input=form, shard_size=shard_size)  # type: ignore[arg-type]

    def plain() -> int:
        parser = nccp.load(model)
        items = (
            item
            for source in find_inputs([folder], Path("no folder"))
            for item in read_items(source, options, parser.language)
        )
        sentences = (item.words if item.words is not None else item.text or "" for item in items)
        return sum(1 for parse in parser.parse_many(sentences) if parse.brackets())

    def bulk(*arguments: str) -> Callable[[], int]:
        def run() -> int:
            with tempfile.TemporaryDirectory(dir=scratch) as out:
                command = _command(folder, f"{out}/out", model, form, shard_size)
                made = subprocess.run([*command, "--json", *arguments], capture_output=True, check=True)
                return int(json.loads(made.stdout)["sentences"])

        return run

    ways = {
        f"parse_many, {CORES} threads": plain,
        f"bulk, 1 process with {CORES} threads": bulk("--workers", "1", "--threads", str(CORES)),
        f"bulk, {CORES} processes": bulk("--workers", str(CORES)),
        f"bulk on Ray, {CORES} actors": bulk("--engine", "ray", "--workers", str(CORES)),
    }
    for _ in range(repeat):
        for name, way in ways.items():
            begun, cpu = time.perf_counter(), sum(os.times()[:4])
            count = way()
            seconds, cpu = time.perf_counter() - begun, sum(os.times()[:4]) - cpu
            click.echo(
                f"{name:34} {count:>9,} sentences {seconds:8.1f} s {count / seconds:8.0f} sentences/s "
                f"{cpu:8.1f} CPU s{' (without actors)' if 'Ray' in name else ''}"
            )


@main.command()
@click.argument("folder")
@_MODEL
@_FORM
@_SHARD
@_SCRATCH
@click.option("--kills", default=10, show_default=True, help="For each engine.")
@click.option("--engine", "engines", multiple=True, default=["local", "ray"], show_default=True)
@click.option("--seed", default=0, show_default=True)
def kills(
    folder: str,
    model: str,
    form: str,
    shard_size: int,
    scratch: str | None,
    kills: int,
    engines: tuple[str, ...],
    seed: int,
) -> None:
    """Parse FOLDER undisturbed; then with kill -9 of workers, drivers and whole runs; compare every byte."""
    rng = random.Random(seed)
    failed = False
    with tempfile.TemporaryDirectory(dir=scratch) as home:
        whole = Path(home, "whole")
        subprocess.run(_command(folder, str(whole), model, form, shard_size), check=True)
        shards = len(json.loads((whole / "_manifest.json").read_text())["shards"])
        for engine in engines:
            out = Path(home, engine)
            command = _command(folder, str(out), model, form, shard_size)
            command += ["--engine", engine, "--workers", str(CORES)]
            victims = ["worker", "driver", "whole process"] * kills
            moments = sorted(rng.randrange(shards) for _ in range(kills))
            done = _run_with_kills(command, out, list(zip(victims, moments)), rng)
            same = _contents(out) == _contents(whole)
            failed |= not same
            click.echo(f"{engine}: {shards} shards, killed {done}: {'identical' if same else 'DIFFERENT'}")
            shutil.rmtree(out)
    sys.exit(failed)


def _run_with_kills(
    command: list[str], out: Path, plan: list[tuple[str, int]], rng: random.Random
) -> dict[str, int]:
    """Kill each victim when so many shards are done, at a random moment; then let the run end."""
    killed: dict[str, int] = {}
    process: subprocess.Popen[bytes] | None = None
    for victim, moment in plan:
        if process is None:
            process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        while process.poll() is None and len(list(out.glob("_done/*.json"))) < moment:
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 3))
        below = descendants(process.pid)
        workers = [pid for pid, line in below.items() if "MapWorker" in line or "nccp.bulk.worker" in line]
        if process.poll() is not None or (victim == "worker" and not workers):
            continue  # it was through already, or had not begun
        for pid in _targets(victim, process.pid, workers, list(below), rng):
            _kill(pid)
        killed[victim] = killed.get(victim, 0) + 1
        click.echo(f"  killed the {victim} with {len(list(out.glob('part-*')))} shards on disk", err=True)
        if victim != "worker":
            process.wait()
            process = None
    if process is None or process.wait() != 0:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return killed


def _targets(victim: str, driver: int, workers: list[int], below: list[int], rng: random.Random) -> list[int]:
    if victim == "worker":
        return [rng.choice(workers)]
    return [driver] if victim == "driver" else [driver, *below]


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _command(folder: str, out: str, model: str, form: str, shard_size: int) -> list[str]:
    nccp_bulk = [sys.executable, "-m", "nccp", "bulk", folder, out]
    return [*nccp_bulk, "--model", model, "--input", form, "--shard-size", str(shard_size)]


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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
