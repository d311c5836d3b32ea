"""Comparing the files of a bundle with their checksums, once per file and not at every load.

A file that was found whole is remembered by its path, size and time of change, in ``checked.json`` in the
user's cache folder (``~/.cache/nccp``). Where this file cannot be read or written, every load compares again.

A file may also be written to or replaced between the comparison and the reading, by an installer or a copy
that is still under way. `Snapshot` notices this after the reading, so that such a model is not used.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from nccp.errors import BundleError
from nccp.files import atomic_write
from nccp.runtime.manifest import sha256

_MANY = 1000  # files remembered
_SETTLED = 2_000_000_000  # ns: a file changed later than this might change again within one tick of its clock


class Checked:
    """The files that were compared before: path to size, time of change and checksum."""

    def __init__(self, store: Path, files: dict[str, tuple[int, int, str]]) -> None:
        self._store, self._files, self._new = store, files, False

    @classmethod
    def load(cls) -> Checked:
        """What is remembered; nothing if that cannot be read."""
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
        store = Path(home, "nccp", "checked.json").expanduser()
        try:
            return cls(store, msgspec.json.decode(store.read_bytes(), type=dict[str, tuple[int, int, str]]))
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return cls(store, {})

    def check_file(self, path: Path, checksum: str) -> None:
        """Raise `BundleError` unless the file has this checksum, by memory or by reading it."""
        name, about = str(path.resolve()), path.stat()
        seen = (about.st_size, about.st_mtime_ns, checksum)
        if self._files.get(name) == seen:
            return
        check_file(path, checksum)
        if time.time_ns() - about.st_mtime_ns > _SETTLED:
            self._files.pop(name, None)  # the newest last
            self._files[name] = seen
            self._new = True

    def save(self) -> None:
        """Remember what is new, if it can be written."""
        if not self._new:
            return
        kept = dict(list(self._files.items())[-_MANY:])
        try:
            with atomic_write(self._store, binary=True) as file:
                file.write(msgspec.json.encode(kept))
        except OSError:
            pass


class Snapshot:
    """What the operating system says of files before they are compared and read, to be asked again after."""

    def __init__(self, files: Mapping[Path, str]) -> None:
        """``files``: with their checksums."""
        self._files = files
        self._before = {path: _identity(path) for path in files}

    def check(self) -> None:
        """Raise `BundleError` if a file is not the one that it was.

        The clock of a file system has ticks, so two changes may carry the same time. Where the last change
        is that recent, the checksum decides.
        """
        for path, before in self._before.items():
            now = _identity(path)
            if now != before:
                raise BundleError(f"{path}: changed while the model was loaded: load it again")
            if self._files[path] and time.time_ns() - now.mtime < _SETTLED:
                check_file(path, self._files[path])


class _Identity(NamedTuple):
    """Which file it is, its size, and when its content and its status were changed."""

    device: int
    inode: int
    size: int
    mtime: int
    ctime: int


def _identity(path: Path) -> _Identity:
    try:
        about = path.stat()
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}: the bundle is not complete") from None
    return _Identity(about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)


def check_file(path: Path, checksum: str) -> None:
    """Raise `BundleError` unless the file has this checksum."""
    try:
        found = sha256(path)
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}") from None
    if found != checksum:
        raise BundleError(f"{path}: damaged: its checksum is not that in bundle.json: install it again")
