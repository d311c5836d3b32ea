"""Checking an input file before work begins: every byte is read once, and places to divide it are noted."""

from __future__ import annotations

import hashlib
import os

import msgspec

from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.places import Place
from nccp.bulk.reading import read_items
from nccp.characters import has_surrogates
from nccp.errors import InputError, NccpError


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """Sentences of one file that belong together."""

    begin: Place
    sentences: int
    chars: int = 0


class Scanned(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an input file."""

    name: str
    size: int = 0
    mtime: int = 0
    """In nanoseconds."""
    sha256: str = ""
    documents: int = 0
    sentences: int = 0
    replaced: int = 0
    """Characters that are no valid Unicode; the output has U+FFFD in their place."""
    error: str | None = None
    """Why it cannot be read."""
    pieces: tuple[Piece, ...] = ()
    """All its sentences, in pieces of at most a shard's size; a document is never divided."""


class Scan(msgspec.Struct, frozen=True):
    """Work for an engine: checks files."""

    options: Options
    language: str

    def start(self) -> Scan:
        """Ready at once."""
        return self

    def __call__(self, source: Source) -> Scanned:
        try:
            stat = os.stat(source.path)
            if not os.path.isfile(source.path):
                return Scanned(name=source.name, error=f"{source.name}: not a regular file")
            known = Scanned(
                name=source.name, size=stat.st_size, mtime=stat.st_mtime_ns, sha256=digest(source.path)
            )
        except OSError as error:
            return Scanned(name=source.name, error=f"{source.name}: {error.strerror}")
        try:
            return self._count(source, known)
        except NccpError as error:
            return msgspec.structs.replace(known, error=str(error))

    def _count(self, source: Source, known: Scanned) -> Scanned:
        pieces: list[Piece] = []
        begin, inside, chars, total, replaced, documents, last = Place(), 0, 0, 0, 0, 0, -1
        size, most = self.options.shard_size, self.options.shard_chars
        for item in read_items(source, self.options, self.language):
            if (inside >= size or chars >= most) and item.place is not None:
                pieces.append(Piece(begin, inside, chars))
                begin, inside, chars = item.place, 0, 0
            text = item.text or ("" if item.words is None else "".join(item.words))
            inside += 1
            chars += len(text)
            total += 1
            if item.document != last:
                documents, last = documents + 1, item.document
            if has_surrogates(text):
                replaced += sum(map(has_surrogates, text))
        if inside:
            pieces.append(Piece(begin, inside, chars))
        return msgspec.structs.replace(
            known, documents=documents, sentences=total, replaced=replaced, pieces=tuple(pieces)
        )


def digest(path: str) -> str:
    """The SHA-256 of a file."""
    made = hashlib.sha256()
    with open(path, "rb") as file:
        while data := file.read(1 << 20):
            made.update(data)
    return made.hexdigest()


def check_unchanged(source: Source, known: Scanned) -> None:
    """Raise unless the file is as it was when the run was planned; its content counts, not its date."""
    try:
        stat = os.stat(source.path)
        if stat.st_size == known.size and (
            stat.st_mtime_ns == known.mtime or digest(source.path) == known.sha256
        ):
            return
    except OSError as error:
        if known.error:  # it was bad before, too
            return
        raise InputError(f"{source.name}: {error.strerror}, but the run was planned with it") from None
    raise InputError(
        f"{source.name} has changed since the run was planned; start again in another output folder"
    )
