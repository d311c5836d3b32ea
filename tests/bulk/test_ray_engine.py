"""A real Ray on this machine, with two workers, one of which is killed."""

from __future__ import annotations

import os
import signal

import pytest
from benchmarks.processes import descendants

from nccp.bulk import parse_corpus
from nccp.bulk.ray_engine import RayEngine
from nccp.errors import InputError, NccpError
from tests.bulk.conftest import contents, make_text

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytest.importorskip("ray.data")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Two CPUs."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80_000_000)
    yield
    ray.shutdown()


def test_errors_arrive(bundle, tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"\0")
    with pytest.raises(InputError, match="1 of 1 input files cannot be read"):
        parse_corpus(tmp_path / "bad.txt", tmp_path / "out", model=bundle, engine="ray", workers=1)
    with pytest.raises(NccpError, match="needs 99 CPUs"):
        RayEngine(threads=99)


def test_the_same_shards_although_a_worker_is_killed(bundle, tmp_path):
    (tmp_path / "a.txt").write_text(make_text(300))
    options = {"model": bundle, "shard_size": 20, "format": "jsonl"}
    parse_corpus(tmp_path / "a.txt", tmp_path / "local", workers=1, **options)
    pids: set[int] = set()

    def kill(progress):
        """Once some shards are done, kill an actor that is parsing."""
        if progress.stage == "parse" and progress.done > 60 and not pids:
            pids.update(pid for pid, line in descendants(os.getpid()).items() if "MapWorker" in line)
            os.kill(max(pids), signal.SIGKILL)

    parse_corpus(tmp_path / "a.txt", tmp_path / "ray", engine="ray", workers=2, progress=kill, **options)
    assert pids
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")
