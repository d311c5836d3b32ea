r"""Trees for papers: LaTeX with the forest or the qtree package."""

from __future__ import annotations

import re
from typing import Any

from nltk.tree import Tree as NltkTree

from nccp.errors import InputError
from nccp.trees.layout import visible

STYLES = ("forest", "qtree")

_SPECIAL = {letter: f"\\{letter}" for letter in "{}$&#%_"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "-": "-{}",  # or "--" would become a dash; and so on
    "?": "?{}",
    "!": "!{}",
    ",": ",{}",
}
_SPECIALS = re.compile(r"[{}$&#%_\\~^<>|\"]|-(?=-)|[?!](?=`)|,(?=,)")
_FOREST_PLAIN, _QTREE_PLAIN = re.compile(r"[\w$+\-]+"), re.compile(r"[^\s\[\].{}\\]+")
_HEADS = {
    "forest": "% \\usepackage{forest}\n\\begin{forest}\nfor tree={inner sep=2pt, l sep=10pt, s sep=6pt}\n",
    "qtree": "% \\usepackage{tikz-qtree}  % plain qtree loses trees with more than five children\n\\Tree ",
}
_TAILS = {"forest": "\n\\end{forest}\n", "qtree": "\n"}


def draw_latex(tree: NltkTree, style: str = "forest") -> str:
    r"""A tree to paste into a paper, in the ``forest`` or the ``qtree`` style.

    ::

        [S                            [.S
          [NP [DT [the]]                [.NP [.DT the ]
            [NN [dog]]]                   [.NN dog ] ]
          [VP [VBZ [barks]]]]           [.VP [.VBZ barks ] ] ]

    Special characters are escaped. Letters beyond Latin, and fonts for them, are a matter of the document
    (XeLaTeX or LuaLaTeX for Japanese and Chinese).
    """
    if style not in STYLES:
        raise InputError(f"no LaTeX style {style!r}: there are {' and '.join(STYLES)}")
    return _HEADS[style] + "".join(_nodes(tree, style == "qtree")) + _TAILS[style]


def latex_text(text: str) -> str:
    """Plain text as LaTeX that prints just that."""
    return _SPECIALS.sub(lambda match: _SPECIAL[match[0]], visible(text))


def _nodes(tree: NltkTree, qtree: bool) -> list[str]:
    opening, closing = ("[.", " ]") if qtree else ("[", "]")
    pieces: list[str] = []
    stack: list[tuple[Any, int]] = [(tree, 0)]
    while stack:
        node, level = stack.pop()
        if node is None:
            pieces.append(closing)
        elif isinstance(node, NltkTree):
            lead = "\n" + "  " * min(level, 40) if level else ""
            pieces.append(lead + opening + _braced(node.label(), qtree))
            stack.append((None, 0))
            stack += [(child, level + 1) for child in reversed(node)]
        else:
            word = _braced(node, qtree)
            pieces.append(f" {word}" if qtree else f" [{word}]")
    return pieces


def _braced(text: object, qtree: bool) -> str:
    """A label or word, in braces where the package would otherwise split it."""
    escaped = latex_text(str(text))
    return escaped if (_QTREE_PLAIN if qtree else _FOREST_PLAIN).fullmatch(escaped) else f"{{{escaped}}}"
