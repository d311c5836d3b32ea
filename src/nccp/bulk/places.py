"""Places in input files, at which reading can begin."""

from __future__ import annotations

from typing import Any

import msgspec

_BLOCK = 1 << 16


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where reading can begin: a sentence of a text file, or a document of a file of documents."""

    document: int = 0
    sentence: int = 0
    char: int = 0
    byte: int = 0
    """Where to start in the decompressed file."""
    skip: int = 0
    """Characters between that byte and the sentence."""


def seek(file: Any, byte: int) -> None:
    """Move ahead in a file, also in one that can only be read."""
    if not byte:
        return
    if file.seekable():
        file.seek(byte)
        return
    while byte > 0:
        data = file.read(min(byte, _BLOCK))
        if not data:
            return
        byte -= len(data)
