"""Worker processes that die, that fail, and that are killed together with their driver at any moment."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.processes import descendants

from nccp.bulk import parse_corpus
from nccp.bulk.engines import Inline
from nccp.bulk.local_engine import LocalEngine
from nccp.errors import InputError, NccpError
from tests.bulk.attempts import Counting
from tests.bulk.conftest import contents, make_text


def test_a_worker_that_dies_is_replaced(tmp_path):
    items = ["one", "delicate", "two", "three", "four"]
    engine = LocalEngine(2)
    assert sorted(engine.map(Counting(str(tmp_path)), items)) == sorted(items)
    assert engine.deaths == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*(f"{i}.0" for i in items), "delicate.1"]
    )


def test_an_item_that_kills_every_worker_is_reported(tmp_path):
    with pytest.raises(
        NccpError, match="3 workers died over the same part of the work, the last with signal 9"
    ):
        list(LocalEngine(2).map(Counting(str(tmp_path)), ["one", "poison"]))
    assert not descendants(os.getpid()) or "nccp.bulk" not in str(descendants(os.getpid()))


@pytest.mark.parametrize("engine", [LocalEngine(2), Inline()])
def test_errors_arrive(engine, tmp_path):
    with pytest.raises(InputError, match="bad item"):
        list(engine.map(Counting(str(tmp_path)), ["bad", "one"]))
    with pytest.raises(NccpError, match="ZeroDivisionError"):
        list(engine.map(Counting(str(tmp_path)), ["odd", "one"]))


def command(folder: Path, bundle: str, size: int) -> list[str]:
    """Parse ``a.txt`` into ``out``."""
    files = [str(folder / "a.txt"), str(folder / "out")]
    return [
        *[sys.executable, "-m", "nccp", "bulk", *files, "--model", bundle],
        *["--shard-size", str(size), "--workers", "2"],
    ]


def begin(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a run in a process group of its own."""
    return subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["worker", "driver", "all"])
def test_killed_at_any_moment(victim, bundle, tmp_path):
    """kill -9 after a random number of shards, again and again, until the run is through."""
    (tmp_path / "a.txt").write_text(make_text(400))
    options = {"model": bundle, "shard_size": 10}
    parse_corpus(tmp_path / "a.txt", tmp_path / "whole", workers=1, **options)
    whole = contents(tmp_path / "whole")
    out = tmp_path / "out"
    run = command(tmp_path, bundle, 10)
    rng = random.Random(victim)
    for _ in range(2):
        before = len(list(out.glob("part-*")))
        wanted = before + rng.randrange(1, 15)
        process = begin(run)
        while process.poll() is None and len(list(out.glob("part-*"))) < wanted:
            time.sleep(0.002)
        if victim == "worker":
            for pid in list(descendants(process.pid))[:1]:
                os.kill(pid, signal.SIGKILL)
        elif process.poll() is None:
            os.kill(process.pid, signal.SIGKILL) if victim == "driver" else os.killpg(
                process.pid, signal.SIGKILL
            )
        process.communicate()
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert contents(out) == whole


@pytest.mark.slow
def test_a_disk_that_takes_no_more(bundle, tmp_path):
    """Here the operating system refuses to write: files may only have so many bytes."""
    (tmp_path / "a.txt").write_text(make_text(400))
    run, out = command(tmp_path, bundle, 100), tmp_path / "out"
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))
    done = subprocess.run(run, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 1
    message = rf"nccp: {out}/part-\d+\.parquet: File too large; .* give the same command again\n"
    assert re.fullmatch(message, done.stderr)
    assert sorted(path.name for path in out.rglob("*")) == ["_done", "_lock", "_plan.json"]
    subprocess.run(run, check=True, capture_output=True)
    parse_corpus(tmp_path / "a.txt", tmp_path / "whole", model=bundle, shard_size=100, workers=1)
    assert contents(out) == contents(tmp_path / "whole")


@pytest.mark.slow
def test_workers_end_with_their_driver(bundle, tmp_path):
    (tmp_path / "a.txt").write_text(make_text(400))
    process = begin(command(tmp_path, bundle, 5))
    while not list((tmp_path / "out").glob("part-*")):
        time.sleep(0.01)
    workers = list(descendants(process.pid))
    assert len(workers) == 2
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 60
    while any(map(_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(_alive, workers))


def _alive(pid: int) -> bool:
    """Whether a process is more than a zombie that nobody has waited for."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
