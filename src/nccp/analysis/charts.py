"""Bar charts in plain SVG, without matplotlib; colours are CSS variables of the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _ROW, _LEFT, _RIGHT = 360, 24, 92, 84  # in the picture's own units: those of a phone's screen
_TYPE = 12


class Bar(NamedTuple):
    """A value with its name, and the text behind its bar."""

    name: str
    value: float
    note: str


def bar_chart(title: str, bars: Sequence[Bar], most: float | None = None) -> str:
    """Horizontal bars from 0 to ``most`` (the largest value unless given)."""
    most = most or max((bar.value for bar in bars), default=1) or 1
    height = _ROW * len(bars) + 4
    name = escape(f"{title}: " + ", ".join(f"{bar.name} {bar.note}" for bar in bars))
    parts = [f'<svg class="chart" role="img" aria-label="{name}" viewBox="0 0 {_WIDTH} {height}">']
    for row, bar in enumerate(bars):
        y = row * _ROW + 4
        length = max(0.0, min(bar.value / most, 1.0)) * (_WIDTH - _LEFT - _RIGHT)
        middle = y + _ROW / 2 + 2
        parts.append(
            f'<text class="name" x="{_LEFT - 6}" y="{middle:g}" text-anchor="end">{escape(bar.name)}</text>'
            f'<rect x="{_LEFT}" y="{y}" width="{length:.1f}" height="{_ROW - 6}" rx="3"/>'
            f'<text class="note" x="{_LEFT + length + 6:.1f}" y="{middle:g}">{escape(bar.note)}</text>'
        )
    return "".join([*parts, "</svg>"])


CHART_STYLE = f"""
.chart{{width:100%;max-width:28rem;height:auto;display:block}}
.chart text{{font-size:{_TYPE}px;fill:var(--ink)}}
.chart .note{{fill:var(--faint)}}
.chart rect{{fill:var(--bar)}}
"""
