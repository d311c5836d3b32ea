"""The figures of sweeps: the one that fits, complete, the same bytes each time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from nccp.analysis import sweep_figures as figures
from nccp.analysis.sweep_figures import draw_sweeps
from nccp.errors import InputError, MissingExtra
from nccp.sweeps.results import Result


@pytest.fixture(scope="module", autouse=True)
def _matplotlib() -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")


def results(*trials: tuple[str, dict[str, Any], float | None]) -> list[Result]:
    return [
        Result(trial=number, name=name, overrides=overrides, run=f"trials/{number:03}", f1=f1)
        for number, (name, overrides, f1) in enumerate(trials)
    ]


WEIGHTS = results(
    *(
        ("", dict(zip(figures.WEIGHTS, (t / 10, n / 10, (10 - t - n) / 10))), 90.0 - abs(t - 2) - abs(n - 3))
        for t in range(1, 9)
        for n in range(1, 10 - t)
    )
)
LEFT_RIGHT = results(
    *(
        ("", {"model.context_layers": depth, "data.left": left, "data.right": 1 - left}, 80 + depth + left)
        for depth in (2, 6)
        for left in (0.0, 1.0, 0.5)
    )
)
VARIANTS = results(
    ("B, seed 0", {"train.seed": 0}, 90.0),
    ("B, seed 1", {"train.seed": 1}, 91.0),
    ("B/F, seed 0", {"train.seed": 0, "model.orientation": "ffnn"}, 88.0),
    ("B/L, seed 0", {"train.seed": 0, "model.loss": "bce"}, None),
)
SEARCH = results(
    *(("", {"train.learning_rate": 10.0**-n, "model.compose": "CN"[n % 2] + "V"}, 80.0 + n) for n in range(8))
)


@pytest.mark.parametrize(
    ("found", "name"),
    [(WEIGHTS, "loss-weights"), (LEFT_RIGHT, "left-right"), (VARIANTS, "variants"), (SEARCH, "search")],
)
def test_each_sweep_has_its_figure_and_the_same_bytes_each_time(
    tmp_path: Path, found: list[Result], name: str
) -> None:
    first, again = (draw_sweeps({"": found}, tmp_path / folder) for folder in ("first", "again"))
    assert [path.name for path in first] == [f"{name}.{ending}" for ending in ("pdf", "svg", "png")]
    assert [path.read_bytes() for path in first[:2]] == [path.read_bytes() for path in again[:2]]


def test_the_best_weights_are_pointed_at() -> None:
    axes = figures.weight_figure({"": WEIGHTS}).axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["tag", "label", "orientation or chunk", "(0.2, 0.3, 0.5)  90.00"]
    dots = axes.collections[0]
    assert len(dots.get_offsets()) == 36
    x, y = axes.texts[-1].xy
    assert (x, y) == pytest.approx((0.5 + 0.15, 0.3 * 3**0.5 / 2))


def test_a_line_a_depth_from_right_to_left() -> None:
    figure = figures.left_right_figure({"": LEFT_RIGHT})
    lines = figure.axes[0].lines
    assert [line.get_label() for line in lines] == ["context layers 2", "context layers 6"]
    assert list(lines[0].get_xdata()) == [0, 50, 100]
    assert list(lines[0].get_ydata()) == [82.0, 82.5, 83.0]


def test_a_row_a_variant_with_the_mean_of_its_seeds() -> None:
    axes = figures.variant_figure({"": [result for result in VARIANTS if not result.failed]}).axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["B", "B/F"]
    assert [text.get_text() for text in axes.texts] == ["90.50", "88.00"]


def test_a_panel_a_key_of_a_search() -> None:
    panels = figures.search_figure({"": SEARCH}).axes
    assert [axes.get_xlabel() for axes in panels if axes.axison] == ["train.learning_rate", "model.compose"]
    assert [axes.get_xscale() for axes in panels[:2]] == ["log", "linear"]


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        draw_sweeps({"": [result for result in VARIANTS if result.failed]}, tmp_path)


def test_one_trial_is_enough(tmp_path: Path) -> None:
    for found in (WEIGHTS, LEFT_RIGHT, VARIANTS, SEARCH):
        assert draw_sweeps({"": found[:1]}, tmp_path, ["svg"])


def test_without_matplotlib_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install '.*\[plots\]'"):
        draw_sweeps({"": WEIGHTS}, tmp_path)


def test_several_sweeps_have_a_panel_each():
    name, figure = figures.sweep_figure({"Penn": LEFT_RIGHT, "Keyaki": LEFT_RIGHT, "empty": []})
    assert name == "left-right"
    assert [axes.get_title() or axes.get_title(loc="left") for axes in figure.axes] == ["Penn", "Keyaki"]
