"""Writes a sentence that was parsed in pieces, in bounded memory.

A very long line (`nccp.languages.split_lines`) is parsed in pieces, whose trees are joined under a root
without a label, as are those of any sentence with more words than are parsed at once::

    piece 1   (S the cat)                        (  (S the cat)
    piece 2   (S sat down)        becomes           (S sat down))

Brackets are written as the pieces come. The lists of a JSON record are kept in temporary files until the last
piece.
"""

from __future__ import annotations

import base64
import codecs
import json
import math
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from nccp.characters import has_surrogates, replace_surrogates
from nccp.cli.sentences import Item
from nccp.languages import LONGEST_LINE

if TYPE_CHECKING:
    from nccp.decoding import Parse

_JOINT = math.log(0.5)  # the confidence of a joint; see `Confidence.join`
_IN_MEMORY = 1 << 20
_BASE64 = 3 << 15  # a multiple of 3 bytes, so that parts can be put together


def too_long(item: Item, what: str) -> str:
    """The error for an output that needs the whole sentence at once."""
    return (
        f"{item.source}: line {item.number}: more than {LONGEST_LINE:,} characters, too long for {what}; "
        "use --output brackets or json"
    )


class LongBrackets:
    """One tree in brackets, on one line."""

    def __init__(self, output: IO[bytes], root: str | None) -> None:
        self._output, self._root, self._begun = output, root, False

    def add(self, parse: Parse, item: Item) -> None:
        """Write a piece."""
        if parse.gaps is not None:
            if not self._begun:
                self._write(f"({self._root or ''}")
                self._begun = True
            self._write(" " + parse.brackets())
        if not item.more:
            self._write(")\n" if self._begun else "(())\n")

    def _write(self, text: str) -> None:
        self._output.write(text.encode("utf-8", "surrogateescape"))


class LongRecord:
    """One JSON object, on one line, with the keys of `nccp.cli.parse_output.make_record`."""

    def __init__(self, output: IO[bytes], root: str | None, encoding: str) -> None:
        self._output, self._root = output, root
        self._files = ExitStack()
        self._parts: dict[str, IO[bytes]] = {}
        self._bytes = self._open()  # of the text, as in the file
        self._encode = codecs.getincrementalencoder(encoding)("surrogateescape").encode
        self._invalid = False
        self._words = self._pieces = 0
        self._placed = False  # whether words have offsets
        self._chars: list[int] = []  # where the first word starts and the last one ends
        self._log, self._decisions = 0.0, 0

    def add(self, parse: Parse, item: Item) -> None:
        """Take in a piece; write the record after the last one."""
        assert item.text is not None  # only lines come in pieces
        self._string("text", item.text)
        self._bytes.write(self._encode(item.text))
        self._invalid = self._invalid or has_surrogates(item.text)
        self._placed = parse.offsets is not None
        if parse.gaps is not None:
            self._take(parse, item.start)
        if not item.more:
            with self._files:
                self._write(item)

    def _take(self, parse: Parse, shift: int) -> None:
        piece, words = parse.to_dict(), self._words
        self._list("words", piece["words"])
        self._list("tags", piece["tags"])
        self._string("tree", " " + piece["tree"])
        if "offsets" in piece:
            places = [[start + shift, end + shift] for start, end in piece["offsets"]]
            self._chars = [(self._chars or places[0])[0], places[-1][1]]
            self._list("offsets", places)
        for span in piece["spans"]:
            span["start"], span["end"] = span["start"] + words, span["end"] + words
            if "start_char" in span:
                span["start_char"], span["end_char"] = span["start_char"] + shift, span["end_char"] + shift
        self._list("spans", piece["spans"])
        sure = parse.confidence
        assert sure is not None  # JSON has scores
        self._log += float(sure.nodes.sum() + sure.leaves.sum())
        self._decisions += int(np.count_nonzero(sure.nodes)) + len(sure.leaves)
        self._words += len(parse.words)
        self._pieces += 1

    def _write(self, item: Item) -> None:
        """The record from what has been collected."""
        joints = self._pieces - 1
        put, comma = self._output.write, b", "
        put(_json({"source": item.source, "sentence": item.number})[:-1])
        self._copy(b', "text": "', "text", b'"')
        if self._invalid:
            put(b', "bytes": "')
            for part in self._encoded():
                put(part)
            put(b'"')
        self._copy(b', "words": [', "words", b"]")
        self._copy(b', "tags": [', "tags", b"]")
        if self._words:
            self._copy(b', "tree": ' + _json(f"({self._root or ''}")[:-1], "tree", b')"')
        else:
            put(b', "tree": "(())"')
        if self._placed:
            self._copy(b', "offsets": [', "offsets", b"]")
        put(b', "spans": [')
        if self._words:
            put(_json(self._root_span(joints)))
        self._copy(comma if self._words and "spans" in self._parts else b"", "spans", b"]")
        score = math.exp((self._log + joints * _JOINT) / (self._decisions + joints)) if self._words else None
        put(comma + _json({"score": score and round(score, 6), "joined": self._words > 0})[1:] + b"\n")

    def _root_span(self, joints: int) -> dict[str, Any]:
        span: dict[str, Any] = {"label": "", "start": 0, "end": self._words}
        span["score"] = round(math.exp(joints * _JOINT), 6)
        if self._chars:
            span["start_char"], span["end_char"] = self._chars
        return span

    def _encoded(self) -> Iterator[bytes]:
        self._bytes.seek(0)
        while part := self._bytes.read(_BASE64):
            yield base64.b64encode(part)

    def _open(self) -> IO[bytes]:
        return self._files.enter_context(tempfile.SpooledTemporaryFile(_IN_MEMORY))

    def _string(self, name: str, text: str) -> None:
        """Add to a string."""
        self._part(name).write(_json(text)[1:-1])

    def _list(self, name: str, values: list[Any]) -> None:
        """Add to a list."""
        if values:
            file = self._part(name)
            file.write((b", " if file.tell() else b"") + _json(values)[1:-1])

    def _part(self, name: str) -> IO[bytes]:
        if name not in self._parts:
            self._parts[name] = self._open()
        return self._parts[name]

    def _copy(self, before: bytes, name: str, after: bytes) -> None:
        self._output.write(before)
        if (file := self._parts.get(name)) is not None:
            file.seek(0)
            shutil.copyfileobj(file, self._output)
        self._output.write(after)


def _json(value: Any) -> bytes:
    return replace_surrogates(json.dumps(value, ensure_ascii=False)).encode()
