"""How a training went, evaluation by evaluation: the paper's error analysis by training time.

The paper says of the binary model that invalid layers appear early in training, and that "the late 90 % of
training time contains very few errors". The history of a run counts them at every evaluation of the
development set, from the raw scores, before the decoder repairs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from nccp.analysis.figure_style import COLOURS, GREY, MARKERS, STYLE, WIDTH, save_figure
from nccp.errors import need

History = Sequence[Mapping[str, Any]]
"""The evaluations of a run (`RunFolder.read_history`)."""

EARLY = 0.1
"""The share of the training that counts as its beginning."""
COUNTS = ("invalid_layers", "fallbacks")
_COLUMNS = (
    ("epoch", "epoch", ".2f"),
    ("min", "minutes", ".1f"),
    ("tag", "tag", ".3f"),
    ("label", "label", ".3f"),
    ("joint", "joint", ".3f"),
    ("F1", "f1", ".2f"),
    ("tags", "tags", ".2f"),
    ("fallbacks", "fallbacks", ",d"),
    ("invalid layers", "invalid_layers", ",d"),
)


def summarise(history: History) -> dict[str, dict[str, float]]:
    """The means per evaluation of the first tenth of the steps, and of the rest; a part may be missing."""
    last = history[-1]["step"]
    parts: dict[str, list[Mapping[str, Any]]] = {"early": [], "late": []}
    for record in history:
        parts["early" if record["step"] <= EARLY * last else "late"].append(record)
    return {
        name: {
            "evaluations": len(records),
            **{key: fmean(record.get(key, 0) for record in records) for key in COUNTS},
        }
        for name, records in parts.items()
        if records
    }


def format_history(history: History) -> str:
    """A line per evaluation, and what became of invalid layers."""
    from nccp.scoring import format_rows

    rows: list[Sequence[str]] = [[title for title, _, _ in _COLUMNS]]
    rows += [
        [format(record[key], form) if key in record else "-" for _, key, form in _COLUMNS]
        for record in history
    ]
    lines = [format_rows(rows).rstrip("\n"), ""]
    for name, part in summarise(history).items():
        which = f"first {EARLY:.0%}" if name == "early" else "rest"
        lines.append(
            f"{which} of the training: {part['invalid_layers']:,.1f} invalid layers and "
            f"{part['fallbacks']:,.1f} fallbacks per evaluation"
        )
    return "\n".join(lines)


def draw_histories(runs: Mapping[str, History], path: str | Path) -> Path:
    """Write the figure; the ending of ``path`` says in which format."""
    matplotlib = need("matplotlib", "plots", "nccp history --plot")
    with matplotlib.rc_context(STYLE):
        figure = history_figure(runs)
    return save_figure(figure, path)


def history_figure(runs: Mapping[str, History]) -> Any:
    """A matplotlib figure in matplotlib's current style: F1 and invalid layers by epoch, a line per run."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 0.38 * WIDTH), layout="constrained")
    score, invalid = figure.subplots(1, 2, sharex=True)
    end = max(record["epoch"] for history in runs.values() for record in history)
    for axes in (score, invalid):
        axes.axvspan(0, EARLY * end, color=GREY, alpha=0.15, linewidth=0)
        axes.set(xlabel="epoch", xlim=(0, end))
    for index, (name, history) in enumerate(runs.items()):
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        look = {"color": colour, "marker": marker, "markersize": 2.5, "linewidth": 1.0, "label": name}
        epochs = [record["epoch"] for record in history]
        score.plot(epochs, [record["f1"] for record in history], **look)
        invalid.plot(epochs, [record.get("invalid_layers", 0) for record in history], **look)
    score.set_ylabel("development F1")
    score.legend(loc="lower right")
    invalid.set_yscale("symlog", linthresh=1)
    invalid.set_ylim(0, None)
    invalid.yaxis.set_major_formatter("{x:,.0f}")
    invalid.set_ylabel("invalid layers in an evaluation")
    return figure
