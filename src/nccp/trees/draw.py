"""Drawings of trees and of their layers: for the terminal, as SVG, in LaTeX."""

from __future__ import annotations

from nltk.tree import Tree as NltkTree

from nccp.trees.draw_latex import STYLES, draw_latex
from nccp.trees.draw_layers import draw_layers_latex, draw_layers_svg, draw_layers_text
from nccp.trees.draw_svg import draw_svg
from nccp.trees.draw_text import draw_indented, draw_text
from nccp.trees.layer_grid import FORMS, LayerGrid, forest_grid, layer_grid

__all__ = [
    "FORMS",
    "STYLES",
    "LayerGrid",
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
]


def display_svg(tree: NltkTree) -> str:
    """A tree as notebooks show it: on its own paper, so that it is readable whatever their colours."""
    return draw_svg(tree, background=True)
