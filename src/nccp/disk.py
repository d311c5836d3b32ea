"""Writes that may fail: nothing stays half-written, and the error says which file, why, and what to do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nccp.errors import DiskError


@contextmanager
def explain_disk_errors(where: str | Path) -> Iterator[None]:
    """Raise errors of the operating system as a `DiskError`; ``where`` if the error itself names no file."""
    try:
        yield
    except OSError as error:
        path = os.fsdecode(error.filename) if error.filename else str(where)
        raise DiskError(path, error.strerror or str(error)) from None


def append(path: str | Path, data: bytes, *, sync: bool = False) -> None:
    """Append to a file all of the data or, if that fails, none of it. Nobody else may be writing.

    With ``sync`` the data is on the disk, not only on its way there.
    """
    with open(path, "ab", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
            if sync:
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                os.truncate(path, size)
            error.filename = str(path)
            raise


def replace_folder(new: Path, path: Path) -> None:
    """Give the folder ``new`` the name ``path``. A folder of that name is removed once the new one is there.

    If this fails, the older folder stays; a killed process may leave it as ``.NAME.old`` beside.
    """
    old = path.with_name(f".{path.name}.old")
    if path.exists():
        shutil.rmtree(old, ignore_errors=True)
        os.rename(path, old)
    try:
        os.rename(new, path)
    except OSError as error:
        if old.exists():
            try:
                os.rename(old, path)
            except OSError:
                raise OSError(
                    error.errno, f"{error.strerror} (the earlier folder is now {old})", str(path)
                ) from None
        raise
    shutil.rmtree(old, ignore_errors=True)
