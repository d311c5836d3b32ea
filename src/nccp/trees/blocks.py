"""Any input (a path, an open file, pieces of text; any encoding) as blocks of UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain
from os import PathLike
from typing import Any

from nccp.errors import BracketError, InputError

CHUNK = 1 << 14  # bytes taken apart at a time; more only while a single tree is longer than that


def read_blocks(source: Any, encoding: str, name: str) -> Iterator[bytes]:
    """The input as blocks of UTF-8, none empty, without the byte order mark."""
    if isinstance(source, (str, PathLike)):
        try:
            with open(source, "rb") as file:
                yield from read_blocks(file, encoding, name)
        except OSError as error:
            raise InputError(f"{name}: {error.strerror or error}") from None
        return
    read = getattr(source, "read", None)
    pieces = iter(lambda: read(CHUNK), read(0)) if read else iter(source)
    start = True
    for block in _utf8(pieces, encoding, name):
        if start and block:
            block, start = block.removeprefix(codecs.BOM_UTF8), False
        if block:
            yield block


def _utf8(pieces: Iterator[Any], encoding: str, name: str) -> Iterator[bytes]:
    """Text, or bytes of any encoding, as UTF-8. (Bytes said to be UTF-8 are checked where words are made.)"""
    first = next(pieces, "")
    pieces = chain([first], pieces)
    if isinstance(first, str):
        yield from (piece.encode(errors="surrogatepass") for piece in pieces)
        return
    try:
        codec = codecs.lookup(encoding)
    except LookupError:
        raise InputError(f"{name}: unknown encoding {encoding!r}") from None
    if codec.name in ("utf-8", "utf-8-sig", "ascii"):
        yield from pieces
        return
    decoder, line = codec.incrementaldecoder(), 1
    for piece in chain(pieces, [b""]):
        try:
            text = decoder.decode(piece, not piece)
        except UnicodeError as error:
            what = f"not {encoding} text ({error.reason if isinstance(error, UnicodeDecodeError) else error})"
            if isinstance(error, UnicodeDecodeError):
                line += error.object[: error.start].count(b"\n")
            raise BracketError(f"{what}: another encoding?", name, line) from None
        line += text.count("\n")
        yield text.encode(errors="surrogatepass")
