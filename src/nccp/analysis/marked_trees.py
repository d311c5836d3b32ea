"""Drawn trees with some of their nodes marked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count

from nccp.trees import Tree
from nccp.trees.draw import draw_svg

_GROUP = re.compile("^<g ", re.MULTILINE)
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def draw_marked(tree: Tree, classes: Mapping[int, str], *, title: str | None = None) -> str:
    """`draw_svg`, with a CSS class on some nodes, by their number in ``tree.subtrees()``."""
    numbers = count()

    def opened(_: re.Match[str]) -> str:
        mark = classes.get(next(numbers))
        return f'<g class="{mark}" ' if mark else "<g "

    return _GROUP.sub(opened, draw_svg(tree, title=title))  # a node is a line, parents first


def stack(drawings: Sequence[str], style: str = "", gap: float = 24) -> str:
    """Drawings under each other in one SVG document."""
    sizes = [tuple(map(float, found.groups())) for one in drawings if (found := _SIZE.search(one))]
    width = max((width for width, _ in sizes), default=0)
    parts, y = [], 0.0
    for one, (_, height) in zip(drawings, sizes):
        parts.append(one.replace("<svg ", f'<svg y="{y:g}" ', 1))
        y += height + gap
    height = max(y - gap, 0)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
    return "\n".join(
        [f'{head} viewBox="0 0 {width:g} {height:g}">', f"<style>{style}</style>", *parts, "</svg>\n"]
    )
