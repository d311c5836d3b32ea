"""Trees to Penn brackets: what is written reads back as an equal tree, or is refused."""

from __future__ import annotations

import re
from typing import Any

from nltk.tree import Tree as NltkTree

from nccp.errors import TreeError
from nccp.trees.tree import Tree

_WORD = re.compile(r"[^ \t\n\r\f\v()]+")


def format_tree(tree: NltkTree) -> str:
    """One line of brackets, ``(S (NP (DT the)) ...)``, that reads back as an equal tree.

    Raises `TreeError` for what brackets cannot hold: a bracket or white space within a label or a word
    (see `escape_word`), an empty word, a word first under an empty label.
    """
    pieces: list[str] = []
    nodes = 0
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
            pieces.append(str(node))
    text = " ".join(pieces)
    plain = text.isascii() and text.isprintable() and not any(odd in text for odd in ("  ", "( ", " )"))
    if not plain or not nodes == text.count("(") == text.count(")") or text.count(" ") != len(pieces) - 1:
        _check(tree)  # something is unusual, if not wrong
    return text


def _check(tree: NltkTree) -> None:
    """Raise `TreeError` if the tree cannot be written in brackets."""
    for node in Tree.convert(tree).subtrees():
        label = str(node.label())
        if label and (label.split() != [label] or not _WORD.fullmatch(label)):
            raise TreeError(f"white space or a bracket in a label: {label!r}")
        for child in node:
            if isinstance(child, NltkTree):
                continue
            word = str(child)
            if not _WORD.fullmatch(word) or (word.isspace() and len(node) > 1):
                raise TreeError(f"an empty word, or white space or a bracket in a word: {word!r}")
            if not label and child is node[0]:
                raise TreeError(f"a word under an empty label would be read as the label: {word!r}")
