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
from collections.abc import Generator, Iterable, Iterator
from itertools import chain
from os import PathLike
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
_MARK = re.compile(rb"\(|\)+|[^\s()][^()\n]*")
_SPACES = bytes.maketrans(b"\t\r\f\v", b"    ")


class _Shapes(dict[str, list[_Shape]]):
    """What stands before a word, ``(PP (NP (N``, to its shapes by number of closers; [] if not openers."""

    def __missing__(self, head: str) -> list[_Shape]:
        if not _OPENERS.fullmatch(head):
            return []
        *phrases, tag = (intern(label.strip()) for label in head.split("(")[1:])
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
        text = line.decode()  # str from here on: its operators are the quicker ones
        bare = text.rstrip(") ")
        head, _, word = bare.rpartition(" ")
        shapes = _shapes[head]
        closers = text.count(")")
        if word and 0 < closers < len(shapes) and "(" not in word and ")" not in word:
            plan: tuple[_Shape, Any] = shapes[closers], word
        else:
            found = _TOKEN.finditer(text.lstrip())
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
        """Read from the beginning (an open file: from where it stands)."""
        self.errors.clear()
        self._part_line, self._part_column, self._at = 1, 0, (b"", 0, 0)
        blocks = _blocks(self._input, self._encoding, self.source)
        buffer, size, patience, ended = b"", _CHUNK, _PATIENCE, False
        while buffer or not ended:
            while len(buffer) < size and not ended:
                block = next(blocks, b"")
                buffer, ended = buffer + block, not block
            cut = len(buffer)
            if cut > size or not ended:  # where a tree seems to start, or after a line, or else a bracket
                cut = max(buffer.rfind(b"\n(", 0, size), 0) or buffer.rfind(b"\n", 0, size)
                cut = cut + 1 or buffer.rfind(b")", 0, size) + 1
            part = yield from self._trees(buffer[:cut])
            buffer = buffer[cut - len(part) :]
            used = _tree_start(part, self._open) if self._open else len(part)
            if used:
                size, patience = _CHUNK, _PATIENCE
            elif part and (part == buffer and ended or self._hopeless(part, patience)):
                self._report("bracket never closed", part, 0)
                used = part.find(b"\n(") + 1 or len(part)
                size, patience = _CHUNK, max(patience // 2, 2 * _CHUNK)  # many in a row shall not take forever
            elif part or not cut:
                size *= 2
            self._advance(part, used)
            buffer = buffer[used:]

    @staticmethod
    def _hopeless(part: bytes, patience: int) -> bool:
        """Whether a tree that is still open after so much text was never closed."""
        return len(part) >= _LONGEST or (len(part) >= patience and b"\n(" in part)

    def _trees(self, part: bytes) -> Generator[Tree, None, bytes]:
        """The whole trees of a part; reports what is stray among them; returns the part after the last such."""
        while True:
            try:
                yield from self._grow(part)
                return part
            except _Stray:
                done = self._at[2] if self._at[0] is part else 0
                trees, error = _outline(part)
                what, start, stop = error
                clean = trees[done - 1][1] if done else 0
                self._advance(part, clean)
                yield from self._grow(part[clean:start])
                self._report(what, part[clean:], start - clean)
                self._advance(part[clean:], stop - clean)
                part = part[stop:]
            except UnicodeDecodeError:
                raise self._undecodable(part) from None

    def _grow(self, part: bytes) -> Iterator[Tree]:
        """The whole trees of a part; the number of nodes left open goes to ``_open``."""
        data, first, number = part, self._part_line, 0
        if b"\0" in data:
            raise self._error("binary file (it has a NUL byte)", part, data.index(b"\0"))
        if b"\t" in data or b"\r" in data or b"\f" in data or b"\v" in data:
            data = data.translate(_SPACES)
        if b") (" in data[:2048]:  # a matter of speed only: lines of several words are right, but slower
            data = data.replace(b") (", b")\n(")
        new, kind = list.__new__, Tree  # a third of the time of calling Tree
        trees: list[Tree] = []
        stack: list[list[Any]] = []  # the ancestors of `top`, from `trees` on
        push, pop = stack.append, stack.pop
        top: list[Any] = trees
        position, mixed = 0, False
        try:
            for (opened, tag, inner, closed), word in map(_lines.__getitem__, map(bytes.strip, data.split(b"\n"))):
                if tag is not None:
                    if opened:
                        for label in opened:
                            node = new(kind)
                            node._label = label
                            top.append(node)
                            push(top)
                            top = node
                    node = new(kind)
                    node._label = tag
                    node.append(word)
                    node._span = position
                    position += 1
                    if inner:
                        for label in inner:
                            phrase = new(kind)
                            phrase._label = label
                            phrase.append(node)
                            node = phrase
                    top.append(node)
                    if closed:
                        if closed > 1:
                            del stack[1 - closed :]
                        top = pop()
                    if top is trees:
                        number += 1
                        self._at = part, first, number
                        if mixed:
                            trees[0].set_spans()
                        position, mixed = 0, False
                        yield trees.pop()
                    continue
                for what, text in word:
                    if what == _OPEN:
                        node = Tree(text, ())
                        top.append(node)
                        push(top)
                        top = node
                    elif what == _WORD:
                        if top is trees:
                            if text.strip():
                                raise _Stray
                        elif not top and not top._label:  # an opener at the end of a line, its label on the next
                            label, *words = text.split()
                            top._label = label
                            top += words
                        else:
                            top.append(text)
                        mixed = True
                    else:
                        top = pop()
                        if top is trees:
                            number += 1
                            self._at = part, first, number
                            if mixed:
                                trees[0].set_spans()
                            position, mixed = 0, False
                            yield trees.pop()
        except IndexError:  # pop from an empty stack
            raise _Stray from None
        self._open = len(stack)

    # ---- positions and errors ------------------------------------------------------------------------

    def _advance(self, part: bytes, used: int) -> None:
        """Move the position past the first bytes of a part."""
        self._part_line, self._part_column = self._position(part, used)

    def _position(self, part: bytes, offset: int) -> tuple[int, int]:
        """Line (from 1) and column (characters, from 0) of a byte of the part."""
        start = part.rfind(b"\n", 0, offset) + 1
        column = len(part[start:offset].decode(errors="replace"))
        return self._part_line + part.count(b"\n", 0, offset), column + (0 if start else self._part_column)

    def _error(self, what: str, part: bytes, offset: int) -> BracketError:
        line, column = self._position(part, offset)
        return BracketError(what, self.source, line, column + 1)

    def _report(self, what: str, part: bytes, offset: int) -> None:
        error = self._error(what, part, offset)
        if not self._skip_bad:
            raise error
        self.errors.append(error)

    def _undecodable(self, part: bytes) -> BracketError:
        try:
            part.decode()
        except UnicodeDecodeError as error:
            what = f"not {self._encoding} text (byte 0x{part[error.start]:02x}); is it in another encoding?"
            return self._error(what, part, error.start)
        raise AssertionError("decoded after all")


def _outline(part: bytes) -> tuple[list[tuple[int, int]], tuple[str, int, int]]:
    """Where the whole trees of a part start and end; then the first stray thing: what, its start and end."""
    trees: list[tuple[int, int]] = []
    depth = start = 0
    for match in _MARK.finditer(part):
        at, end = match.span()
        if match[0] == b"(":
            start = start if depth else at
            depth += 1
        elif match[0].startswith(b")"):
            closed = min(depth, end - at)
            if closed and closed == depth:
                trees.append((start, at + depth))
            depth -= closed
            if at + closed < end:
                return trees, ("closing bracket without an opening one", at + closed, end)
        elif not depth and (text := match[0].decode(errors="replace")).strip():
            return trees, (f"text outside brackets: {text.split()[0][:40]!r}", at, end)
    return trees, ("", len(part), len(part))


def _tree_start(part: bytes, depth: int) -> int:
    """Where the tree starts that is still open, ``depth`` nodes deep, at the end of a part."""
    for offset, mark in enumerate(reversed(part), 1):
        if mark == 0x28:
            depth -= 1
            if not depth:
                return len(part) - offset
        elif mark == 0x29:
            depth += 1
    raise AssertionError("a tree is open that never started")


def _blocks(source: Any, encoding: str, name: str) -> Iterator[bytes]:
    """The input in blocks of UTF-8, none of them empty, without a byte order mark."""
    if isinstance(source, (str, PathLike)):
        try:
            with open(source, "rb") as file:
                yield from _blocks(file, encoding, name)
        except OSError as error:
            raise InputError(f"{name}: {error.strerror or error}") from None
        return
    pieces = iter(lambda: source.read(_CHUNK), type(source.read(0))()) if hasattr(source, "read") else iter(source)
    if (first := next(pieces, None)) is None:
        return
    pieces = chain([first], pieces)
    if isinstance(first, str):
        encoded = (piece.encode(errors="surrogatepass") for piece in pieces)
    else:
        encoded = _utf8(pieces, encoding, name)
    start = True
    for block in encoded:
        if start:
            block = block.removeprefix(codecs.BOM_UTF8)
        start = start and not block
        if block:
            yield block


def _utf8(pieces: Iterator[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Bytes of any encoding as UTF-8 (which is checked later, where words are made)."""
    try:
        codec = codecs.lookup(encoding)
    except LookupError:
        raise InputError(f"{name}: unknown encoding {encoding!r}") from None
    if codec.name in ("utf-8", "utf-8-sig"):
        yield from pieces
        return
    decoder, line = codec.incrementaldecoder(), 1
    for piece in chain(pieces, [b""]):
        try:
            text = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            what = f"not {encoding} text (byte 0x{error.object[error.start]:02x}); is it in another encoding?"
            raise BracketError(what, name, line) from None
        line += text.count("\n")
        yield text.encode(errors="surrogatepass")


def read_trees(
    path: str | PathLike[str] | IO[Any] | Iterable[str],
    *,
    encoding: str = "utf-8",
    skip_bad: bool = False,
    source: str | None = None,
) -> Iterator[Tree]:
    """The trees of a file, one at a time: `TreeReader` for those who need neither lines nor errors."""
    return iter(TreeReader(path, encoding=encoding, skip_bad=skip_bad, source=source))


def parse_trees(text: str, source: str = "<text>") -> list[Tree]:
    """All trees of a text."""
    return list(TreeReader([text], source=source))


def parse_tree(text: str) -> Tree:
    """The tree of a text that holds exactly one."""
    reader = TreeReader([text])
    trees = iter(reader)
    tree = next(trees, None)
    if tree is None:
        raise BracketError("no tree")
    if next(trees, None) is not None:
        raise BracketError("a second tree", line=reader.line)
    return tree


def format_tree(tree: NltkTree) -> str:
    """One line of brackets, ``(S (NP (DT the)) ...)``, that reads back as an equal tree.

    Raises `TreeError` for what cannot be written: a bracket or white space within a label or a word
    (escape such words first), an empty word, a word right under an empty label.
    """
    pieces: list[str] = []
    nodes = words = 0
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, NltkTree):
            nodes += 1
            pieces.append(f"({node._label}")
            stack.append(None)
            stack += reversed(node)
        elif node is None:
            pieces[-1] += ")"
        else:
            words += 1
            pieces.append(str(node))
    text = " ".join(pieces)
    return text
