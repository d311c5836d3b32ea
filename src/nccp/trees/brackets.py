"""Penn brackets: text to trees, streaming, fast; errors carry file, line and column.

    (S (NP (DT the) (NN dog)) (VP (VBZ barks)))     one tree per line, or over several lines
    ( (S ...))                                      a root without a label is read as label ""
    (NP the (NN dog)), (NP), ()                     words beside phrases, and empty nodes, are kept

A label ends at any white space. A word ends at ASCII white space or a bracket only: a no-break or an
ideographic space is part of its word, or a word itself right before a closing bracket; elsewhere it is
layout. Nothing is unescaped here: a backslash is a character like others.

How it is fast: plain trees are left to compiled code (`_plain.pyx`) where there is any. For the others the
text stays UTF-8, `bytes.split` finds the tokens (half of a treebank is indentation), and a table of tokens
seen says what each is, so that almost all, ``(NP`` or ``dog))``, take a few steps.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from os import PathLike
from sys import intern
from typing import IO, Any

from nccp.errors import BracketError
from nccp.trees.blocks import CHUNK, read_blocks
from nccp.trees.bracket_text import TOKENS, outline, split_token, tree_start
from nccp.trees.tree import Tree

try:
    from nccp.trees._plain import read_plain
except ImportError:  # there was no compiler

    def read_plain(part: bytes) -> tuple[list[Tree], int]:
        """As in `_plain.pyx`, where nothing is plain enough."""
        return [], 0


_PATIENCE = 1 << 20  # an open tree this long, with a later line that starts with "(", was never closed
_LONGEST = 1 << 26  # bytes of a tree, by default; an open one this long was hardly ever closed


class _Stray(Exception):
    """Something stands outside any tree; `outline` says what and where."""


class TreeReader:
    """The trees of a file (its path), an open file, or an iterable of pieces of text; one at a time.

    With ``skip_bad``, what is not a tree is passed over and listed in ``errors``; without, it raises
    `BracketError`. After a tree that is never closed, reading resumes at the next line that starts with
    ``(``. Text that cannot be decoded, and binary files, raise in any case. An empty file has no trees.

        reader = TreeReader("wsj_0001.mrg")
        for tree in reader:
            print(reader.line, tree.leaves())
    """

    def __init__(
        self,
        lines_or_path: str | PathLike[str] | IO[Any] | Iterable[str],
        *,
        encoding: str = "utf-8",
        skip_bad: bool = False,
        source: str | None = None,
        longest: int = _LONGEST,
    ) -> None:
        """``longest``: about how many bytes a tree may have; in memory it takes much more."""
        if source is None:
            is_path = isinstance(lines_or_path, (str, PathLike))
            source = str(lines_or_path if is_path else getattr(lines_or_path, "name", "<text>"))
        self.source = source
        self.errors: list[BracketError] = []
        self._input = lines_or_path
        self._encoding = encoding
        self._skip_bad = skip_bad
        self._longest = longest
        self._line, self._column = 1, 0  # where the part that is being read starts
        self._open = 0  # how many nodes it leaves open
        self._last = (b"", 0, 0)  # the last tree given: its part, the part's line, the tree's number there
        self._outlined: tuple[bytes, list[tuple[int, int]]] = (b"", [])

    @property
    def line(self) -> int:
        """The line where the tree last given starts, counted from 1; 0 before the first."""
        part, first, number = self._last
        if not number:
            return 0
        if self._outlined[0] is not part:
            self._outlined = part, outline(part)[0]
        return first + part.count(b"\n", 0, self._outlined[1][number - 1][0])

    def __iter__(self) -> Iterator[Tree]:
        """Read from the beginning (an open file: from where it stands)."""
        self.errors.clear()
        self._line, self._column, self._last = 1, 0, (b"", 0, 0)
        blocks = read_blocks(self._input, self._encoding, self.source)
        buffer, size, patience, ended = b"", CHUNK, _PATIENCE, False
        while buffer or not ended:
            while len(buffer) < size and not ended:
                block = next(blocks, b"")
                buffer, ended = buffer + block, not block
            cut = len(buffer)
            if cut > size or not ended:  # where a tree seems to start, or after a line, or else a bracket
                cut = max(buffer.rfind(b"\n(", 0, size), 0) or buffer.rfind(b"\n", 0, size)
                cut = cut + 1 or buffer.rfind(b")", 0, size) + 1
                if not cut and size >= self._longest:  # nothing that could end a tree: do not read it all
                    cut = _character_start(buffer, size)
            part = yield from self._trees(buffer[:cut])
            buffer = buffer[cut - len(part) :]
            used = tree_start(part, self._open) if self._open else len(part)
            if used:
                size, patience = CHUNK, _PATIENCE
            elif part and ((ended and len(part) == len(buffer)) or self._is_hopeless(part, patience)):
                limit = f", or a tree of more than {self._longest:,} bytes, the limit"
                self._report("bracket never closed" + (limit if len(part) >= self._longest else ""), part, 0)
                used = part.find(b"\n(") + 1 or len(part)
                size, patience = CHUNK, max(patience // 2, 4 * CHUNK)  # many in a row: lose it sooner
            elif part or not cut:
                size *= 2
            self._advance(part, used)
            buffer = buffer[used:]

    def _trees(self, part: bytes) -> Generator[Tree, None, bytes]:
        """The whole trees of a part. Reports what is stray among them; returns what follows the last such."""
        while True:
            try:
                yield from self._grow(part)
                return part
            except _Stray:
                done = self._last[2] if self._last[0] is part else 0
                trees, (what, start, stop) = outline(part)
                clean = trees[done - 1][1] if done else 0
                self._advance(part, clean)
                yield from self._grow(part[clean:start])
                self._report(what, part[clean:], start - clean)
                self._advance(part[clean:], stop - clean)
                part = part[stop:]
            except UnicodeDecodeError as error:
                what = (
                    f"not {self._encoding} text (byte 0x{error.object[error.start]:02x}): another encoding?"
                )
                raise self._error(what, part, part.find(error.object) + error.start) from None

    def _grow(self, part: bytes) -> Iterator[Tree]:
        """The whole trees of a part; how many nodes are left open at its end goes to ``_open``.

        A label waits in `tag` until it is known what follows: a word makes it a preterminal; anything else
        makes it a phrase, the new `top`.
        """
        if b"\0" in part:
            raise self._error("a binary file (it has a NUL byte)", part, part.index(b"\0"))
        trees, used = read_plain(part)
        for number, tree in enumerate(trees, 1):
            yield self._whole(tree, False, part, number)
        number = len(trees)  # of the last tree in the part
        trees.clear()
        new, kind = list.__new__, Tree  # `new` takes a third of the time of `Tree`
        top: Any = trees
        stack: list[Any] = []  # the ancestors of `top`, from `trees` on
        push, pop = stack.append, stack.pop
        tag: str | None = None
        position = 0  # of the next word in its tree
        mixed = False  # whether the tree has words that this loop does not number
        try:
            for text, closed in map(TOKENS.__getitem__, part[used:].split()):
                if not closed:
                    if tag is not None:
                        node = new(kind)
                        node._label = tag
                        top.append(node)
                        push(top)
                        top = node
                    tag = text
                    continue
                if tag and closed > 0:
                    node = new(kind)
                    node._label = tag
                    node.append(text)
                    node._span = position
                    top.append(node)
                    position += 1
                    tag = None
                    if closed > 1:
                        if closed > 2:
                            del stack[2 - closed :]
                        top = pop()
                    if top is trees:
                        number += 1
                        yield self._whole(trees.pop(), mixed, part, number)
                        position, mixed = 0, False
                    continue
                pieces = split_token(text + ")" * closed, tag)
                if tag == "" and pieces and pieces[0] != ")" and text[:1] != "(":
                    tag = None  # its label was still to come
                for piece in pieces:
                    if tag is not None:
                        top.append(Tree(tag, ()))
                        tag = None
                        push(top)
                        top = top[-1]
                    if piece == ")":
                        top = pop()
                        if top is trees:
                            number += 1
                            yield self._whole(trees.pop(), mixed, part, number)
                            position, mixed = 0, False
                    elif piece[0] == "(":
                        tag = intern(piece[1:])
                    elif top is not trees:
                        top.append(piece)
                        mixed = True
                    else:
                        raise _Stray
        except IndexError:  # a pop too many
            raise _Stray from None
        self._open = len(stack) + (tag is not None)

    def _is_hopeless(self, part: bytes, patience: int) -> bool:
        """Whether a tree that is still open after so much text was never closed, or is too long."""
        return len(part) >= self._longest or (len(part) >= patience and b"\n(" in part)

    def _whole(self, tree: Tree, mixed: bool, part: bytes, number: int) -> Tree:
        self._last = part, self._line, number
        if mixed:
            tree.set_spans()
        return tree

    # ---- positions and errors ------------------------------------------------------------------------

    def _position(self, part: bytes, offset: int) -> tuple[int, int]:
        """Line, from 1, and column in characters, from 0, of a byte of the part."""
        lines = part.count(b"\n", 0, offset)
        column = len(part[part.rfind(b"\n", 0, offset) + 1 : offset].decode(errors="replace"))
        return self._line + lines, column + (0 if lines else self._column)

    def _advance(self, part: bytes, used: int) -> None:
        self._line, self._column = self._position(part, used)

    def _error(self, what: str, part: bytes, offset: int) -> BracketError:
        line, column = self._position(part, offset)
        return BracketError(what, self.source, line, column + 1)

    def _report(self, what: str, part: bytes, offset: int) -> None:
        error = self._error(what, part, offset)
        if not self._skip_bad:
            raise error
        self.errors.append(error)


def _character_start(text: bytes, place: int) -> int:
    """The place, or one before it, at which a character of UTF-8 starts."""
    while 0 < place < len(text) and text[place] & 0xC0 == 0x80:
        place -= 1
    return min(place, len(text))


def read_trees(
    path: str | PathLike[str] | IO[Any] | Iterable[str],
    *,
    encoding: str = "utf-8",
    skip_bad: bool = False,
    source: str | None = None,
) -> Iterator[Tree]:
    """The trees of a file, one at a time: `TreeReader`, for those who need neither lines nor errors."""
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
        raise BracketError("no tree here")
    if next(trees, None) is not None:
        raise BracketError("a second tree, where one was expected", line=reader.line)
    return tree
