"""The documents of JSON lines and Parquet files, one at a time, each of bounded size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.parquet_pages import read_pages
from nccp.bulk.places import Place, seek
from nccp.errors import InputError, need
from nccp.files import open_bytes

LONGEST_DOCUMENT = 1 << 23
"""The most bytes of a document: of a line of JSON, or of the text or the words in a row of Parquet. Read as
words, each of them an object, it takes up to thirty times as much memory."""
LONGEST_ID = 1 << 12
"""The most characters of a document's identifier, which is in the row of each of its sentences."""

_LARGEST_PAGE = 1 << 27  # bytes of a page of Parquet; pyarrow writes 1,024 documents into one
_MOST_VALUES = 1 << 24  # in a page
_MANY, _SMALL_PAGE = 16, 1 << 22  # rows read at once where all pages are small
_SHOWN = 20  # names of columns in an error


class Document(NamedTuple):
    """A row of a file."""

    place: Place
    value: Any
    """The text, or words; None for none."""
    id: str | None
    where: str
    """For errors."""


def read_json_lines(source: Source, options: Options, begin: Place) -> Iterator[Document]:
    """The documents of a file of JSON lines, from a place on."""
    byte, number = begin.byte, begin.document
    with open_bytes(source.path) as file:
        seek(file, byte)
        while line := file.readline(LONGEST_DOCUMENT + 1):
            if line.strip():
                where = f"{source.name}: document {number + 1}"
                if len(line) > LONGEST_DOCUMENT:
                    raise InputError(f"{where}: a line of more than {LONGEST_DOCUMENT:,} bytes, the limit")
                row = _decode(line, where)
                if not isinstance(row, dict) or options.column not in row:
                    known = _names(map(repr, row)) if isinstance(row, dict) else "no object"
                    raise InputError(f"{where}: no column {options.column!r} (it has {known}); see --column")
                if options.id_column is not None and options.id_column not in row:
                    raise InputError(f"{where}: no column {options.id_column!r}; see --id-column")
                id = None if options.id_column is None else _id(row[options.id_column], where)
                yield Document(Place(number, byte=byte), row[options.column], id, where)
                number += 1
            byte += len(line)


def _decode(line: bytes, where: str) -> Any:
    try:
        return json.loads(line.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not valid JSON: {error}") from None


def read_parquet(source: Source, options: Options, begin: Place) -> Iterator[Document]:
    """The documents of a Parquet file, from a place on."""
    need("pyarrow", "bulk", "reading Parquet files")
    import pyarrow
    import pyarrow.parquet

    columns = [options.column, *([options.id_column] if options.id_column else [])]
    try:
        # a buffer: otherwise all of a row group's column is read at once
        with pyarrow.parquet.ParquetFile(source.path, buffer_size=1 << 20, pre_buffer=False) as file:
            known = file.schema_arrow.names
            for column in columns:
                if column not in known:
                    raise InputError(f"{source.name}: no column {column!r} (it has {_names(known)})")
            groups, number = _groups_from(file.metadata, begin.document)
            many = _check_pages(source, columns)
            for batch in file.iter_batches(many, row_groups=groups, columns=columns, use_threads=False):
                for row in range(batch.num_rows):
                    if number >= begin.document:
                        where = f"{source.name}: document {number + 1}"
                        value = _value(batch.column(options.column), row, options.column, where)
                        id = options.id_column and _value(
                            batch.column(options.id_column), row, options.id_column, where
                        )
                        yield Document(Place(number), value, None if id is None else _id(id, where), where)
                    number += 1
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{source.name}: damaged, or not a Parquet file: {error}") from None


def _check_pages(source: Source, columns: list[str]) -> int:
    """Refuse pages that would take too much memory; the number of rows that can be read at once."""
    largest = 0
    with open(source.path, "rb") as file:
        for page in read_pages(file, columns):
            largest = max(largest, page.size)
            if page.size > _LARGEST_PAGE or page.values > _MOST_VALUES:
                raise InputError(
                    f"{source.name}: row group {page.group + 1}: column {page.column!r} has a page of "
                    f"{page.size:,} bytes and {page.values:,} values; the limits are {_LARGEST_PAGE:,} and "
                    f"{_MOST_VALUES:,}: write the file again with smaller pages"
                )
    return _MANY if largest <= _SMALL_PAGE else 1


def _value(array: Any, row: int, column: str, where: str) -> Any:
    """A value of a column, unless it is too large."""
    one = array.slice(row, 1)
    with suppress(AttributeError):  # only arrays with a dictionary have one
        one = one.dictionary_decode()
    if one.nbytes > LONGEST_DOCUMENT:
        raise InputError(
            f"{where}: column {column!r} holds {one.nbytes:,} bytes; the limit is {LONGEST_DOCUMENT:,}"
        )
    return one[0].as_py()


def _id(value: Any, where: str) -> str:
    text = str(value)
    if len(text) > LONGEST_ID:
        raise InputError(f"{where}: an identifier of {len(text):,} characters; the limit is {LONGEST_ID:,}")
    return text


def _names(names: Any) -> str:
    """The first of many names."""
    shown = list(islice(names, _SHOWN + 1))
    return ", ".join([*shown[:_SHOWN], *(["..."] if len(shown) > _SHOWN else [])])


def _groups_from(metadata: Any, row: int) -> tuple[list[int], int]:
    """The row groups from the one that holds ``row`` on, and the number of their first row."""
    first = before = 0
    while first < metadata.num_row_groups and before + metadata.row_group(first).num_rows <= row:
        before += metadata.row_group(first).num_rows
        first += 1
    return list(range(first, metadata.num_row_groups)), before
