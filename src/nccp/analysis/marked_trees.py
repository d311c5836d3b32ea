"""Drawn trees with some of their nodes marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count

from nccp.trees import Tree
from nccp.trees.draw import draw_svg

_GROUP = re.compile("^<g ", re.MULTILINE)


def draw_marked(tree: Tree, classes: Mapping[int, str], *, title: str | None = None) -> str:
    """`draw_svg`, with a CSS class on some nodes, by their number in ``tree.subtrees()``."""
    numbers = count()

    def opened(_: re.Match[str]) -> str:
        mark = classes.get(next(numbers))
        return f'<g class="{mark}" ' if mark else "<g "

    return _GROUP.sub(opened, draw_svg(tree, title=title))  # a node is a line, parents first
