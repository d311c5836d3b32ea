"""Which files a run reads: files, folders and patterns become one ordered list."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from nccp.errors import InputError
from nccp.files import list_files

_MAGIC = frozenset("*?[")


class Source(msgspec.Struct, frozen=True):
    """An input file."""

    name: str
    """As the rows of the output call it: the path as the user wrote it. Bytes of it that are invalid Unicode,
    as file systems allow, are written as ``\\udcff``."""
    path: str
    """Absolute: workers may run in another folder."""


def find_inputs(inputs: Sequence[str | Path], out: Path) -> list[Source]:
    """All input files in a fixed order: as listed, those of a folder or pattern sorted, none twice.

    Hidden files in folders (names that start with ``.`` or ``_``) are left out. A path that does not exist is
    in the list, so that it is reported with all other bad files.
    """
    home = os.path.realpath(out)
    found: dict[str, Source] = {}
    for one in inputs:
        for name in _expand(os.fspath(one)):
            path = os.path.realpath(name)
            if path == home or path.startswith(home + os.sep):
                raise InputError(f"{name} is in the output folder {out}: choose an output folder elsewhere")
            found.setdefault(path, Source(_printable(name), os.path.abspath(name)))
    if not found:
        raise InputError("no input files: " + ", ".join(os.fspath(one) for one in inputs))
    sources = list(found.values())
    if len({source.name for source in sources}) < len(sources):  # only if one is called as another is shown
        raise InputError("the names of two input files differ only in bytes that are invalid Unicode")
    return sources


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _expand(name: str) -> Iterator[str]:
    if name == "-":
        raise InputError(
            "nccp bulk reads files, so that it can be resumed; for standard input use nccp parse"
        )
    if os.path.isdir(name):
        yield from list_files(name)
    elif os.path.exists(name) or not _MAGIC & set(name):
        yield name
    else:
        matches = sorted(glob.glob(name, recursive=True))
        if not matches:
            raise InputError(f"{name}: no file matches this pattern")
        for match in matches:
            if not os.path.isdir(match):
                yield match
