"""Penn brackets: text to trees and back, streaming; errors carry file, line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from nltk.tree import Tree as NltkTree

from nccp.errors import BracketError, InputError
from nccp.trees.tree import Tree

_TOKEN = re.compile(r"\(|\)|[^ \t\n\r\f\v()]+")


class TreeReader:
    """Trees of a file, an open text file or an iterable of str chunks."""

    def __init__(self, lines_or_path: str | Path | TextIO | Iterable[str], *, encoding: str = "utf-8",
                 skip_bad: bool = False, source: str | None = None) -> None:
        self._input, self._encoding, self._skip_bad = lines_or_path, encoding, skip_bad
        name = lines_or_path if isinstance(lines_or_path, (str, Path)) else getattr(lines_or_path, "name", "<text>")
        self.source = source if source is not None else str(name)
        self.line = 0
        self.errors: list[BracketError] = []

    def __iter__(self) -> Iterator[Tree]:
        if isinstance(self._input, (str, Path)):
            try:
                text = Path(self._input).read_text(encoding=self._encoding)
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{self._input}: {error}") from None
        else:
            text = "".join(self._input)
        stack: list[Tree] = []
        starts: list[int] = []

        def bad(what: str, position: int) -> None:
            line = text.count("\n", 0, position) + 1
            error = BracketError(what, self.source, line, position - text.rfind("\n", 0, position))
            if not self._skip_bad:
                raise error
            self.errors.append(error)

        position, fresh = 0, False
        while match := _TOKEN.search(text, position):
            token, position = match.group(), match.end()
            if token == "(":
                stack.append(Tree("", []))
                starts.append(match.start())
                fresh = True
            elif token == ")":
                fresh = False
                if not stack:
                    bad("closing bracket without an opening one", match.start())
                    continue
                tree = stack.pop()
                start = starts.pop()
                if stack:
                    stack[-1].append(tree)
                else:
                    tree.set_spans()
                    self.line = text.count("\n", 0, start) + 1
                    yield tree
            elif not stack:
                bad(f"text outside brackets: {token!r}", match.start())
            elif fresh:
                stack[-1].set_label(token)
                fresh = False
            else:
                stack[-1].append(token)
        if stack:
            bad("bracket never closed", starts[0])


def read_trees(path: str | Path | TextIO | Iterable[str], **options: Any) -> Iterator[Tree]:
    """The trees of a file, one at a time."""
    return iter(TreeReader(path, **options))


def parse_trees(text: str, source: str = "<text>") -> list[Tree]:
    """All trees of a text."""
    return list(TreeReader([text], source=source))


def parse_tree(text: str) -> Tree:
    """The one tree of a text."""
    trees = parse_trees(text)
    if len(trees) != 1:
        raise BracketError(f"expected one tree, found {len(trees)}")
    return trees[0]


def format_tree(tree: Tree) -> str:
    """One line of brackets."""
    pieces: list[str] = []
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, NltkTree):
            pieces.append(f"({node._label}")
            stack.append(None)
            stack += reversed(node)
        elif node is None:
            pieces[-1] += ")"
        else:
            pieces.append(node)
    return " ".join(pieces)
