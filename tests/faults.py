"""A file system that fails on the n-th operation. For every n, whatever writes must say so and clean up.

    with record(folder) as operations:      # a run without faults: how many operations are there?
        work()
    for number in range(len(operations)):
        with fail(folder, number):          # the same with the n-th one failing
            with pytest.raises(NccpError):
                work()

Opening for writing, writing, syncing, renaming and making folders count, under ``folder`` only, as far as
Python's own files do it (also when C code such as Arrow's writes through them). A write that fails has
written half of its data before. Removing files never fails, as on a full disk.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

_open, _os_open = io.open, os.open


class _Disk:
    """Counts operations under a folder, and fails at one, or at all from there on."""

    def __init__(self, folder: Path, fail_at: int | None, lasting: bool, code: int) -> None:
        self.folder = os.path.realpath(folder)
        self.fail_at, self.lasting, self.code = fail_at, lasting, code
        self.operations: list[str] = []

    def covers(self, path: Any) -> bool:
        if isinstance(path, int):
            path = os.readlink(f"/proc/self/fd/{path}")
        path = os.path.realpath(os.fsdecode(path))
        return path == self.folder or path.startswith(self.folder + os.sep)

    def step(self, name: str, path: Any) -> None:
        """An operation; raises if it is the one."""
        if not self.covers(path):
            return
        number = len(self.operations)
        self.operations.append(name)
        if self.fail_at is not None and (number == self.fail_at or (self.lasting and number > self.fail_at)):
            raise OSError(self.code, os.strerror(self.code), None if isinstance(path, int) else path)

    def open(self, file: Any, mode: str = "r", buffering: int = -1, *args: Any, **kwargs: Any) -> Any:
        if not set(mode) & set("wax+") or not self.covers(file):
            return _open(file, mode, buffering, *args, **kwargs)
        if not isinstance(file, int):
            self.step("open", file)
        raw = _Raw(file, mode.replace("b", "").replace("t", ""), kwargs.pop("closefd", True))
        raw.disk = self
        if buffering == 0:
            return raw
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, *args, **kwargs)

    def os_open(self, path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            self.step("open", path)
        return _os_open(path, flags, *args, **kwargs)


class _Raw(io.FileIO):
    disk: _Disk

    def write(self, data: Any) -> int:
        try:
            self.disk.step("write", self.fileno())
        except OSError:
            super().write(memoryview(data).cast("B")[: memoryview(data).nbytes // 2])
            raise
        return super().write(data)


def _guard(disk: _Disk, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(path: Any, *args: Any, **kwargs: Any) -> Any:
        if name != "mkdir" or not os.path.isdir(path):  # a folder that is there already costs nothing
            disk.step(name, path.fileno() if hasattr(path, "fileno") else path)
        return call(path, *args, **kwargs)

    return guarded


@contextmanager
def _patched(disk: _Disk) -> Iterator[list[str]]:
    with (
        mock.patch.object(builtins, "open", disk.open),
        mock.patch.object(io, "open", disk.open),
        mock.patch.object(os, "open", disk.os_open),
        mock.patch.object(os, "replace", _guard(disk, "rename", os.replace)),
        mock.patch.object(os, "rename", _guard(disk, "rename", os.rename)),
        mock.patch.object(os, "fsync", _guard(disk, "sync", os.fsync)),
        mock.patch.object(os, "mkdir", _guard(disk, "mkdir", os.mkdir)),
    ):
        yield disk.operations


def record(folder: Path) -> Any:
    """Let all operations through; gives the list of them."""
    return _patched(_Disk(folder, None, False, 0))


def fail(folder: Path, number: int, *, lasting: bool = False, code: int = errno.ENOSPC) -> Any:
    """Let operation ``number`` fail, from 0; with ``lasting`` all after it too, as on a full disk."""
    return _patched(_Disk(folder, number, lasting, code))
