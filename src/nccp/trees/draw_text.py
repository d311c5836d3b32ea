"""Trees in the terminal."""

from __future__ import annotations

import unicodedata
from typing import Any

from nltk.tree import Tree as NltkTree

from nccp.trees.layout import Box, lay_out, visible

_GAP = 2
_LARGEST = 4_000_000  # characters of a drawing
_ZERO = {"Mn", "Me", "Cf"}


def draw_text(tree: NltkTree, width: int | None = None) -> str:
    """A tree in box-drawing characters.

    ::

                S                          S
          ┌─────┴─────┐                    ├─ NP
         NP          VP                    │  ├─ DT the
       ┌──┴──┐        │                    │  └─ NN dog
      DT    NN       VBZ                   └─ VP
      the   dog     barks                     └─ VBZ barks

    A tree wider than ``width`` columns, if given, is drawn in the form on the right.
    """
    boxes = lay_out(tree, lambda text, is_word: columns(text), _GAP)
    if width is not None and boxes[0].width > width:
        return draw_indented(tree, width)
    if boxes[0].width * 2 * (boxes[0].row + 1) > _LARGEST:
        return draw_indented(tree)
    return "\n".join(map(join_pieces, _paint(boxes)))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for a Chinese character, none for a combining mark."""
    if text.isascii():
        return len(text)
    count, joined = 0, False
    for letter in text:
        if not joined and unicodedata.category(letter) not in _ZERO:
            count += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        joined = letter == "\N{ZERO WIDTH JOINER}"  # the emoji after it is drawn into the one before
    return count


Pieces = list[tuple[int, str]]  # pieces of text and the column where each starts


def _paint(boxes: list[Box]) -> list[Pieces]:
    """Lines from the top: labels of a row, then the branches below it; last the words."""
    top = boxes[0].row
    lines: list[Pieces] = [[] for _ in range(2 * top + 2)]
    for box in boxes:
        line = 2 * (top - box.row)
        lines[line].append(_centered(box, box.label or ("·" if box.node is not None else "│")))
        if not box.children:
            lines[-1].append(_centered(box, box.word))
            continue
        children = [boxes[child] for child in box.children]
        lines[line + 1].append(branch_line(_column(box), [_column(child) for child in children]))
        for child in children:
            for passed in range(line + 2, 2 * (top - child.row)):
                lines[passed].append((_column(child), "│"))
    return lines


def _column(box: Box) -> int:
    return int(box.center - 0.5)


def _centered(box: Box, text: str) -> tuple[int, str]:
    return int(box.center - columns(text) / 2), text


def branch_line(parent: int, children: list[int]) -> tuple[int, str]:
    """The line between a node and its children, from the first column to the last."""
    if len(children) == 1 and children[0] == parent:
        return parent, "│"
    first, last = min(parent, children[0]), max(parent, children[-1])
    signs = ["─"] * (last - first + 1)
    for child in children:
        signs[child - first] = "┬"
    if len(children) > 1:
        signs[0], signs[-1] = "┌", "┐"
    else:  # moved by rounding
        signs[children[0] - first] = "┌" if children[0] < parent else "┐"
    signs[parent - first] = {"┬": "┼", "┌": "├", "┐": "┤"}.get(
        signs[parent - first], "┘" if parent == last else "└" if parent == first else "┴"
    )
    return first, "".join(signs)


def join_pieces(pieces: Pieces) -> str:
    text, end = "", 0
    for start, piece in sorted(pieces):
        text += " " * (start - end) + piece
        end = max(end, start) + columns(piece)
    return text.rstrip()


def draw_indented(tree: NltkTree, width: int = 100) -> str:
    """One line for each phrase and each tag with its word; indentation stops growing at half the width."""
    deepest = max(4, width // 6)  # levels of indentation
    lines: list[str] = []
    guides: list[str] = []  # of the levels above
    stack: list[tuple[Any, int, bool]] = [
        (tree, 0, True)
    ]  # node, level, whether it is its parent's last child
    while stack:
        node, level, is_last = stack.pop()
        del guides[max(0, level - 1) :]
        lead = ""
        if level:
            shown = guides[max(0, level - deepest) :]
            lead = ("… " if len(shown) < len(guides) else "") + "".join(shown) + ("└─ " if is_last else "├─ ")
            guides.append("   " if is_last else "│  ")
        if not isinstance(node, NltkTree):
            lines.append(lead + visible(str(node)))
        elif len(node) == 1 and not isinstance(node[0], NltkTree):
            lines.append(f"{lead}{visible(str(node.label()))} {visible(str(node[0]))}")
        else:
            lines.append((lead + (visible(str(node.label())) or "·")).rstrip())
            last = len(node) - 1
            stack += [(node[i], level + 1, i == last) for i in range(last, -1, -1)]
    return "\n".join(lines)
