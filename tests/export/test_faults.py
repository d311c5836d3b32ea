"""Exporting to a disk that fails: an older bundle stays whole, and nothing else is left."""

from __future__ import annotations

import errno

import pytest

from nccp.errors import DiskError
from nccp.export.bundle import export_model
from nccp.runtime import Bundle
from nccp.runtime.manifest import Manifest
from nccp.trees import parse_tree
from tests import faults
from tests.runtime.networks import random_parser

TREE = parse_tree("(S (NP (DT the) (NN cat)) (NN sat))")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def export(out, name):
    export_model(random_parser(), out, [TREE], Manifest(name=name), precision="float32")


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize(("lasting", "code"), [(False, errno.ENOSPC), (True, errno.EROFS)])
def test_every_operation_on_disk_may_fail(tmp_path, older, lasting, code):
    def begin(name):
        folder = tmp_path / name
        folder.mkdir()
        if older:
            export(folder / "out", "old")
        return folder

    first = begin("whole")
    with faults.record(first) as operations:
        export(first / "out", "new")
    assert {"open", "write", "sync", "rename", "mkdir"} == set(operations)
    for number, operation in enumerate(operations):
        folder = begin(str(number))
        before = contents(folder)
        with faults.fail(folder, number, lasting=lasting, code=code), pytest.raises(DiskError) as error:
            export(folder / "out", "new")
        at = (number, operation, str(error.value))
        assert str(error.value).startswith(str(folder)), at
        assert "; once this is solved, give the same command again" in str(error.value), at
        moved = folder / ".out.old"  # where neither the new nor the old bundle could be given its name
        if moved.exists():
            assert lasting, at
            assert f"the earlier folder is now {moved}" in str(error.value), at
            moved.rename(folder / "out")
        assert contents(folder) == before, at
        export(folder / "out", "new")
        bundle = Bundle.load(folder / "out")
        bundle.verify()
        assert bundle.manifest.name == "new"
        assert [path.name for path in folder.iterdir()] == ["out"], at


def test_a_bundle_that_was_moved_aside_goes_with_the_next_export(tmp_path):
    """As if a process had been killed between the two renames."""
    export(tmp_path / "out", "old")
    (tmp_path / "out").rename(tmp_path / ".out.old")
    export(tmp_path / "out", "new")
    assert Bundle.load(tmp_path / "out").manifest.name == "new"
    assert not (tmp_path / ".out.old").exists()
