"""Where each node of a drawn tree goes, in characters or in pixels.

row 2          S                every subtree has a strip of its own, as wide as it needs, and strips
           ┌───┴───┐            stand side by side: nothing can overlap. A node sits one row above the
row 1      NP      │            highest of its children, so that all tags stand in row 0, right above
         ┌─┴─┐     │            their words, and the sentence reads along the bottom. A node is centred
row 0   DT  NN    VBZ           over its first and last child.
        the dog  barks
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nltk.tree import Tree as NltkTree


@dataclass(slots=True)
class Box:
    """A drawn node: a phrase, a tag with its word below, or a word without a tag."""

    label: str
    word: str = ""
    """Below the label, where there are no children."""
    node: Any = None
    """The Tree; None for a word beside phrases."""
    children: list[int] = field(default_factory=list)
    """Their places in the list of boxes."""
    row: int = 0
    """Counted from the bottom."""
    left: float = 0
    """Where the strip starts."""
    width: float = 0
    """Of the strip."""
    inset: float = 0
    """From the start of the strip to that of the first child's."""
    center: float = 0
    """Where the label's middle stands."""


Measure = Callable[[str, bool], float]
"""The width of a label (False) or of a word (True)."""


def lay_out(tree: NltkTree, measure: Measure, gap: float) -> list[Box]:
    """The boxes of a tree in their places, parents before children; the first is as wide as the drawing."""
    boxes = _boxes(tree)
    for box in reversed(boxes):  # children before parents: widths, and centers within the strip
        label = measure(box.label, False)
        if box.children:
            _widen(box, [boxes[child] for child in box.children], label, gap)
        else:
            box.width = max(label, measure(box.word, True))
            box.center = box.width / 2
    for box in boxes:
        edge = box.left + box.inset
        for child in box.children:
            boxes[child].left = edge
            edge += boxes[child].width + gap
        box.center += box.left
    return boxes


def _widen(box: Box, children: list[Box], label: float, gap: float) -> None:
    """Make the strip as wide as the children, and wider on the side where the label would stick out."""
    inner = sum(child.width for child in children) + gap * (len(children) - 1)
    middle = (children[0].center + inner - children[-1].width + children[-1].center) / 2
    box.inset = max(0.0, label / 2 - middle)
    box.width = box.inset + max(inner, middle + label / 2)
    box.center = box.inset + middle
    box.row = 1 + max(child.row for child in children)


def _boxes(tree: NltkTree) -> list[Box]:
    boxes: list[Box] = []
    stack: list[tuple[Any, int]] = [(tree, -1)]
    while stack:
        node, parent = stack.pop()
        if parent >= 0:
            boxes[parent].children.append(len(boxes))
        if not isinstance(node, NltkTree):
            boxes.append(Box("", visible(str(node))))
            continue
        box = Box(visible(str(node.label())), node=node)
        if len(node) == 1 and not isinstance(node[0], NltkTree):
            box.word = visible(str(node[0]))
        else:
            stack += [(child, len(boxes)) for child in reversed(node)]
        boxes.append(box)
    return boxes


def visible(text: str) -> str:
    """The text with a visible sign for each invisible character, such as a line break."""
    if text.isprintable():
        return text
    return "".join(map(_sign, text))


def _sign(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Cc":
        return chr(0x2400 + ord(letter)) if ord(letter) < 0x20 else "\N{SYMBOL FOR DELETE}"
    if kind in ("Zl", "Zp", "Cs") or ord(letter) & 0xFFFE == 0xFFFE:
        return "\N{REPLACEMENT CHARACTER}"
    return letter
