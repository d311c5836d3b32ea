"""The formats of treebanks, and detecting which one a path has."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from nccp.errors import ConfigError, InputError
from nccp.treebanks.brackets import Brackets
from nccp.treebanks.chinese import Chinese
from nccp.treebanks.craft import Craft
from nccp.treebanks.greynir import Greynir
from nccp.treebanks.gum import Gum
from nccp.treebanks.keyaki import Keyaki
from nccp.treebanks.penn import Penn
from nccp.treebanks.sinica import Sinica
from nccp.treebanks.treebank import Source, Treebank

FORMATS: dict[str, type[Treebank]] = {
    kind.name: kind for kind in (Penn, Chinese, Keyaki, Sinica, Craft, Gum, Greynir, Brackets)
}
"""The formats by name. Brackets, which reads any trees, is the last."""


def open_treebank(path: str | Path, format: str | None = None, *, encoding: str | None = None) -> Treebank:
    """Open the treebank in a folder, a file or a glob; its format is detected unless given.

    A file or a glob is one split, "all"; so is a folder of brackets whose files are not named after splits.
    ``encoding`` is for brackets that are not in UTF-8.
    """
    source = find_files(path, encoding)
    if format is not None:
        if format not in FORMATS:
            raise ConfigError(f"unknown treebank format {format!r}; there are {', '.join(FORMATS)}")
        return FORMATS[format](source)
    claims = [kind for kind in FORMATS.values() if kind is not Brackets and kind.own_files(source)]
    if len(claims) > 1:
        names = ", ".join(kind.name for kind in claims)
        raise InputError(
            f"{path}: more than one treebank here ({names}): give the folder of one of them, or the format"
        )
    if claims:
        return claims[0](source)
    if not Brackets.own_files(source):
        wanted = "\n".join(f"  {kind.name:<9} {kind.looks_for}" for kind in FORMATS.values())
        raise InputError(f"{path}: no trees in this folder; looked for\n{wanted}")
    return Brackets(source)


def find_files(path: str | Path, encoding: str | None = None) -> Source:
    """The files of a folder, a file or a glob, in the same order on every machine, without hidden files."""
    name = os.fspath(path)
    if os.path.isdir(name):
        files = sorted(_walk(name), key=lambda file: file.relative_to(name).as_posix())
        return Source(name, tuple(files), True, encoding)
    if os.path.exists(name):
        return Source(name, (Path(name),), False, encoding)
    matches = tuple(sorted(Path(match) for match in glob.glob(name, recursive=True) if os.path.isfile(match)))
    if not matches:
        what = "no file matches" if glob.has_magic(name) else "no such file or folder"
        raise InputError(f"{name}: {what}")
    return Source(name, matches, False, encoding)


def _walk(top: str) -> Iterator[Path]:
    """The files under a folder, following links; every folder once, no hidden files."""
    seen = {os.path.realpath(top)}
    for folder, folders, files in os.walk(top, followlinks=True):
        yield from (Path(folder, file) for file in files if not file.startswith("."))
        fresh = []
        for name in sorted(folders):
            real = os.path.realpath(os.path.join(folder, name))
            if real not in seen and not name.startswith("."):
                seen.add(real)
                fresh.append(name)
        folders[:] = fresh
