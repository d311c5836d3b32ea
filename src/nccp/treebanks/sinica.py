"""The Sinica Treebank (sample): one tree per line, with roles and heads in the brackets.

::

    #3:3.[39029] S(agent:NP(Head:Nhaa:我)|Head:VC2:看|goal:NP(Head:Nab:書))#。(PERIODCATEGORY)

               S
        _______|______
       NP     VC2     NP          the roles (agent, Head, goal) and the punctuation after # are left out
       |       |      |
      Nhaa     看    Nab
       |              |
       我             書

There is no published split; ours goes by the last digit of the line number: 8 dev, 9 test, the rest train.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nccp.errors import BracketError, InputError
from nccp.treebanks.text_files import first_line, read_text
from nccp.treebanks.treebank import Entry, Source, Treebank
from nccp.trees import Tree

_PREFIX = re.compile(r"#[^\s\[]*\[\d*\]\s*")
_TOKEN = re.compile(r"(?P<node>[^()|]*)\(|(?P<word>[^()|]+)|(?P<close>\))|(?P<bar>\|)")
_NAME = re.compile(r"[^\s#]+")
_DIGITS = {8: "dev", 9: "test"}


class Sinica(Treebank):
    """One file of lines."""

    name = "sinica"
    looks_for = "a file of lines such as #1:1.[2] NP(Head:Nab:...)#"
    splits_files = True  # the whole treebank is one file

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        return tuple(file for file in source.files if _PREFIX.match(first_line(file)))

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        return {"train": files, "dev": files, "test": files}

    def trees(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        """The tree of each line; malformed lines raise, or go into ``bad``."""
        for number, line in enumerate(read_text(file).split("\n"), 1):
            if not line.strip():
                continue
            try:
                tree = parse_line(line, str(file), number)
            except BracketError as error:
                if bad is None:
                    raise
                bad.append(error)
            else:
                yield Entry(tree, f"{file.stem}#{number}", file, number)

    def split_of(self, entry: Entry) -> str:
        return _DIGITS.get(entry.line % 10, "train")


def parse_line(line: str, source: str = "<text>", number: int = 1) -> Tree:
    """The tree of one line: labels without roles, tags, words."""

    def fail(what: str, at: int) -> BracketError:
        return BracketError(what, source, number, at + 1)

    prefix = _PREFIX.match(line)
    if prefix is None:
        raise fail("a line of Sinica starts with #number.[number]", 0)
    end = line.find("#", prefix.end())
    if end < 0:
        raise fail("no # after the tree", len(line.rstrip()))

    path = [Tree("", [])]  # the open nodes; the outermost stands for the line
    due = True  # a node or a word must come next: at the start, after ( and after |
    for match in _TOKEN.finditer(line, prefix.end(), end):
        kind, start = match.lastgroup, match.start()
        if len(path) == 1 and not due:
            raise fail("more after the end of the tree", start)
        if due and kind in ("close", "bar"):
            raise fail("a node is missing here", start)
        if not due and kind in ("node", "word"):
            raise fail("| is missing here", start)
        if kind == "node":  # role:label(
            node = Tree(match["node"].rpartition(":")[2], [])
            if not _NAME.fullmatch(node.label()):
                raise fail("a bracket without a label", start)
            path[-1].append(node)
            path.append(node)
        elif kind == "word":  # role:tag:word
            tag, word = match["word"].split(":")[-2:] if ":" in match["word"] else ("", "")
            if len(path) == 1 or not _NAME.fullmatch(tag) or not _NAME.fullmatch(word):
                raise fail("not role:tag:word", start)
            path[-1].append(Tree(tag, [word]))
        elif kind == "close":
            path.pop()
        due = kind in ("node", "bar")
    if len(path) > 1:
        raise fail("bracket never closed", prefix.end())
    if due:
        raise fail("no tree in this line", prefix.end())
    return path[0][0]  # type: ignore[no-any-return]
