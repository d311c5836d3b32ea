"""How large the pages of a Parquet file are, without reading them.

A page is what a reader decompresses at once, so its size decides how much memory reading takes, and a few
bytes may expand to gigabytes. The sizes are in the header of each page, and where the pages are in the footer
of the file. Both are messages in Thrift's compact protocol (``parquet.thrift``): fields with a number and a
kind, up to a zero byte. pyarrow reads the footer too, but ends the process where some of it is damaged.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import IO, NamedTuple

_HEAD, _LONGEST_HEAD = 1 << 12, 1 << 24  # bytes of a header, which may hold the least and largest value
_MAGIC = b"PAR1"
_DEEPEST = 16

# kinds of fields
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _, _STRUCT = range(1, 13)

# numbers of fields
_FOOTER_GROUPS, _GROUP_COLUMNS, _COLUMN_ABOUT = 4, 1, 3
_ABOUT_PATH, _ABOUT_SIZE, _ABOUT_DATA, _ABOUT_DICTIONARY = 3, 7, 9, 11
_PAGE_SIZE, _PAGE_PACKED, _PAGE_DATA, _PAGE_DATA_2, _DATA_VALUES = 2, 3, 5, 8, 1


class Page(NamedTuple):
    """What the header of a page says."""

    group: int
    """The number of its row group."""
    column: str
    size: int
    """Bytes after decompression."""
    values: int
    """Values, those of lists included."""


def read_pages(file: IO[bytes], columns: Collection[str]) -> Iterator[Page]:
    """The pages of these columns, by row group; a `ValueError` where the file is damaged."""
    for chunk in _read_footer(file, columns):
        at, end = chunk.start, chunk.start + chunk.size
        while at < end:
            page, length = _read_page(file, at, chunk)
            yield page
            at += length


class _Chunk(NamedTuple):
    """A column of a row group."""

    group: int
    column: str
    start: int
    size: int


def _read_footer(file: IO[bytes], columns: Collection[str]) -> list[_Chunk]:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 8))
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if len(tail) < 8 or tail[4:] != _MAGIC or length > size - 8:
        raise ValueError("no footer")
    file.seek(size - 8 - length)
    message = _Message(file.read(length))
    try:
        return list(_chunks(message, columns))
    except IndexError:
        raise ValueError("the footer is cut short") from None


def _chunks(message: _Message, columns: Collection[str]) -> Iterator[_Chunk]:
    for _ in message.fields_in_list(_FOOTER_GROUPS):
        group = -1
        for _ in message.list_of_structs():
            group += 1
            for _ in message.fields_in_list(_GROUP_COLUMNS):
                for _ in message.list_of_structs():
                    for number, kind in message.fields():
                        if number != _COLUMN_ABOUT or kind != _STRUCT:
                            message.skip(kind)
                        elif (chunk := _chunk(message, group)).column in columns:
                            yield chunk


def _chunk(message: _Message, group: int) -> _Chunk:
    path, found = "", {_ABOUT_SIZE: -1, _ABOUT_DATA: -1, _ABOUT_DICTIONARY: 0}
    for number, kind in message.fields():
        if number == _ABOUT_PATH and kind == _LIST:
            names = message.list_of_binaries()
            path = names[0].decode(errors="replace") if names else ""  # text.list.element is of text
        elif number in found and kind == _I64:
            found[number] = message.integer()
        else:
            message.skip(kind)
    data, dictionary = found[_ABOUT_DATA], found[_ABOUT_DICTIONARY]
    start = dictionary if 0 < dictionary < data else data
    if start < 0 or found[_ABOUT_SIZE] < 0:
        raise ValueError(f"the column {path!r} of row group {group + 1} has no place in the file")
    return _Chunk(group, path, start, found[_ABOUT_SIZE])


def _read_page(file: IO[bytes], at: int, chunk: _Chunk) -> tuple[Page, int]:
    """The page at a place in the file, and how many bytes it takes there."""
    for longest in (_HEAD, _LONGEST_HEAD):
        file.seek(at)
        message = _Message(file.read(longest))
        try:
            size, packed, values = _page_header(message)
        except IndexError:
            continue
        if size < 0 or packed < 0:
            break
        return Page(chunk.group, chunk.column, size, values), message.at + packed
    raise ValueError(f"no page at byte {at:,}")


def _page_header(message: _Message) -> tuple[int, int, int]:
    """Bytes, compressed bytes and values."""
    found = {_PAGE_SIZE: -1, _PAGE_PACKED: -1}
    values = 0
    for number, kind in message.fields():
        if number in found and kind == _I32:
            found[number] = message.integer()
        elif number in (_PAGE_DATA, _PAGE_DATA_2) and kind == _STRUCT:
            for inner, inner_kind in message.fields():
                if inner == _DATA_VALUES and inner_kind == _I32:
                    values = message.integer()
                else:
                    message.skip(inner_kind)
        else:
            message.skip(kind)
    return found[_PAGE_SIZE], found[_PAGE_PACKED], values


class _Message:
    """Bytes in Thrift's compact protocol, from front to back; an `IndexError` where they end too early."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and kind of each field of a structure; the caller reads or skips its value."""
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self.integer()
            yield number, head & 15

    def fields_in_list(self, wanted: int) -> Iterator[None]:
        """Stop at a field that is a list; all others are skipped."""
        for number, kind in self.fields():
            if number == wanted and kind == _LIST:
                yield
            else:
                self.skip(kind)

    def list_of_structs(self) -> Iterator[None]:
        """Stop at each structure of a list."""
        count, kind = self._list()
        if count and kind != _STRUCT:
            raise ValueError(f"a list of the unexpected kind {kind}")
        for _ in range(count):
            yield

    def list_of_binaries(self) -> list[bytes]:
        count, kind = self._list()
        if count and kind != _BINARY:
            raise ValueError(f"a list of the unexpected kind {kind}")
        return [self._bytes(self._varint()) for _ in range(count)]

    def integer(self) -> int:
        """Signed: 0, -1, 1, -2 and so on."""
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def skip(self, kind: int, depth: int = 0) -> None:
        """Move behind a value."""
        if depth > _DEEPEST:
            raise ValueError("structures inside structures without end")
        if kind in (_I16, _I32, _I64):
            self._varint()
        elif kind in (_BYTE, _DOUBLE, _BINARY):
            self._bytes({_BYTE: 1, _DOUBLE: 8}.get(kind) or self._varint())
        elif kind == _STRUCT:
            for _, inner in self.fields():
                self.skip(inner, depth + 1)
        elif kind in (_LIST, _SET):
            count, inner = self._list()
            for _ in range(count):
                self.skip(_BYTE if inner in (_TRUE, _FALSE) else inner, depth + 1)
        elif kind not in (_TRUE, _FALSE):  # there are no maps
            raise ValueError(f"a field of the unexpected kind {kind}")

    def _list(self) -> tuple[int, int]:
        head = self._byte()
        return (head >> 4 if head >> 4 < 15 else self._varint()), head & 15

    def _bytes(self, count: int) -> bytes:
        self.at += count
        if self.at > len(self.data):
            raise IndexError
        return self.data[self.at - count : self.at]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a number without end")
