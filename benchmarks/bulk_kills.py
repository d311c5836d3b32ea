"""Bulk parsing that is killed at random moments: is the result that of an uninterrupted run, byte for byte?

    python benchmarks/bulk_kills.py ../shared/raw/genres ../shared/raw/amalgum --input tokens

For each engine, the corpus is parsed with ``kill -9`` of a worker, of the driver, or of the driver with all
processes below it; a run that ended is started again with the same command. Victims and moments are random,
by ``--seed``: so many shards are done, and some seconds more. Then the corpus is parsed undisturbed, and all
files are compared. With a folder ``--scratch``, all of this is kept there and not repeated by a second call,
so that the engines can run at the same time.

Exit code 1 if a file differs, is missing or is too many. Linux only.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

import click
from processes import descendants

from bulk import (
    bulk_command,
    describe_machine,
    form_option,
    model_option,
    output_option,
    shard_option,
    write_result,
)
from nccp.bulk.folder import RunFolder
from nccp.bulk.manifest import read_manifest
from nccp.bulk.plan import load_plan

_WORKERS = ("nccp.bulk.worker", "MapWorker")  # of the two engines, in their command lines
_PATIENCE = 600.0  # seconds in which workers may start
_MORE = 10.0  # seconds after the number of shards that a moment is given by


@click.command(help=__doc__)
@click.argument("inputs", nargs=-1, required=True)
@model_option
@form_option
@shard_option
@output_option
@click.option("--workers", default=2, show_default=True)
@click.option("--kills", default=10, show_default=True, help="For each engine.")
@click.option("--engine", "engines", multiple=True, default=["local", "ray"], show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--scratch", type=click.Path(path_type=Path), help="[default: a temporary folder]")
def main(
    inputs: tuple[str, ...],
    model: str,
    form: str,
    shard_size: int,
    output: Path | None,
    workers: int,
    kills: int,
    engines: tuple[str, ...],
    seed: int,
    scratch: Path | None,
) -> None:
    with ExitStack() as stack:
        home = scratch or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home.mkdir(parents=True, exist_ok=True)

        def command(name: str) -> list[str]:
            start = bulk_command(inputs, home / name, model, form, shard_size)
            return [*start, "--workers", str(workers)]

        rows = []
        for engine in engines:
            record = home / f"{engine}.json"
            if not record.exists():
                run = _Run([*command(engine), "--engine", engine], home / engine, f"{seed} {engine}")
                record.write_text(json.dumps(run.with_kills(kills)))
            rows.append({"engine": engine, **json.loads(record.read_text())})
        subprocess.run(command("whole"), check=True, stdout=subprocess.DEVNULL)
        records = read_manifest(RunFolder(home / "whole"))
        expected = _contents(home / "whole")
        for row in rows:
            row["identical"] = _contents(home / row["engine"]) == expected
    sentences, words = (sum(getattr(record, name) for record in records) for name in ("sentences", "words"))
    about = (
        f"{sentences:,} sentences, {words:,} words, {len(records)} shards, model {model}, {workers} workers, "
    )
    write_result({"about": f"{about}seed {seed}; {describe_machine()}", "engines": rows}, output)
    sys.exit(not all(row["identical"] for row in rows))


class _Run:
    """A run that is killed and started again until it is complete."""

    def __init__(self, command: list[str], out: Path, seed: str) -> None:
        self.command, self.out, self.rng = command, out, random.Random(seed)
        self.killed = {"worker": 0, "driver": 0, "whole": 0}
        self.starts = 0

    def with_kills(self, kills: int) -> dict[str, float]:
        """Kill so many times, at moments that spread over the run; what was killed, and how long it took."""
        begun = time.monotonic()
        process: subprocess.Popen[bytes] | None = self._start()
        victims = (list(self.killed) * kills)[:kills]
        self.rng.shuffle(victims)
        shards = self._planned(process)
        moments = sorted(self.rng.randrange(shards) for _ in victims)
        left: list[int] = []
        for victim, moment in zip(victims, moments):
            if process is None:
                process = self._start()
            while process.poll() is None and self._done() < moment:
                time.sleep(0.01)
            time.sleep(self.rng.uniform(0, _MORE))
            workers = self._workers(process)
            below = list(descendants(process.pid))
            _kill_ray(left)
            left = [] if victim == "worker" else below
            targets = {
                "worker": [self.rng.choice(workers)],
                "driver": [process.pid],
                "whole": [process.pid, *below],
            }
            _kill(targets[victim])
            self.killed[victim] += 1
            click.echo(f"  {time.strftime('%T')} killed: {victim}, {self._done()} shards done", err=True)
            if victim != "worker":
                process.wait()
                process = None
        if process is None:
            process = self._start()
        if process.wait():
            raise click.ClickException(f"the last run ended with exit code {process.returncode}")
        _kill_ray(left)
        minutes = round((time.monotonic() - begun) / 60, 1)
        return {"kills": kills, **self.killed, "starts": self.starts, "minutes": minutes}

    def _planned(self, process: subprocess.Popen[bytes]) -> int:
        """The number of shards, once the run has a plan."""
        plan = RunFolder(self.out).plan
        while not plan.exists():
            if process.poll() is not None:
                raise click.ClickException(f"exit code {process.returncode}: {' '.join(self.command)}")
            time.sleep(0.05)
        return len(load_plan(plan).shards)

    def _start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        return subprocess.Popen(self.command, start_new_session=True, stdout=subprocess.DEVNULL)

    def _done(self) -> int:
        return len(list(self.out.glob("_done/*.json")))

    def _workers(self, process: subprocess.Popen[bytes]) -> list[int]:
        """The workers of the run, once there are some."""
        until = time.monotonic() + _PATIENCE
        while process.poll() is None and time.monotonic() < until:
            found = descendants(process.pid).items()
            if workers := [pid for pid, line in found if any(name in line for name in _WORKERS)]:
                return workers
            time.sleep(0.05)
        raise click.ClickException(f"no workers; exit code {process.poll()}")


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _kill_ray(pids: Iterable[int]) -> None:
    """End processes of Ray that have outlived a driver; until now they may have disturbed the next run."""
    for pid in pids:
        with suppress(OSError):
            if "ray" in Path(f"/proc/{pid}/cmdline").read_text():
                _kill([pid])


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


if __name__ == "__main__":
    main()
