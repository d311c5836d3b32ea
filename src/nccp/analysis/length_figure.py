"""Figure "score" of the paper: F1 by sentence length, a line per model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nccp.analysis.figure_style import COLOURS, GREY, MARKERS, STYLE, WIDTH, save_figure
from nccp.errors import need
from nccp.scoring import Score

_FEW = 10  # sentences: a bin with fewer is drawn hollow


def draw_lengths(scores: Mapping[str, Score], path: str | Path) -> Path:
    """Write the figure; the ending of ``path`` says in which format."""
    matplotlib = need("matplotlib", "plots", "nccp evaluate --plot")
    with matplotlib.rc_context(STYLE):
        figure = length_figure(scores)
    return save_figure(figure, path)


def length_figure(scores: Mapping[str, Score]) -> Any:
    """A matplotlib figure in matplotlib's current style: lines of F1, and how many sentences a bin has."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(0.8 * WIDTH, 0.55 * WIDTH), layout="constrained")
    axes, counts = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    for index, (name, score) in enumerate(scores.items()):
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        bins = score.by_length()
        middles = [(low + high) / 2 for low, high in bins]
        values = [total.f1 for total in bins.values()]
        axes.plot(middles, values, color=colour, label=f"{name} ({score.f1:.2f})", linewidth=1.1)
        for x, y, total in zip(middles, values, bins.values()):
            fill = "white" if total.sentences < _FEW else colour
            axes.plot(x, y, marker, color=colour, markerfacecolor=fill, markersize=4)
    if scores:
        bins = next(iter(scores.values())).by_length()
        middles = [(low + high) / 2 for low, high in bins]
        counts.bar(middles, [total.sentences for total in bins.values()], width=8, color=GREY, alpha=0.5)
        counts.set_xticks(middles, [f"{low}–{high}" for low, high in bins], rotation=30, ha="right")
    axes.set_ylabel("F1")
    counts.set(xlabel="words in a sentence", ylabel="sentences")
    axes.legend(loc="lower left")
    return figure
