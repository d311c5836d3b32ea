"""The figures of sweeps: loss weights as a triangle, L/R interpolation as lines, variants as rows, a search
with one panel per key.

Which one a sweep gets follows from the keys it varies; the look is that of the other figures.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nccp.analysis.figure_style import BLUE, COLOURS, FORMATS, GREY, MARKERS, RED, STYLE, WIDTH, save_figures
from nccp.errors import InputError, need
from nccp.sweeps.results import Result, varied_keys

WEIGHTS = ("train.tag_weight", "train.label_weight", "train.joint_weight")
LEFT, RIGHT, SEED = "data.left", "data.right", "train.seed"

Sweeps = Mapping[str, Sequence[Result]]
_MANY = 6  # values of one key, each too rare for a row of its own


def draw_sweeps(sweeps: Sweeps, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write the figure that fits these sweeps into ``folder`` in each format; the paths written."""
    matplotlib = need("matplotlib", "plots", "nccp sweep show --plot")
    with matplotlib.rc_context(STYLE):
        name, figure = sweep_figure(sweeps)
    return save_figures({name: figure}, folder, formats)


def sweep_figure(sweeps: Sweeps) -> tuple[str, Any]:
    """The figure that fits these sweeps, and its name; of several (by treebank, say) a panel each.

    In matplotlib's current style.
    """
    done = {
        name: sorted((result for result in results if not result.failed), key=lambda result: result.trial)
        for name, results in sweeps.items()
    }
    done = {name: results for name, results in done.items() if results}
    if not done:
        raise InputError("no trial of this sweep has succeeded yet: there is nothing to draw")
    name, draw = _choose([result for results in done.values() for result in results])
    return name, draw(done)


def _choose(results: Sequence[Result]) -> tuple[str, Any]:
    common = set(results[0].overrides).intersection(*(result.overrides for result in results))
    if common.issuperset(WEIGHTS):
        return "loss-weights", weight_figure
    if LEFT in common:
        return "left-right", left_right_figure
    if any(len({str(result.overrides[key]) for result in results}) > _MANY for key in common - {SEED}):
        return "search", search_figure
    return "variants", variant_figure


def _panels(sweeps: Sweeps, width: float, height: float, draw: Callable[..., None]) -> Any:
    """A figure with a panel per sweep, side by side, titled if there are several."""
    from matplotlib.figure import Figure

    columns = min(3, len(sweeps))
    rows = math.ceil(len(sweeps) / columns)
    figure = Figure(figsize=(width * (1 + 0.6 * (columns - 1)), height * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in grid[len(sweeps) :]:
        axes.axis("off")
    for axes, (name, results) in zip(grid, sweeps.items()):
        draw(figure, axes, results)
        if len(sweeps) > 1:
            axes.set_title(name)
    return figure


def weight_figure(sweeps: Sweeps) -> Any:
    """Figure "loss_weight": a hexagon for each triple of coefficients, an arrow at the best.

    Right is more orientation (or chunk) loss, up is more label loss, and left more tag loss::

            label
             /\\
            /  \\
        tag ---- joint
    """
    return _panels(sweeps, 0.6 * WIDTH, 0.52 * WIDTH, _draw_weights)


def _draw_weights(figure: Any, axes: Any, results: Sequence[Result]) -> None:
    means = _means(results, WEIGHTS)
    x, y = zip(*map(_triangle, means))
    axes.set(xlim=(-0.06, 1.06), ylim=(-0.1, 1.0), aspect="equal")
    axes.axis("off")
    corners = [_triangle(corner) for corner in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    axes.plot(*zip(*corners, corners[0]), color=GREY, linewidth=0.8)
    for (corner_x, corner_y), text in zip(corners, ("tag", "label", "orientation or chunk")):
        above = corner_y > 0.5
        shift, side = (0.02, "bottom") if above else (-0.03, "top")
        axes.text(corner_x, corner_y + shift, text, ha="center", va=side)
    dots = axes.scatter(x, y, c=list(means.values()), s=150, marker="h", cmap="viridis", linewidths=0)
    figure.colorbar(dots, ax=axes, label="development F1", shrink=0.75)
    best = max(means, key=lambda weights: means[weights])
    axes.annotate(
        f"({', '.join(f'{weight:g}' for weight in best)})  {means[best]:.2f}",
        _triangle(best),
        (0.75, 0.8),
        fontsize=8,
        ha="center",
        arrowprops={"arrowstyle": "->", "color": RED},
    )


def _triangle(weights: Sequence[float]) -> tuple[float, float]:
    """Where a triple stands in a triangle of side 1 whose corners are tag, label (above) and joint."""
    total = sum(weights)
    _, label, joint = (weight / total for weight in weights)
    return joint + label / 2, label * math.sqrt(3) / 2


def left_right_figure(sweeps: Sweeps) -> Any:
    """Figure "cnf": F1 by the share of left-factored trees, a line for whatever else is varied (depth)."""
    return _panels(sweeps, 0.75 * WIDTH, 0.45 * WIDTH, _draw_left_right)


def _draw_left_right(figure: Any, axes: Any, results: Sequence[Result]) -> None:
    lines: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        lines[_others(result)].append(result)
    for index, (name, members) in enumerate(lines.items()):
        points = defaultdict(list)
        for result in members:
            points[_share(result)].append(result.f1 or 0.0)
        shares = sorted(points)
        means = [sum(points[share]) / len(points[share]) for share in shares]
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        axes.plot(shares, means, label=name, color=colour, marker=marker, markersize=3.5, linewidth=1.1)
        spread = [(share, value) for share in shares for value in points[share] if len(points[share]) > 1]
        if spread:
            axes.plot(*zip(*spread), linestyle="", marker="_", markersize=5, color=colour, alpha=0.6)
    axes.set(xlabel="left-factored trees, the others right-factored", ylabel="development F1", xlim=(-2, 102))
    axes.set_xticks([0, 25, 50, 75, 100], ["L00R100", "L25R75", "L50R50", "L75R25", "L100R00"])
    if any(lines):
        axes.legend()


def _share(result: Result) -> float:
    left = float(result.overrides[LEFT])
    return 100 * left / ((left + float(result.overrides.get(RIGHT, 1 - left))) or 1.0)


def _others(result: Result) -> str:
    rest = {key: value for key, value in result.overrides.items() if key not in (LEFT, RIGHT, SEED)}
    return ", ".join(f"{key.split('.')[-1].replace('_', ' ')} {value}" for key, value in rest.items())


def variant_figure(sweeps: Sweeps) -> Any:
    """Tables "abl", "bin" and "dy_ctx" as a row each, in the order of the file, the best in red.

    Dots, since bars would have to begin at 0 and differences of F1 are small. Where there are several seeds,
    the dot is their mean and each is a tick.
    """
    most = max(len(_by_variant(results)) for results in sweeps.values())
    return _panels(sweeps, 0.75 * WIDTH, 0.6 + 0.22 * most, _draw_variants)


def _by_variant(results: Sequence[Result]) -> dict[str, list[float]]:
    """F1 of each variant, a value per seed."""
    scores = defaultdict(list)
    for result in results:
        seed = f", seed {result.overrides.get(SEED)}"
        scores[result.name.removesuffix(seed)].append(result.f1 or 0.0)
    return scores


def _draw_variants(figure: Any, axes: Any, results: Sequence[Result]) -> None:
    scores = _by_variant(results)
    means = [sum(values) / len(values) for values in scores.values()]
    every = [value for values in scores.values() for value in values]
    low, high = min(every), max(every)
    margin = 0.15 * (high - low) or 1.0
    colours = [RED if mean == max(means) else BLUE for mean in means]
    places = range(len(scores))
    axes.scatter(means, places, s=24, c=colours, zorder=3)
    for place, values, mean in zip(places, scores.values(), means):
        if len(values) > 1:
            axes.plot(values, [place] * len(values), "|", color=GREY, markersize=7)
        end = (max(mean, *values), place)
        axes.annotate(f"{mean:.2f}", end, (5, 0), textcoords="offset points", va="center")
    axes.set(xlim=(max(0.0, low - margin), high + 1.5 * margin), xlabel="development F1")
    axes.set_yticks(places, scores)
    axes.invert_yaxis()


def search_figure(sweeps: Sweeps) -> Any:
    """A panel for each key that was searched: F1 by its value."""
    from matplotlib.figure import Figure

    results = [result for found in sweeps.values() for result in found]
    keys = [key for key in varied_keys(results) if key != SEED]
    columns = min(3, len(keys))
    rows = math.ceil(len(keys) / columns)
    size = (WIDTH * columns / 3 + 0.3, 1.9 * rows)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    best = max(results, key=lambda result: result.f1 or 0.0)
    for index, axes in enumerate(grid):
        if index >= len(keys):
            axes.axis("off")
            continue
        key = keys[index]
        values = [result.overrides[key] for result in results]
        numeric = not any(isinstance(value, str | bool) for value in values)
        place = (lambda value: value) if numeric else str
        axes.plot([place(value) for value in values], [r.f1 for r in results], "o", color=BLUE, markersize=3)
        axes.plot([place(best.overrides[key])], [best.f1], "o", color=RED, markersize=4.5)
        if numeric and min(values) > 0 and max(values) > 20 * min(values):
            axes.set_xscale("log")
        axes.set_xlabel(key)
        if index % columns == 0:
            axes.set_ylabel("development F1")
    return figure


def _means(results: Sequence[Result], keys: Sequence[str]) -> dict[tuple[float, ...], float]:
    """The mean F1 of the trials (of several seeds, say) that agree in the keys."""
    groups = defaultdict(list)
    for result in results:
        groups[tuple(float(result.overrides[key]) for key in keys)].append(result.f1 or 0.0)
    return {values: sum(scores) / len(scores) for values, scores in groups.items()}
