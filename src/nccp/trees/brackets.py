"""Penn brackets: text to trees and back, streaming, fast; errors carry file, line and column.

    (S (NP (DT the) (NN dog)) (VP (VBZ barks)))     one tree a line, or many lines a tree
    ( (S ...))                                      a root without a label is read as label ""
    (NP the (NN dog)), (NP), ()                     words beside phrases, and empty nodes, are kept

Labels end at any white space. Words end at ASCII white space or a bracket only: a no-break or ideographic
space is part of its word, or a word of its own (at the start of a line it is indentation). Nothing is
unescaped here: a backslash is a character like others.

How it is fast: text is cut into lines, ``") ("`` counting as a line's end, and almost every line is made of
openers, one tagged word and closers. What a line does to the stack is looked up by its bytes in a bounded
table, so that a line seen before is never taken apart, nor decoded, again.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from sys import intern
from typing import IO, Any

from nltk.tree import Tree as NltkTree

from nccp.errors import BracketError, InputError, TreeError
from nccp.trees.tree import Tree

_CHUNK = 1 << 15  # bytes taken apart at a time; more only while a single tree is longer than that
_PATIENCE = 1 << 20  # an open tree this long, with a later line that starts with "(", was never closed
_LONGEST = 1 << 26  # an open tree this long was never closed
_TABLE = 1 << 17  # lines remembered

# What a line does: open phrases, add a tagged word wrapped in `inner` phrases (innermost first), close some.
#     (PP (NP (N 酒))   ->   opened ("PP",), tag "N", inner ("NP",), closed 0; word 酒
_Shape = tuple[tuple[str, ...], "str | None", tuple[str, ...], int]
# Any other line: tag None, and in place of the word a list of (kind, text).
_OPEN, _CLOSE, _WORD = range(3)
_ODD: _Shape = ((), None, (), 0)

_OPENERS = re.compile(r"(?:\([^\s()]*\s*)+")
_TOKEN = re.compile(r"\(\s*(?P<open>[^\s()]*)(?:[^\S ]\s*)?|(?P<close>\))|(?P<word>[^ ()]+)")
_BRACKET = re.compile(rb"[()]")
_SPACES = bytes.maketrans(b"\t\r\f\v", b"    ")


class _Shapes(dict[bytes, list[_Shape]]):
    """What stands before a word, ``(PP (NP (N``, to its shapes by number of closers; [] if not openers."""

    def __missing__(self, head: bytes) -> list[_Shape]:
        text = head.decode()
        if not _OPENERS.fullmatch(text):
            return []
        *phrases, tag = (intern(label.strip()) for label in text.split("(")[1:])
        shapes = [_ODD]
        for closed in range(8):  # beside the bracket of the word itself
            wrapped = min(closed, len(phrases))
            opened = len(phrases) - wrapped
            shapes.append((tuple(phrases[:opened]), tag, tuple(phrases[opened:][::-1]), closed - wrapped))
        if len(head) < 100:
            if len(self) >= _TABLE:
                self.clear()
            self[head] = shapes
        return shapes


class _Lines(dict[bytes, tuple[_Shape, Any]]):
    """What each line does; lines not seen yet are taken apart."""

    def __missing__(self, line: bytes) -> tuple[_Shape, Any]:
        head, _, tail = line.rpartition(b" ")
        word = tail.rstrip(b")")
        shapes = _shapes[head]
        closers = len(tail) - len(word)
        if word and 0 < closers < len(shapes) and tail.find(b"(") < 0 and tail.find(b")") == len(word):
            plan: tuple[_Shape, Any] = shapes[closers], word.decode()
        else:
            found = _TOKEN.finditer(line.decode().lstrip())
            plan = _ODD, [(_KINDS[match.lastgroup], intern(match[match.lastgroup])) for match in found]
        if len(line) < 100:
            if len(self) >= _TABLE:
                self.clear()
            self[line] = plan
        return plan


_KINDS: dict[Any, int] = {"open": _OPEN, "close": _CLOSE, "word": _WORD}
_shapes = _Shapes()
_lines = _Lines()


class _Stray(Exception):
    """Something outside any tree; `_outline` says what and where."""


class TreeReader:
    """The trees of a file (path), an open file, or an iterable of pieces of text; one at a time.

    With ``skip_bad``, what is not a tree is passed over and listed in ``errors``; without, it raises
    `BracketError`. After a tree that is never closed, reading resumes at the next line that starts with
    ``(``. Text that cannot be decoded, and binary files, raise in any case.

    >>> reader = TreeReader("wsj_0001.mrg")
    >>> for tree in reader:
    ...     print(reader.line, tree.leaves())
    """

    def __init__(
        self,
        lines_or_path: str | PathLike[str] | IO[Any] | Iterable[str],
        *,
        encoding: str = "utf-8",
        skip_bad: bool = False,
        source: str | None = None,
    ) -> None:
        self._input = lines_or_path
        self._encoding = encoding
        self._skip_bad = skip_bad
        named = lines_or_path if isinstance(lines_or_path, (str, PathLike)) else getattr(lines_or_path, "name", None)
        self.source = source if source is not None else str(named) if named is not None else "<text>"
        self.errors: list[BracketError] = []
        self._at = (b"", 0, 0)  # the part the last tree came from, its first line, the tree's number in it
        self._part_line, self._part_column = 1, 0  # where the current part starts
        self._open = 0  # nodes left open at the end of the part
        self._starts: tuple[bytes, list[int]] = (b"", [])

    @property
    def line(self) -> int:
        """The line where the tree last given starts, counted from 1; 0 before the first."""
        part, first, number = self._at
        if not number:
            return 0
        if self._starts[0] is not part:
            self._starts = part, [start for start, _ in _outline(part)[0]]
        return first + part.count(b"\n", 0, self._starts[1][number - 1])

    def __iter__(self) -> Iterator[Tree]:
        """Read from the beginning (of what is left, for an open file)."""
        self._part_line, self._part_column, self._at = 1, 0, (b"", 0, 0)
        self.errors.clear()
        blocks = _blocks(self._input, self._encoding, self.source)
        buffer, size, patience, ended = b"", _CHUNK, _PATIENCE, False
        while True:
            while len(buffer) < size and not ended:
                block = next(blocks, b"")
                buffer, ended = buffer + block, not block
            # Cut after a line or, in a very long line, after a bracket: never within a word or a character.
            cut = len(buffer)
            if cut > size or not ended:
                cut = buffer.rfind(b"\n", 0, size) + 1 or buffer.rfind(b")", 0, size) + 1
            last = ended and cut == len(buffer)
            part = buffer[:cut]
            yield from self._trees(part)
            used = _tree_start(part, self._open) if self._open else cut
            if not used and (last or cut >= patience and b"\n(" in part or cut >= _LONGEST):
                if last and not part:
                    return
                self._report("bracket never closed", part, part.find(b"("))
                used = part.find(b"\n(", 1) + 1 or cut
                patience = max(patience // 2, 2 * _CHUNK)  # a file full of such trees shall not take forever
                size = _CHUNK
            elif used:
                size, patience = _CHUNK, _PATIENCE
            else:
                size *= 2
            self._advance(part, used)
            buffer = buffer[used:]

    def _trees(self, part: bytes) -> Iterator[Tree]:
        """The whole trees of a part; what is stray among them is reported."""
        while True:
            try:
                yield from self._grow(part)
                return
            except _Stray:
                done = self._at[2] if self._at[0] is part else 0
                trees, error = _outline(part)
                assert error is not None
                what, start, stop = error
                clean = trees[done - 1][1] if done else 0
                self._advance(part, clean)
                before, part = part[clean:start], part[clean:]
                yield from self._grow(before)
                self._report(what, part, start - clean)
                self._advance(part, stop - clean)
                part = part[stop - clean :]
            except UnicodeDecodeError:
                raise self._undecodable(part) from None
