"""The statistics of treebanks as tables for the terminal: a column per factor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from nccp.analysis.statistics import LONG, FactorStatistics, Orientations, Statistics

_LABEL, _COLUMN = 16, 13
_GROUPED = ", flat structure grouped"


class Row(NamedTuple):
    """One figure of a factor."""

    section: str
    label: str
    cell: Callable[[FactorStatistics], str | None]


def _orientation(name: str) -> Iterator[Row]:
    def found(one: FactorStatistics) -> Orientations | None:
        counts: Orientations | None = getattr(one, name)
        return counts

    def share(one: FactorStatistics) -> str | None:
        value = (counts := found(one)) and counts.right_share
        return None if value is None else f"{value:.1%}"

    section = f"orientation, {name} format"
    yield Row(section, "left", lambda one: f"{counts.left:,}" if (counts := found(one)) else None)
    yield Row(section, "right", lambda one: f"{counts.right:,}" if (counts := found(one)) else None)
    yield Row(section, "right, share", share)


def _term(degree: int, place: int, digits: int) -> Callable[[FactorStatistics], str | None]:
    def cell(one: FactorStatistics) -> str | None:
        found = one.regression(degree)
        return None if found is None else f"{found.coefficients[place]:.{digits}f}"

    return cell


def _fit(degree: int) -> Callable[[FactorStatistics], str | None]:
    return lambda one: f"{found.r2:.3f}" if (found := one.regression(degree)) else None


_RATIO, _NODES = "compression ratio", "nodes of a tree of n words"
_ROWS = (
    *_orientation("triangular"),
    *_orientation("stratified"),
    Row(_RATIO, "all layers", lambda one: str(one.ratio() or "")),
    Row(_RATIO, f"longer than {LONG}", lambda one: str(one.ratio(LONG) or "")),
    Row(_NODES, "in all trees", lambda one: f"{one.nodes:,}"),
    Row(_NODES, "linear     n", _term(1, 0, 2)),
    Row(_NODES, "           1", _term(1, 1, 2)),
    Row(_NODES, "          R²", _fit(1)),
    Row(_NODES, "quadratic n²", _term(2, 0, 4)),
    Row(_NODES, "           n", _term(2, 1, 2)),
    Row(_NODES, "           1", _term(2, 2, 2)),
    Row(_NODES, "          R²", _fit(2)),
)


def format_statistics(treebanks: Mapping[str, Statistics]) -> str:
    """One treebank as a table of all figures; several as a table per figure with a row per treebank."""
    lines = _one if len(treebanks) == 1 else _several
    blocks = [*lines({name: one.factors for name, one in treebanks.items()}, "")]
    grouped = {name: one.grouped for name, one in treebanks.items() if one.grouped}
    if grouped:
        blocks += ["", *lines(grouped, _GROUPED)]
    return "\n".join(blocks)


def _one(treebanks: Mapping[str, Mapping[str, FactorStatistics]], suffix: str) -> Iterator[str]:
    (factors,) = treebanks.values()
    yield _head(factors)
    section = ""
    for row in _ROWS:
        if row.section != section:
            section = row.section
            yield section + suffix
        yield _line(row.label, row, factors)


def _several(treebanks: Mapping[str, Mapping[str, FactorStatistics]], suffix: str) -> Iterator[str]:
    first = next(iter(treebanks.values()))
    for number, row in enumerate(_ROWS):
        part = " ".join(row.label.split())
        if number:
            yield ""
        yield f"{row.section}{suffix}: {part}"
        yield _head(first)
        for name, factors in treebanks.items():
            yield _line(name, row, factors)


def _head(factors: Mapping[str, FactorStatistics]) -> str:
    return " " * (_LABEL + 2) + "".join(f"{name:>{_COLUMN}}" for name in factors)


def _line(label: str, row: Row, factors: Mapping[str, FactorStatistics]) -> str:
    cells = (row.cell(one) or "-" for one in factors.values())
    return f"  {label[:_LABEL]:<{_LABEL}}" + "".join(f"{text:>{_COLUMN}}" for text in cells)
