"""Trees one can look at: in the terminal, as SVG, in LaTeX."""

from __future__ import annotations

from nltk.tree import Tree as NltkTree

from nccp.trees.draw_latex import STYLES, draw_latex
from nccp.trees.draw_svg import draw_svg
from nccp.trees.draw_text import draw_indented, draw_text

__all__ = ["STYLES", "display_svg", "draw_indented", "draw_latex", "draw_svg", "draw_text"]


def display_svg(tree: NltkTree) -> str:
    """A tree as notebooks show it: on its own paper, so that it is readable whatever their colours."""
    return draw_svg(tree, background=True)
