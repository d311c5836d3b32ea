"""Sweeps on a disk that fails, and in folders whose files are damaged."""

from __future__ import annotations

import errno
import json
import os

import msgspec
import pytest

from nccp.errors import DiskError, InputError
from nccp.sweeps.definition import load_sweep
from nccp.sweeps.results import SweepFolder
from nccp.sweeps.run import run_sweep
from tests import faults
from tests.sweeps.test_run import write, write_recipe
from tests.training.grammar import small_config, write_treebank

EVERY = 1 if os.environ.get("NCCP_EVERY") else 13
"""Of the operations; all of them take some minutes. Those of each trial's training are tested there."""


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweeps")
    config = small_config(write_treebank(folder / "bank", 6, 2), train={"epochs": 1, "batch": 6})
    base = write_recipe(folder / "base.toml", json.loads(msgspec.json.encode(config)))
    return load_sweep(write(base, "[grid]\ntrain.seed = [0, 1]"), ())


def scores(path):
    return {result.name: (result.f1, result.error) for result in SweepFolder(path).read_results()}


@pytest.mark.slow
@pytest.mark.parametrize(("lasting", "code"), [(False, errno.ENOSPC), (True, errno.EROFS)])
def test_every_operation_on_disk_may_fail(sweep, tmp_path, lasting, code):
    """No trial counts as failed for it, and the same command completes the sweep."""
    with faults.record(tmp_path / "whole") as operations:
        run_sweep(sweep, tmp_path / "whole")
    expected = scores(tmp_path / "whole")
    assert len(expected) == 2
    assert {"open", "write", "sync", "rename", "mkdir"} == set(operations)
    for number, operation in list(enumerate(operations))[int(lasting) :: EVERY]:
        path = tmp_path / str(number)
        with faults.fail(path, number, lasting=lasting, code=code), pytest.raises(DiskError) as error:
            run_sweep(sweep, path)
        at = (number, operation, str(error.value))
        assert str(error.value).startswith(str(path)), at
        assert "; once this is solved, give the same command again" in str(error.value), at
        assert "--resume" not in str(error.value), at
        assert not list(path.rglob(".*")), at
        kept = scores(path)
        assert kept.items() <= expected.items(), at
        run_sweep(sweep, path)
        assert scores(path) == expected, at


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("sweep.json", "{", "damaged: .*delete it"),
        ("sweep.json", "[" * 100_000, "damaged: .*delete it"),
        ("sweep.json", "[]", "not the definition of a sweep; delete it"),
        ("journal.log", "{oops}\n{}\n", "damaged: .*restore it"),
    ],
)
def test_damaged_files_are_named(sweep, tmp_path, name, content, why):
    run_sweep(sweep, tmp_path / "out")
    (tmp_path / "out" / name).write_text(content)
    with pytest.raises(InputError, match=rf"{name}: {why}"):
        run_sweep(sweep, tmp_path / "out")
