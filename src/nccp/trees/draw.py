"""Drawings of trees and of their layers: for the terminal, as SVG, in LaTeX."""

from __future__ import annotations

from nltk.tree import Tree as NltkTree

from nccp.trees.draw_latex import STYLES, draw_latex
from nccp.trees.draw_layers import draw_layers_latex, draw_layers_svg, draw_layers_text
from nccp.trees.draw_svg import draw_svg, stack_svg
from nccp.trees.draw_text import draw_indented, draw_text
from nccp.trees.layer_grid import FORMS, LayerGrid, forest_grid, layer_grid, parsed_grid

__all__ = [
    "FORMS",
    "STYLES",
    "LayerGrid",
    "display_html",
    "display_svg",
    "draw_indented",
    "draw_latex",
    "draw_layers_latex",
    "draw_layers_svg",
    "draw_layers_text",
    "draw_svg",
    "draw_text",
    "forest_grid",
    "layer_grid",
    "parsed_grid",
    "stack_svg",
]


# In a notebook drawings are part of the page, so its text colour, light or dark, decides all others.
_PAGE_COLOURS = ";".join(
    (
        "--nccp-ink:currentColor",
        "--nccp-phrase:color-mix(in srgb,#3b82f6 75%,currentColor)",
        "--nccp-tag:color-mix(in srgb,currentColor 65%,transparent)",
        "--nccp-line:color-mix(in srgb,currentColor 45%,transparent)",
    )
)


def display_html(tree: NltkTree) -> str:
    """A tree as notebooks show it: in the colours of the page, light or dark; wide trees can be scrolled."""
    return f'<div style="overflow-x:auto;{_PAGE_COLOURS}">{draw_svg(tree)}</div>'


def display_svg(tree: NltkTree) -> str:
    """A tree for viewers that show only images, with a background, so that it is readable everywhere."""
    return draw_svg(tree, background=True)
