"""The sentences that ``nccp parse``, ``bench`` and ``heads`` read: from files, folders, standard input."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nccp.errors import InputError
from nccp.files import list_files, open_bytes, open_text
from nccp.languages import split_lines

if TYPE_CHECKING:
    from nccp.decoding import Parser
    from nccp.decoding.input_sentence import Parsable

STDIN = "-"
_BLANKS = re.compile(r"[ \t\r\f\v]+")


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence to parse, and where it comes from."""

    sentence: Parsable
    source: str
    """The file's name, or ``<stdin>``."""
    number: int
    """Of the sentence in its file, from 1."""
    text: str | None
    """The sentence or line as it stands in the file; None where the file holds trees."""
    start: int
    """Characters of the sentence in the items before: above 0 in the later pieces of a very long line."""
    more: bool
    """Whether the sentence goes on in the next item, which has the same number."""
    position: float
    """Bytes of the file that were read up to its end; an estimate."""


def find_sources(names: Sequence[str]) -> list[str]:
    """Files, and the files of folders, in order; no name at all is standard input."""
    sources: list[str] = []
    for name in names or (STDIN,):
        if name == STDIN and sys.stdin is None:
            raise InputError("standard input is closed; name files to parse")
        if name != STDIN and os.path.isdir(name):
            found = list(list_files(name))
            if not found:
                raise InputError(f"{name}: no files in this folder")
            sources += found
        else:
            sources.append(name)
    return sources


def check_sources(sources: Iterable[str], encoding: str) -> list[str]:
    """What is wrong with the files; opens each one, and reads none beyond its first kilobytes.

    Pipes are left alone: what is read from them now could not be read again.
    """
    problems = []
    for source in sources:
        if source != STDIN and not _is_pipe(source):
            try:
                open_text(source, encoding).close()
            except InputError as error:
                problems.append(str(error))
    return problems


def _is_pipe(source: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(source).st_mode)
    except OSError:
        return False


def read_items(
    source: str, form: str, parser: Parser, *, keep_tags: bool = False, encoding: str = "utf-8"
) -> Iterator[Item]:
    """The sentences of a file, or of standard input (-), in the form that ``--input`` says.

    A line longer than `nccp.languages.LONGEST_LINE` comes in pieces.
    """
    name = "<stdin>" if source == STDIN else source
    file = _Input(name, source == STDIN, form == "brackets", encoding)
    try:
        sentences = file.trees(keep_tags, encoding) if form == "brackets" else file.sentences(form, parser)
        number = 1
        for sentence, text, position, start, more in sentences:
            yield Item(sentence, name, number, text, start, more, position)
            number += not more
    finally:
        file.close()


def read_sentences(source: str, form: str, parser: Parser) -> Iterator[Parsable]:
    """The sentences of `read_items` alone."""
    return (item.sentence for item in read_items(source, form, parser))


_BLOCK = 1 << 16
_LONGEST_TREE = 1 << 21  # bytes


class _Found(NamedTuple):
    """A sentence as it was found; see `Item`."""

    sentence: Parsable
    text: str | None
    position: float
    start: int = 0
    more: bool = False


class _Input:
    """An open file or standard input."""

    def __init__(self, name: str, is_stdin: bool, binary: bool, encoding: str) -> None:
        self.name, self.is_stdin = name, is_stdin
        stream = sys.stdin.buffer if is_stdin else None
        self._typed = is_stdin and sys.stdin.isatty()  # a person types: answer each line
        if binary:
            self._bytes, self._text = open_bytes(name, stream), None
        else:
            self._text = open_text(name, encoding, stream)
            self._bytes = self._text.buffer  # type: ignore[attr-defined]  # it is a TextIOWrapper
        self._read = 0  # characters
        self._measured = not is_stdin and not _is_pipe(name)  # whether the place in the file can be told

    def close(self) -> None:
        if self.is_stdin and isinstance(self._text, io.TextIOWrapper):
            self._text.detach()  # leave it open
        elif not self.is_stdin:
            (self._text or self._bytes).close()

    def sentences(self, form: str, parser: Parser) -> Iterator[_Found]:
        if form == "text":
            for text in self._lines() if self._typed else [self._lines()]:
                for sentence in parser.split(text):
                    yield _Found(sentence, sentence.text, self._position(sentence.end))
            return
        tokens, end = form == "tokens", 0
        for line in split_lines(self._lines(), source=self.name, whole_words=tokens):
            text, more = line.text, not line.last
            end += len(text) + line.last
            if tokens:
                words = [word for word in _BLANKS.split(text) if word]
                yield _Found(words, text, self._position(end), line.start, more)
            else:
                text = text if more else text.rstrip("\r")
                yield _Found(text, text, self._position(end), line.start, more)

    def trees(self, keep_tags: bool, encoding: str) -> Iterator[_Found]:
        from nccp.trees import TreeReader

        reader = TreeReader(self._bytes, encoding=encoding, source=self.name, longest=_LONGEST_TREE)
        for tree in reader:
            yield _Found(tree.pos() if keep_tags else tree.leaves(), None, self._raw_position())

    def _lines(self) -> Iterator[str]:
        """Lines with their ends; long ones in several blocks."""
        assert self._text is not None
        first = True
        while line := self._text.readline(_BLOCK):
            # The mark at the start of files from Windows is no word. ("utf-8-sig" loses a lone half of it.)
            line, first = line.removeprefix("\ufeff") if first else line, False
            self._read += len(line)
            yield line

    def _position(self, characters: int) -> float:
        """Bytes up to this character, by the average so far."""
        return self._raw_position() * characters / max(self._read, 1)

    def _raw_position(self) -> float:
        raw: Any = getattr(self._bytes, "raw", None)
        return float(raw.tell()) if self._measured and raw is not None else 0.0
