"""Speed and memory of the training formats: a line each."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")


def test_two_panels_where_memory_was_measured() -> None:
    from nccp.analysis.format_figure import format_figure

    part = {"from": 1, "to": 10, "sentences_per_second": 40.0}
    longest = {"memory": 4_000_000_000, "words": 20, "tried": [{"words": 20, "peak_memory": 1e9}]}
    one = {"format": "stratified", "by_length": [part], "longest": longest}
    two = {"format": "triangular", "by_length": [part]}
    speed, memory = format_figure([one, two]).axes
    assert [text.get_text() for text in speed.get_legend().get_texts()] == ["stratified", "triangular"]
    assert list(memory.lines[0].get_ydata()) == [1.0]
    assert len(format_figure([two]).axes) == 1
