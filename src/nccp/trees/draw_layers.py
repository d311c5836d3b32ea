"""Drawings of layered trees: in the terminal, as SVG, in LaTeX (TikZ).

All three put words into columns and a cell over the middle of its words, one row per layer.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from nccp.trees.draw_latex import latex_text
from nccp.trees.draw_svg import LABEL_SIZE, STYLE, num, text_width
from nccp.trees.draw_text import Pieces, branch_line, columns, join_pieces
from nccp.trees.layer_grid import Cell, LayerGrid
from nccp.trees.layout import visible

_ROW, _MARGIN, _GAP, _SIDE = 44, 16, 14, 30  # pixels: from layer to layer, around, between, for the numbers
_LAYER_STYLE = """
.nccp-tree .sub,.nccp-tree .pos{font-weight:400;fill:#64748b}
.nccp-tree .empty{font-weight:400;fill:#b6bfca}
.nccp-tree .relay{font-weight:400}
.nccp-tree .edge.relay{stroke-dasharray:3 3}
.nccp-tree .number{font-size:11px;fill:#9aa7b8}
.nccp-tree .note{font-size:13px;fill:#d55e00}"""


class _Places(NamedTuple):
    """Where each layer's cells and each word have their middle, and how wide all is."""

    layers: list[list[float]]
    words: list[float]
    width: float


def draw_layers_text(grid: LayerGrid) -> str:
    """Layers in box-drawing characters.

    ::

        2              S
                 ┌─────┴─────┐
        1       NP→         ←VP
              ┌──┴──┐      ┌──┴──┐
        0   #DT→  ←#NN  #VBD→  ←ADVP
              DT    NN    VBD    RB
             the   cat    sat   down
    """
    places = _place(grid, lambda text, _: columns(text), 2)
    side = len(str(len(grid.layers))) + 2
    rows: list[Pieces] = [[(side, grid.note)]] if grid.note else []
    for j in range(len(grid.layers) - 1, -1, -1):
        centers, below = places.layers[j], places.layers[j - 1] if j else []
        line: Pieces = [(0, str(j))]
        branches: Pieces = []
        for center, cell in zip(centers, grid.layers[j]):
            line.append((side + int(center - columns(cell.text) / 2), visible(cell.text)))
            if cell.children:
                ends = [side + int(below[child] - 0.5) for child in cell.children]
                branches.append(branch_line(side + int(center - 0.5), ends))
        rows.append(line)
        if j:
            rows.append(branches)
    for texts in (grid.tags, grid.words):
        shown = [visible(text) for text in texts]
        rows.append([(side + int(x - columns(text) / 2), text) for x, text in zip(places.words, shown)])
    return "\n".join(map(join_pieces, rows))


def draw_layers_svg(grid: LayerGrid) -> str:
    """Layers as an SVG document: relays have dashed lines, ``_X``, ``#X`` and ``<0>`` are grey."""
    places = _place(grid, text_width, _GAP)
    top = len(grid.layers) - 1
    above = _MARGIN + LABEL_SIZE + (24 if grid.note else 0)
    width, height = places.width + 2 * _MARGIN + _SIDE, above + top * _ROW + 46 + _MARGIN
    size = f'width="{num(width)}" height="{num(height)}"'
    name = escape(visible(" ".join(grid.words)))

    def x(value: float) -> str:
        return num(_MARGIN + _SIDE + value)

    def y(layer: int, shift: float = 0) -> str:
        return num(above + (top - layer) * _ROW + shift)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nccp-tree" role="img" aria-label="{name}" {size} '
        f'viewBox="0 0 {num(width)} {num(height)}">',
        f"<title>{name}</title>\n<style>\n{STYLE}{_LAYER_STYLE}\n</style>",
    ]
    if grid.note:
        start = f'style="text-anchor:start" x="{_MARGIN}"'
        lines.append(f'<text class="note" {start} y="{_MARGIN + LABEL_SIZE}">{escape(grid.note)}</text>')
    for j, cells in enumerate(grid.layers):
        lines.append(f'<text class="number" x="{_MARGIN}" y="{y(j)}">{j}</text>')
        for center, cell in zip(places.layers[j], cells):
            relay = " relay" if len(cell.children) == 1 else ""
            for child in cell.children:
                path = f"M{x(center)} {y(j, 6)}L{x(places.layers[j - 1][child])} {y(j - 1, -LABEL_SIZE)}"
                lines.append(f'<path class="edge{relay}" d="{path}"/>')
            look = f"phrase {cell.kind}{relay}"
            text = escape(visible(cell.text))
            lines.append(f'<text class="{look}" x="{x(center)}" y="{y(j)}">{text}</text>')
    for center, word, tag in zip(places.words, grid.words, grid.tags):
        lines.append(f'<text class="tag" x="{x(center)}" y="{y(0, 22)}">{escape(visible(tag))}</text>')
        lines.append(f'<text class="word" x="{x(center)}" y="{y(0, 44)}">{escape(visible(word))}</text>')
    return "\n".join([*lines, "</svg>\n"])


_TIKZ_KINDS = {"constituent": "", "sub": "gray", "pos": "gray", "empty": "lightgray"}


def draw_layers_latex(grid: LayerGrid) -> str:
    r"""Layers as a TikZ picture to paste into a paper: ``\usepackage{tikz}``."""
    places = _place(grid, text_width, _GAP)

    def at(value: float, row: float) -> str:
        return f"({value / 36:.2f},{row:.1f})"

    lines = ["% \\usepackage{tikz}", "\\begin{tikzpicture}[inner sep=2pt, every node/.style={font=\\small}]"]
    for j, cells in enumerate(grid.layers):
        lines.append(f"\\node[gray] at {at(-_SIDE, j)} {{{j}}};")
        for i, (center, cell) in enumerate(zip(places.layers[j], cells)):
            colour = _TIKZ_KINDS[cell.kind]
            lines.append(f"\\node[{colour}] (c{j}-{i}) at {at(center, j)} {{{_tikz_text(cell)}}};")
            style = "[dashed]" if len(cell.children) == 1 else ""
            lines += [f"\\draw{style} (c{j}-{i}) -- (c{j - 1}-{child});" for child in cell.children]
    for center, word, tag in zip(places.words, grid.words, grid.tags):
        lines.append(f"\\node[gray] at {at(center, -0.5)} {{{latex_text(tag)}}};")
        lines.append(f"\\node at {at(center, -0.9)} {{{latex_text(word)}}};")
    if grid.note:
        lines.append(f"\\node[right] at {at(0, len(grid.layers))} {{{latex_text(grid.note)}}};")
    return "\n".join([*lines, "\\end{tikzpicture}\n"])


def _tikz_text(cell: Cell) -> str:
    label = latex_text(cell.label)
    if cell.points:
        arrow = f"$\\{cell.points}arrow$"
        return label + arrow if cell.points == "right" else arrow + label
    return ("[" if cell.opens else "") + label + ("]" if cell.closes else "")


def _place(grid: LayerGrid, measure: Callable[[str, bool], float], gap: float) -> _Places:
    """Columns of words wide enough for every cell over them; a cell is centred over its words."""
    widths = [
        max(measure(visible(word), True), measure(visible(tag), False))
        for word, tag in zip(grid.words, grid.tags)
    ]
    for cells in grid.layers:
        for cell in cells:
            needed = measure(visible(cell.text), False)
            if grid.is_triangle:  # every cell is one column wide
                widths = [max(width, needed) for width in widths]
                continue
            span = range(cell.start, cell.end)
            lacking = needed - sum(widths[i] for i in span) - gap * (len(span) - 1)
            if lacking > 0:
                for i in span:
                    widths[i] += lacking / len(span)
    lefts, edge = [], 0.0
    for width in widths:
        lefts.append(edge)
        edge += width + gap
    layers = [
        [(lefts[cell.start] + lefts[cell.end - 1] + widths[cell.end - 1]) / 2 for cell in cells]
        for cells in grid.layers
    ]
    words = [left + width / 2 for left, width in zip(lefts, widths)]
    return _Places(layers, words, edge - gap)
