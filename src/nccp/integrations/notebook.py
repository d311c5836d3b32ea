"""Trees in notebooks, in the colours of the notebook, light or dark.

A single parse or tree is drawn where it is the value of a cell. Several are drawn by `render`::

    nccp.render(parser.parse_text("The cat sat. It slept."))

After ``%load_ext nccp.integrations.notebook``, lists of parses or trees are drawn without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from nccp.decoding import Parse
from nccp.trees import Tree
from nccp.trees.draw import display_html

Drawable = Parse | Tree


class Drawings:
    """Trees that a notebook draws; ``html`` is a fragment for any page."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self._text = html, text

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self._text


def render(parses: Drawable | Iterable[Drawable], *, limit: int = 50) -> Drawings:
    """Draw one parse or tree, or several below each other, at most ``limit`` of them."""
    many = [parses] if isinstance(parses, (Parse, Tree)) else list(islice(parses, limit + 1))
    shown, more = many[:limit], len(many) > limit
    trees = [one.tree if isinstance(one, Parse) else one for one in shown]
    note = f"<p>Only the first {limit:,} are shown.</p>" if more else ""
    html = "".join(display_html(tree) if tree is not None else "<p>(no words)</p>" for tree in trees)
    text = "\n".join(map(repr, shown)) + (f"\n(only the first {limit:,} are shown)" if more else "")
    return Drawings(f"<div>{html}{note}</div>", text)


def load_ipython_extension(ipython: Any) -> None:
    """``%load_ext nccp.integrations.notebook``: draw lists of parses or trees."""
    ipython.display_formatter.formatters["text/html"].for_type(list, _list_html)


def unload_ipython_extension(ipython: Any) -> None:
    """``%unload_ext nccp.integrations.notebook``."""
    ipython.display_formatter.formatters["text/html"].pop(list, None)


def _list_html(values: list[Any]) -> str | None:
    """None, which leaves a list as it is, unless all its items are parses or trees."""
    drawable = bool(values) and all(isinstance(value, (Parse, Tree)) for value in values)
    return render(values).html if drawable else None
