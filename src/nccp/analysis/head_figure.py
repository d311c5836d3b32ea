"""Table "head" of the paper as a figure: a bar per parent, divided by which child is the heaviest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nccp.analysis.figure_style import BLACK, GREY, STYLE, WIDTH, save_figure
from nccp.analysis.heads import Heads, ranked
from nccp.errors import need

_COLOURS = {  # Okabe and Ito's, and what is written on them
    "#0072B2": "white",
    "#E69F00": BLACK,
    "#009E73": "white",
    "#CC79A7": BLACK,
    "#56B4E9": BLACK,
    "#D55E00": "white",
}
_BAR = 0.34  # inches
_LETTER = 0.0145  # of a bar: the width of a letter; a part that cannot hold its name is grey


def draw_heads(heads: Heads, path: str | Path, *, min_count: int = 1, parents: int = 10) -> Path:
    """Write the figure; the ending of ``path`` says in which format."""
    matplotlib = need("matplotlib", "plots", "nccp heads --figure")
    with matplotlib.rc_context(STYLE):
        figure = head_figure(heads, min_count=min_count, parents=parents)
    return save_figure(figure, path)


def head_figure(heads: Heads, *, min_count: int = 1, parents: int = 10) -> Any:
    """A matplotlib figure in matplotlib's current style."""
    from matplotlib.figure import Figure

    rows = heads.frequent(min_count)[:parents]
    figure = Figure(figsize=(WIDTH, 0.7 + _BAR * max(len(rows), 1)), layout="constrained")
    axes = figure.subplots()
    for row, (_, parent) in enumerate(rows):
        start = 0.0
        for name, (colour, ink) in zip(ranked(parent), _COLOURS.items()):
            share = parent.heaviest[name] / parent.nodes
            if share < _LETTER * (len(name) + 1):
                break
            axes.barh(row, share, left=start, height=0.72, color=colour, linewidth=0)
            axes.text(start + share / 2, row, _plain(name), color=ink, ha="center", va="center", fontsize=7)
            start += share
        if start < 1:
            axes.barh(row, 1 - start, left=start, height=0.72, color=GREY, alpha=0.35, linewidth=0)
    axes.set_yticks(range(len(rows)), [f"{_plain(label)} ({parent.nodes:,})" for label, parent in rows])
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.4, -0.6), xlabel="share of the constituents")
    axes.set_title("heaviest child")
    axes.grid(axis="y", visible=False)
    return figure


def _plain(name: str) -> str:
    """``PRP$`` is no formula."""
    return (name or "(none)").replace("$", r"\$")
