"""What stands in bracket text: what a token is, what odd ones are made of, where trees start and end."""

from __future__ import annotations

import re
from sys import intern

_TABLE = 1 << 15  # tokens remembered

_PIECE = re.compile(r"\([^()]*|\)|[^()]+")
_OUTLINE = re.compile(rb"\(|\)+|[^\s()][^()\n]*")


class _Tokens(dict[bytes, tuple[str, int]]):
    """What a token is: ``(NP`` a label and 0; ``dog))`` a word and 2; any other its text and -1.

    Most tokens of a treebank occur again and again: this saves taking them apart, and decoding them.
    """

    def __missing__(self, token: bytes) -> tuple[str, int]:
        text = token.decode()
        word = text.rstrip(")")
        if text[0] == "(" and text.count("(") == 1 and ")" not in text and text.split() == [text]:
            kind = intern(text[1:]), 0
        elif word and word is not text and "(" not in word and ")" not in word:
            kind = word, len(text) - len(word)
        else:
            kind = text, -1
        if len(token) < 100:
            if len(self) >= _TABLE:
                self.clear()
            self[token] = kind
        return kind


TOKENS = _Tokens()


def split_token(token: str, tag: str | None) -> list[str]:
    """Brackets, openers with their label, and words of a token that is not of the usual kinds.

    ``tag`` is the label before it, if one waits: white space between that and a closing bracket is a word.
    """
    pieces: list[str] = []
    for piece in _PIECE.findall(token):
        if piece[0] == "(" or (tag == "" and not pieces and piece != ")"):
            label, *words = piece.removeprefix("(").split() or [""]
            pieces += [f"({label}", *words]
        elif not piece.isspace() or (tag and not pieces and token.startswith(piece + ")")):
            pieces.append(piece)
    return pieces


def outline(part: bytes) -> tuple[list[tuple[int, int]], tuple[str, int, int]]:
    """Where the whole trees of a part start and end; then the first stray thing: what, its start and end."""
    trees: list[tuple[int, int]] = []
    depth = start = 0
    for match in _OUTLINE.finditer(part):
        at, end = match.span()
        if match[0] == b"(":
            start = start if depth else at
            depth += 1
        elif match[0][:1] == b")":
            closed = min(depth, end - at)
            if closed and closed == depth:
                trees.append((start, at + depth))
            depth -= closed
            if at + closed < end:
                return trees, ("closing bracket without an opening one", at + closed, end)
        elif not depth and (words := match[0].decode(errors="replace").split()):
            return trees, (f"text outside brackets: {words[0][:40]!r}", at, end)
    return trees, ("", len(part), len(part))


def tree_start(part: bytes, depth: int) -> int:
    """Where the tree starts that is still open, ``depth`` nodes deep, at the end of a part."""
    for offset, mark in enumerate(reversed(part), 1):
        if mark == 0x28:
            depth -= 1
            if not depth:
                return len(part) - offset
        elif mark == 0x29:
            depth += 1
    raise AssertionError("a tree is open that never started")
