"""The figures: complete, labelled, the same bytes each time, and all or nothing on disk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nccp.analysis import Statistics, draw_figures, figures, measure
from nccp.errors import MissingExtra

MAGIC = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}


@pytest.fixture(scope="module", autouse=True)
def _matplotlib() -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")


def synthetic(*names: str, longest: int = 40) -> Statistics:
    """Chains of every length: n(n+1)/2 nodes, so the quadratic term is one half."""
    chains = measure([np.arange(1, n) for n in range(1, longest)], oriented=True)
    return Statistics(chains.trees, chains.words, dict.fromkeys(names, chains))


def title(axes: Any) -> str:
    """At the left in our style, in the middle in matplotlib's own."""
    return axes.get_title(loc="left") or axes.get_title()


FIVE = synthetic("left", "right", "midin", "midout", "multi")
ONE = {"wsj": FIVE}


def test_files(tmp_path: Path) -> None:
    written = draw_figures(ONE, tmp_path / "new")
    assert [path.name for path in written] == [
        f"{name}.{ending}" for name in ("ratios", "nodes") for ending in ("pdf", "svg", "png")
    ]
    assert sorted(written) == sorted((tmp_path / "new").iterdir())
    for path in written:
        assert path.read_bytes().startswith(MAGIC[path.suffix[1:]])


@pytest.mark.parametrize("ending", ["pdf", "svg"])
def test_the_same_bytes_each_time(tmp_path: Path, ending: str) -> None:
    first, again = (draw_figures(ONE, tmp_path / name, [ending]) for name in ("first", "again"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]


def test_ratio_panels() -> None:
    figure = figures.ratio_figure({"wsj": FIVE.factors})
    panels = [axes for axes in figure.axes if axes.axison]
    assert [title(axes) for axes in panels] == ["left", "right", "midin", "midout", "multi-branching"]
    ratio = FIVE.factors["left"].ratio()
    assert ratio is not None
    assert f"${ratio.mean:.2f} \\pm {ratio.deviation:.2f}$" in [text.get_text() for text in panels[0].texts]
    assert panels[0].get_ylabel() == "compression ratio"
    assert panels[4].get_xlabel() == "layer length"


def test_every_transition_is_a_dot() -> None:
    axes = figures.ratio_figure({"wsj": FIVE.factors}).axes[1]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    drawn = sorted(x for line in dots for x in line.get_xdata())
    assert drawn == sorted(FIVE.factors["right"].transitions[:, 0].tolist())
    sizes = {int(line.get_xdata()[0]): line.get_markersize() for line in dots if len(line.get_xdata())}
    assert sizes[2] > sizes[30]  # every chain has a layer of 2, few have one of 30


def test_node_panels_show_both_regressions() -> None:
    figure = figures.node_figure({"wsj": FIVE.factors})
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["$20.50\\,n$", "$0.5000\\,n^2 +0.50\\,n$"]
    legend = [text.get_text() for text in figure.axes[-1].get_legend().get_texts()]
    assert legend == ["sentences", "linear", "quadratic, bending up", "triangular chart"]
    assert figure.axes[0].get_ylim()[1] >= FIVE.factors["left"].sentences[:, 1].max()


def test_several_treebanks_have_a_row_each() -> None:
    figure = figures.node_figure({"Penn": FIVE.factors, "Keyaki": FIVE.factors})
    assert len(figure.axes) == 10
    assert len(figure.legends) == 1
    assert [axes.get_ylabel() for axes in figure.axes[::5]] == ["Penn\nnodes", "Keyaki\nnodes"]
    assert [title(axes) for axes in figure.axes[4:6]] == ["multi-branching", ""]


def test_grouped_statistics_have_figures_of_their_own(tmp_path: Path) -> None:
    both = Statistics(FIVE.trees, FIVE.words, FIVE.factors, FIVE.factors)
    written = draw_figures({"a": both, "b": FIVE}, tmp_path, ["svg"])
    assert [path.stem for path in written] == ["ratios", "nodes", "ratios-grouped", "nodes-grouped"]


@pytest.mark.parametrize("longest", [2, 3])
def test_a_treebank_of_next_to_nothing(tmp_path: Path, longest: int) -> None:
    assert len(draw_figures({"tiny": synthetic("left", "multi", longest=longest)}, tmp_path, ["svg"])) == 2


def test_nothing_is_written_unless_all_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: figures.Rows) -> Iterator[None]:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(figures, "node_figure", fail)
    with pytest.raises(RuntimeError, match="out of ink"):
        draw_figures(ONE, tmp_path, ["svg"])
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install '.*\[plots\]'"):
        draw_figures(ONE, tmp_path)


def test_importing_the_room_does_not_import_matplotlib() -> None:
    code = "import sys, nccp.analysis; sys.exit('matplotlib' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
