"""F1 by length: a line per model, a point per bin."""

from __future__ import annotations

import pytest

from nccp.scoring import score_trees
from nccp.trees import parse_tree

pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")


def test_a_line_per_model() -> None:
    from nccp.analysis.length_figure import length_figure

    short = parse_tree("(S (NP (A a)) (VP (B b)))")
    wrong = parse_tree("(S (NP (A a)) (PP (B b)))")
    long = parse_tree("(S " + " ".join(f"(A a{i})" for i in range(15)) + ")")
    scores = {"one": score_trees([short, long], [short, long]), "two": score_trees([short], [wrong])}
    axes, counts = length_figure(scores).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one (100.00)", "two (66.67)"]
    lines = [line for line in axes.lines if line.get_marker() == "None"]
    assert [list(line.get_xdata()) for line in lines] == [[5.5, 15.5], [5.5]]
    assert [bar.get_height() for bar in counts.patches] == [1, 1]
