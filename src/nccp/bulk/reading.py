"""The sentences of an input file, from any place on, in bounded memory.

A text file is one document. In JSON lines and Parquet files every row is a document; its text is in a column
(for tokens also a list of words, or a list of such lists). Characters are counted from the start of a
document. A byte order mark at the start of a file is no character.
"""

from __future__ import annotations

import codecs
import itertools
import re
import reprlib
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nccp.bulk.documents import Document, read_json_lines, read_parquet
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.places import Place, seek
from nccp.errors import InputError
from nccp.files import COMPRESSED, open_bytes
from nccp.languages import LONGEST_WORD, find_sentences, split_lines

_BLOCK = 1 << 16
_LONGEST_LIST = 1 << 15  # words
_WORD = re.compile(r"[^ \t\r\f\v]+")  # as in nccp parse --input tokens


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
    read = read_json_lines if kind == "jsonl" else read_parquet
    return _read_documents(options, language, read(source, options, begin))


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


def _read_documents(options: Options, language: str, rows: Iterable[Document]) -> Iterator[Item]:
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


def _word_lists(row: Document, options: Options) -> list[list[str]]:
    value = row.value
    if options.input == "tokens" and isinstance(value, list):
        sentences = value if value and all(isinstance(one, list) for one in value) else [value]
        if all(isinstance(word, str) for words in sentences for word in words):
            return sentences
    wanted = "text, a list of words or a list of such lists" if options.input == "tokens" else "text"
    raise InputError(f"{row.where}: column {options.column!r} must hold {wanted}, not {reprlib.repr(value)}")
