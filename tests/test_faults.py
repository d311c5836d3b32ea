"""The failing file system itself."""

from __future__ import annotations

import errno

import pytest

from nccp.files import atomic_write
from tests import faults


def write(folder):
    with atomic_write(folder / "deep" / "file", binary=True) as file:
        file.write(b"x" * 20_000)


def test_all_operations_are_seen(tmp_path):
    with faults.record(tmp_path) as operations:
        write(tmp_path)
        (tmp_path / "text").write_text("text")
    assert operations == ["mkdir", "open", "write", "sync", "rename", "open", "write"]
    with faults.record(tmp_path / "elsewhere") as operations:
        write(tmp_path)
    assert operations == []


def test_one_fails(tmp_path):
    for number in range(5):
        folder = tmp_path / str(number)
        with faults.fail(folder, number + 1, code=errno.EROFS), pytest.raises(OSError, match="Read-only"):
            write(folder)
        assert not [path for path in folder.rglob("*") if path.is_file()]
        write(folder)
