"""The sentences of an input file, from any place on, in bounded memory.

A text file is one document. In JSON lines and Parquet files every row is a document; its text is in a column
(for tokens also a list of words, or a list of such lists). Characters are counted from the start of a
document. A byte order mark at the start of a file is no character.
"""

from __future__ import annotations

import codecs
import itertools
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.errors import InputError, need
from nccp.files import COMPRESSED, open_bytes
from nccp.languages import LONGEST_WORD, find_sentences, split_lines

_BLOCK = 1 << 16
_LONGEST_ROW = 1 << 25  # bytes of a line of JSON
_LONGEST_LIST = 1 << 15  # words
_WORD = re.compile(r"[^ \t\r\f\v]+")  # as in nccp parse --input tokens


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where reading can begin: a sentence of a text file, or a document of a file of documents."""

    document: int = 0
    sentence: int = 0
    char: int = 0
    byte: int = 0
    """Where to start in the decompressed file."""
    skip: int = 0
    """Characters between that byte and the sentence."""


class Item(NamedTuple):
    """A sentence, what it is called, and where it is."""

    document: int
    id: str | None
    sentence: int
    start: int | None
    """Of the sentence in the document's text, in characters; None where the document is a list of words."""
    text: str | None
    words: list[str] | None
    """Its words, if the input is tokenised."""
    offsets: list[tuple[int, int]] | None
    """Of these words in the document's text."""
    more: bool
    """Whether it is a piece of a very long line that goes on in the next item."""
    place: Place | None
    """Where this sentence can be found again; None inside a document of a file of documents."""


def read_items(source: Source, options: Options, language: str, begin: Place | None = None) -> Iterator[Item]:
    """The sentences of a file, from a place on."""
    begin = begin or Place()
    kind = _kind(source.name)
    if kind == "text":
        return _read_text_file(source, options, language, begin)
    rows = _json_rows(source, options, begin) if kind == "jsonl" else _parquet_rows(source, options, begin)
    return _read_documents(source, options, language, rows)


def _kind(name: str) -> str:
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    return "parquet" if name.endswith((".parquet", ".pq")) else "text"


class _Blocks:
    """The text of a file in pieces, and for any character of the last pieces where reading could begin."""

    def __init__(self, source: Source, encoding: str, begin: Place) -> None:
        self.source, self.begin = source, begin
        name = codecs.lookup(encoding).name
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogateescape")
        self._exact = name == "utf-8"  # a decoder without memory: it can start anywhere
        self._binary = "\0" if not name.startswith(("utf-16", "utf-32")) else None
        self._anchors = deque([(begin.char - begin.skip, begin.byte)])

    def __iter__(self) -> Iterator[str]:
        chars, bytes_ = self._anchors[0]
        skip = self.begin.skip
        with open_bytes(self.source.path) as file:
            seek(file, bytes_)
            while True:
                data = file.read(_BLOCK)
                text = self._decoder.decode(data, final=not data)
                if self._binary and self._binary in text:
                    raise InputError(
                        f"{self.source.name}: binary data (zero bytes), not text; for UTF-16 use --encoding"
                    )
                if bytes_ == 0:
                    text = text.removeprefix("\ufeff")
                bytes_ += len(data)
                chars += len(text)
                if self._exact:
                    self._anchors.append((chars, bytes_ - len(self._decoder.getstate()[0])))
                yield text[skip:]
                skip = max(0, skip - len(text))
                if not data:
                    return

    def place(self, sentence: int, char: int) -> Place:
        """Of a sentence; sentences are asked for in order."""
        while len(self._anchors) > 1 and self._anchors[1][0] <= char:
            self._anchors.popleft()
        at, byte = self._anchors[0]
        return Place(0, sentence, char, byte, char - at)


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


def _read_text_file(source: Source, options: Options, language: str, begin: Place) -> Iterator[Item]:
    blocks = _Blocks(source, options.encoding, begin)
    numbers = itertools.count(begin.sentence)
    for number, part in zip(numbers, _sentences(blocks, options, language, source.name, begin.char)):
        place = blocks.place(number, part.start)
        yield Item(0, None, number, part.start, part.text, part.words, part.offsets, part.more, place)


class _Part(NamedTuple):
    """A sentence inside a text."""

    start: int
    text: str
    words: list[str] | None = None
    offsets: list[tuple[int, int]] | None = None
    more: bool = False


def _sentences(
    text: str | Iterable[str], options: Options, language: str, where: str, start: int = 0
) -> Iterator[_Part]:
    """The sentences of a text that begins at ``start``, as the form of the input says."""
    if options.input == "text":
        yield from (_Part(start + place, sentence) for sentence, place in find_sentences(text, language))
        return
    tokens = options.input == "tokens"
    blocks = [text] if isinstance(text, str) else text
    for line in split_lines(blocks, source=where, whole_words=tokens):
        piece, more = line.text, not line.last
        sentence = piece if more else piece.rstrip("\r")
        if tokens:
            found = _WORD.finditer(piece)
            offsets = [(start + match.start(), start + match.end()) for match in found]
            words = [piece[one - start : two - start] for one, two in offsets]
            yield _Part(start, sentence, words, offsets, more)
        else:
            yield _Part(start, sentence, more=more)
        start += len(piece) + line.last


class _Row(NamedTuple):
    """A document in a file of documents."""

    place: Place
    value: Any
    id: str | None
    where: str


def _read_documents(source: Source, options: Options, language: str, rows: Iterable[_Row]) -> Iterator[Item]:
    for row in rows:
        document = row.place.document
        place: Place | None = row.place  # only a document's first sentence has one
        if isinstance(row.value, str):
            for number, part in enumerate(_sentences(row.value, options, language, row.where)):
                words, offsets = part.words, part.offsets
                yield Item(document, row.id, number, part.start, part.text, words, offsets, part.more, place)
                place = None
        elif row.value is not None:
            for number, (words, more) in enumerate(_cut_lists(_word_lists(row, options), row.where)):
                yield Item(document, row.id, number, None, None, words, None, more, place)
                place = None


def _cut_lists(sentences: Iterable[list[str]], where: str) -> Iterator[tuple[list[str], bool]]:
    """Lists of words, very long ones in pieces, and whether a piece goes on in the next."""
    for words in sentences:
        if max(map(len, words), default=0) > LONGEST_WORD:
            raise InputError(f"{where}: a word of more than {LONGEST_WORD:,} characters, the limit")
        for start in range(0, max(len(words), 1), _LONGEST_LIST):
            yield words[start : start + _LONGEST_LIST], start + _LONGEST_LIST < len(words)


def _word_lists(row: _Row, options: Options) -> list[list[str]]:
    value = row.value
    if options.input == "tokens" and isinstance(value, list):
        sentences = value if value and all(isinstance(one, list) for one in value) else [value]
        if all(isinstance(word, str) for words in sentences for word in words):
            return sentences
    wanted = "text, a list of words or a list of such lists" if options.input == "tokens" else "text"
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise InputError(f"{row.where}: column {options.column!r} must hold {wanted}, not {shown}")


def _json_rows(source: Source, options: Options, begin: Place) -> Iterator[_Row]:
    byte, number = begin.byte, begin.document
    with open_bytes(source.path) as file:
        seek(file, byte)
        while line := file.readline(_LONGEST_ROW + 1):
            if line.strip():
                where = f"{source.name}: document {number + 1}"
                if len(line) > _LONGEST_ROW:
                    raise InputError(f"{where}: a line of more than {_LONGEST_ROW:,} bytes, the limit")
                try:
                    row = json.loads(line.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{where}: not valid JSON: {error}") from None
                if not isinstance(row, dict) or options.column not in row:
                    known = ", ".join(map(repr, row)) if isinstance(row, dict) else "no object"
                    raise InputError(f"{where}: no column {options.column!r} (it has {known}); see --column")
                if options.id_column is not None and options.id_column not in row:
                    raise InputError(f"{where}: no column {options.id_column!r}; see --id-column")
                id = None if options.id_column is None else str(row[options.id_column])
                yield _Row(Place(number, byte=byte), row[options.column], id, where)
                number += 1
            byte += len(line)


def _parquet_rows(source: Source, options: Options, begin: Place) -> Iterator[_Row]:
    need("pyarrow", "bulk", "reading Parquet files")
    import pyarrow
    import pyarrow.parquet

    columns = [options.column, *([options.id_column] if options.id_column else [])]
    try:
        with pyarrow.parquet.ParquetFile(source.path) as file:
            known = file.schema_arrow.names
            for column in columns:
                if column not in known:
                    raise InputError(f"{source.name}: no column {column!r} (it has {', '.join(known)})")
            groups, number = _groups_from(file.metadata, begin.document)
            for batch in file.iter_batches(16, row_groups=groups, columns=columns):
                texts = batch.column(options.column).to_pylist()
                ids = (
                    batch.column(options.id_column).to_pylist()
                    if options.id_column
                    else itertools.repeat(None)
                )
                for value, id in zip(texts, ids):
                    if number >= begin.document:
                        where = f"{source.name}: document {number + 1}"
                        yield _Row(Place(number), value, None if id is None else str(id), where)
                    number += 1
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{source.name}: damaged, or not a Parquet file: {error}") from None


def _groups_from(metadata: Any, row: int) -> tuple[list[int], int]:
    """The row groups from the one that holds ``row`` on, and the number of their first row."""
    first = before = 0
    while first < metadata.num_row_groups and before + metadata.row_group(first).num_rows <= row:
        before += metadata.row_group(first).num_rows
        first += 1
    return list(range(first, metadata.num_row_groups)), before
