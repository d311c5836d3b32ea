"""Figure "speed" of the paper: linear and squared complexity, as training speed and memory by length."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nccp.analysis.figure_style import COLOURS, GREY, MARKERS, STYLE, WIDTH, save_figure
from nccp.errors import need


def draw_formats(results: Sequence[dict[str, Any]], path: str | Path) -> Path:
    """Write the figure of `benchmark_formats`; the ending of ``path`` says in which format."""
    matplotlib = need("matplotlib", "plots", "nccp bench --plot")
    with matplotlib.rc_context(STYLE):
        figure = format_figure(results)
    return save_figure(figure, path)


def format_figure(results: Sequence[dict[str, Any]]) -> Any:
    """Sentences per second by batch length and, if measured, the memory that batches of a length need."""
    from matplotlib.figure import Figure

    with_memory = any("longest" in result for result in results)
    panels = 2 if with_memory else 1
    figure = Figure(figsize=(WIDTH * (0.4 + 0.3 * panels), 2.3), layout="constrained")
    speed, *memory = figure.subplots(1, panels, squeeze=False)[0]
    for index, result in enumerate(results):
        look = {
            "color": COLOURS[index],
            "marker": MARKERS[index],
            "markersize": 3.5,
            "label": result["format"],
        }
        bins = result["by_length"]
        middles = [(one["from"] + one["to"]) / 2 for one in bins]
        speed.plot(middles, [one["sentences_per_second"] for one in bins], **look)
        if memory and "longest" in result:
            tried = result["longest"]["tried"]
            memory[0].plot(
                [one["words"] for one in tried], [one["peak_memory"] / 1e9 for one in tried], **look
            )
            memory[0].axhline(result["longest"]["memory"] / 1e9, color=GREY, linestyle=":", linewidth=0.8)
    speed.set(xlabel="mean sentence length of a batch", ylabel="sentences/s in training", ylim=(0, None))
    speed.legend()
    if memory:
        memory[0].set(xlabel="words in each sentence of a batch", ylabel="peak memory (GB)", ylim=(0, None))
    return figure
