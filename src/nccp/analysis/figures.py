"""The paper's figures of treebanks: compression ratio by layer length, and nodes by sentence length.

For print: the width of a two-column page, fonts that matplotlib brings along (the same on every machine),
Okabe and Ito's colours (readable with colour blindness and in grey), the same bytes each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nccp.analysis.figure_style import BLACK, BLUE, FORMATS, GREY, RED, STYLE, WIDTH, save_figures
from nccp.analysis.statistics import MULTI, FactorStatistics, Statistics
from nccp.errors import need

Rows = Mapping[str, Mapping[str, FactorStatistics]]
"""Of each treebank, the statistics by factor."""

TITLES = {MULTI: "multi-branching"}

_PANEL = 1.75  # inches: the height of a panel
_COLUMNS = 3  # of a single treebank's panels; of several, each has a row
_WIDE = 1.5 * WIDTH


def draw_figures(
    treebanks: Mapping[str, Statistics], folder: str | Path, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """Write ``ratios`` and ``nodes`` into ``folder`` in each format; the paths written.

    Where there are grouped statistics, ``ratios-grouped`` and ``nodes-grouped`` too. Several treebanks have
    a row of panels each. All figures are drawn before the first is written.
    """
    matplotlib = need("matplotlib", "plots", "nccp stats --plot")
    plain = {name: one.factors for name, one in treebanks.items()}
    grouped = {name: one.grouped for name, one in treebanks.items() if one.grouped}
    with matplotlib.rc_context(STYLE):
        figures = {"ratios": ratio_figure(plain), "nodes": node_figure(plain)}
        if grouped:
            figures |= {"ratios-grouped": ratio_figure(grouped), "nodes-grouped": node_figure(grouped)}
    return save_figures(figures, folder, formats)


def ratio_figure(rows: Rows) -> Any:
    """Figure "level_ratio": a dot for each pair of lengths that follow each other, by how often they do.

    A matplotlib figure in matplotlib's current style, for notebooks; so is :func:`node_figure`.
    """
    tables = [one.transitions for row in rows.values() for one in row.values()]
    most = max(int(table[:, 2].max(initial=1)) for table in tables)
    longest = max(int(table[:, 0].max(initial=2)) for table in tables)
    right = longest * 1.15

    def area(count: float) -> float:
        """By the root of the count: the rarest still shows, the commonest does not cover the panel."""
        return 0.35 + 60 * math.sqrt(count / most)

    def panel(axes: Any, one: FactorStatistics, row: Mapping[str, FactorStatistics]) -> None:
        length, following, count = one.transitions.T
        _bubbles(axes, length, following / length, count, area, BLUE)
        if ratio := one.ratio():
            axes.axhline(ratio.mean, color=RED, linewidth=1.1)
            low, high = ratio.mean - ratio.deviation, ratio.mean + ratio.deviation
            axes.axhspan(low, high, color=RED, alpha=0.10, linewidth=0, zorder=0.5)
            _note(axes, "right", f"${ratio.mean:.2f} \\pm {ratio.deviation:.2f}$", RED)
        axes.set(xscale="log", xlim=(1.7, right), ylim=(0, 1.02), yticks=[0, 0.25, 0.5, 0.75, 1])
        ticks = [tick for tick in (2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000) if tick <= right]
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.minorticks_off()

    figure, grid = _panels(rows, panel, "layer length", "compression ratio", title_pad=4)
    steps = [10**power for power in range(int(math.log10(most)) + 1)]
    legend = {f"{step:,} layer{'s' * (step > 1)}": _dots(grid[0], area(step), BLUE) for step in steps}
    legend["mean ± deviation"] = _line(grid[0], RED)
    _legend(figure, grid, legend)
    return figure


def node_figure(rows: Rows) -> Any:
    """Figure "complexity": nodes of all layers by words, with the linear and the quadratic regression.

    As in the paper, colour tells the sign of the quadratic term: red where the curve bends upwards. The
    dotted line is what a chart parser would fill, n(n+1)/2. Each treebank has its own scale.
    """
    dashes = (0, (4, 2))
    signs = set()

    def panel(axes: Any, one: FactorStatistics, row: Mapping[str, FactorStatistics]) -> None:
        longest = max(int(other.sentences[:, 0].max(initial=1)) for other in row.values())
        highest = max(float(other.sentences[:, 1].max(initial=1)) for other in row.values())
        words = np.linspace(1, longest, 200)
        length, nodes, count = one.sentences.T
        _bubbles(axes, length, nodes, count, lambda count: 1.5 * math.sqrt(count), GREY)
        _line(axes, GREY, ":", words, words * (words + 1) / 2)
        if linear := one.regression(1):
            _line(axes, BLACK, "-", words, linear(words))
            if len(rows) == 1:
                _note(axes, "left", f"${linear.coefficients[0]:.2f}\\,n$", BLACK)
        if quadratic := one.regression(2):
            a, b, _ = quadratic.coefficients
            colour = RED if a > 0 else BLUE
            _line(axes, colour, dashes, words, quadratic(words))
            _note(axes, "right", f"${a:.4f}\\,n^2 {b:+.2f}\\,n$", colour)
            signs.add(colour)
        axes.set(xlim=(0, longest * 1.03), ylim=(0, highest * 1.05))
        axes.yaxis.set_major_formatter("{x:,.0f}")

    figure, grid = _panels(rows, panel, "sentence length", "nodes", title_pad=16)
    legend = {"sentences": _dots(grid[0], 4, GREY), "linear": _line(grid[0], BLACK)}
    for name, colour in (("quadratic, bending up", RED), ("quadratic, bending down", BLUE)):
        if colour in signs:
            legend[name] = _line(grid[0], colour, dashes)
    legend["triangular chart"] = _line(grid[0], GREY, ":")
    _legend(figure, grid, legend)
    return figure


Panel = Callable[[Any, FactorStatistics, Mapping[str, FactorStatistics]], None]


def _panels(rows: Rows, panel: Panel, x: str, y: str, title_pad: float) -> tuple[Any, list[Any]]:
    """A figure with a panel per treebank and factor, and its grid; cells left over are empty."""
    from matplotlib.figure import Figure

    several = len(rows) > 1
    cells = [(name, factor, one, row) for name, row in rows.items() for factor, one in row.items()]
    columns = max(map(len, rows.values())) if several else _COLUMNS
    lines = math.ceil(len(cells) / columns)
    size = (_WIDE if several else WIDTH, lines * _PANEL + 0.2)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(lines, columns, sharex="row", sharey="row", squeeze=False).ravel()
    for index, axes in enumerate(grid):
        if index >= len(cells):
            axes.axis("off")
            continue
        name, factor, one, row = cells[index]
        panel(axes, one, row)
        if index < columns or not several:
            axes.set_title(TITLES.get(factor, factor), pad=title_pad)
        if index + columns >= len(cells):  # the lowest of its column
            axes.set_xlabel(x)
            axes.xaxis.set_tick_params(labelbottom=True)
        if index % columns == 0:
            axes.set_ylabel(f"{name}\n{y}" if several else y)
    return figure, list(grid)


def _legend(figure: Any, grid: list[Any], entries: dict[str, Any]) -> None:
    """In the last cell if it is free, else in a line below."""
    names, handles = list(entries), list(entries.values())
    if grid[-1].axison:
        figure.legend(handles, names, loc="outside lower center", ncols=len(names), columnspacing=1.2)
    else:
        grid[-1].legend(handles, names, loc="center", labelspacing=0.7)


def _bubbles(axes: Any, x: Any, y: Any, count: Any, area: Callable[[float], float], colour: str) -> None:
    """Dots of an area by count, in steps of a quarter octave: dots of one size are one stamp in the file."""
    octaves = np.round(np.log2(count) * 4)
    for octave in np.unique(octaves)[::-1]:  # small ones on top
        here = octaves == octave
        _dots(axes, area(2 ** (octave / 4)), colour, x[here], y[here])


def _dots(axes: Any, area: float, colour: str, x: Any = (), y: Any = ()) -> Any:
    look = {"marker": "o", "linestyle": "", "color": colour, "alpha": 0.4, "markeredgewidth": 0}
    return axes.plot(x, y, markersize=math.sqrt(area), **look)[0]


def _line(axes: Any, colour: str, style: Any = "-", x: Any = (), y: Any = ()) -> Any:
    return axes.plot(x, y, color=colour, linestyle=style, linewidth=0.8 if style == ":" else 1.1)[0]


def _note(axes: Any, side: str, text: str, colour: str) -> None:
    """Coloured text above a panel, where it hides no dots."""
    x = 0.0 if side == "left" else 1.0
    axes.text(x, 1.03, text, color=colour, fontsize=8, ha=side, va="bottom", transform=axes.transAxes)
