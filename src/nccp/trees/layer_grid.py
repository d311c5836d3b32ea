"""Binarized, stratified and triangular trees as rows of cells, ready to be drawn (see `draw_layers`).

::

    binary, left factor                  multi-branching                 triangular
    2           S                        2           S                   3          S
    1      NP→     ←VP                   1     [NP        VP]            2       NP→  ←VP
    0   #DT→ ←#NN #VBD→ ←ADVP            0  [#DT #NN] [#VBD ADVP]        1    NP→   <0>  ←VP
        the   cat   sat   down              the  cat   sat   down        0  #DT→ ←#NN #VBD→ ←ADVP

Arrows are orientations, square brackets are chunks, and ``<0>`` is an empty cell. A cell with one child
relays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nccp.errors import InputError
from nccp.trees.binarize import FACTORS, binarize, group_flat
from nccp.trees.gaps import Gaps
from nccp.trees.labels import POS, SUB
from nccp.trees.layers import NIL, iterate_layers, iterate_triangle

FORMS = (*FACTORS, "multi", "group", "triangle")
EMPTY_CELL = "<0>"


class Cell(NamedTuple):
    """A node in one layer."""

    label: str
    start: int
    """Its first word, or the first below it in a triangle."""
    end: int
    """The word after its last."""
    children: tuple[int, ...] = ()
    """The cells of the layer below that it comes from: one if it is relayed, none in layer 0."""
    points: str = ""
    """Its orientation, "left" or "right"; nothing in multi-branching layers and on top."""
    opens: bool = False
    """Whether a chunk begins with it."""
    closes: bool = False
    """Whether a chunk ends with it."""

    @property
    def text(self) -> str:
        """The label with its arrow or chunk brackets."""
        before = "←" if self.points == "left" else "[" if self.opens else ""
        after = "→" if self.points == "right" else "]" if self.closes else ""
        return before + self.label + after

    @property
    def kind(self) -> str:
        """For its look: constituent, sub (``_X``), pos (``#X``), empty (``<0>``)."""
        if self.label == EMPTY_CELL:
            return "empty"
        return "sub" if self.label.startswith(SUB) else "pos" if self.label.startswith(POS) else "constituent"


@dataclass(frozen=True)
class LayerGrid:
    """The layers of a tree, lowest first."""

    words: Sequence[str]
    tags: Sequence[str]
    layers: list[list[Cell]]
    is_triangle: bool = False
    note: str = ""
    """What a drawing says above the layers."""


def layer_grid(gaps: Gaps, form: str, *, factor: str = "left") -> LayerGrid:
    """The layers of a tree in one of the `FORMS`: a factor, "multi", "group" (multi-branching with flat
    structure grouped) or "triangle" (under ``factor``)."""
    if form not in FORMS:
        raise InputError(f"no form of layers {form!r}: there are {', '.join(FORMS)}")
    if form == "triangle":
        return _grid(gaps, list(_triangle(binarize(gaps, factor))), is_triangle=True)
    if form in FACTORS:
        return _grid(gaps, list(_stratified(binarize(gaps, form), binary=True)))
    return _grid(gaps, list(_stratified(group_flat(gaps) if form == "group" else gaps, binary=False)))


def parsed_grid(gaps: Gaps, *, binary: bool) -> LayerGrid:
    """The layers in which a model combined its nodes (paper, Figure "m_ary", top).

    ``gaps`` is as the model parsed it, with the parts ``_X`` that a binary model makes in its own order.
    """
    return _grid(gaps, list(_stratified(gaps, binary=binary)))


def forest_grid(gaps: Gaps) -> LayerGrid:
    """A failed multi-branching parse as the forest it is (paper, Figure "m_ary_err").

    The decoder stops at the layer that repeats its chunks and joins what is left under one root. Here that
    root is left out, and the layer that repeats is on top.
    """
    layers = list(_stratified(gaps, binary=False))
    if len(layers) < 2:
        return _grid(gaps, layers)
    layers = layers[:-1]
    layers[-1] = [cell._replace(opens=True, closes=True) for cell in layers[-1]]  # each a chunk of its own
    return _grid(gaps, layers, note=f"layer {len(layers) - 1} repeats: nothing combines")


def _grid(gaps: Gaps, layers: list[list[Cell]], *, is_triangle: bool = False, note: str = "") -> LayerGrid:
    names = gaps.symbols.tags
    return LayerGrid(gaps.words, [names[tag] for tag in gaps.tags.tolist()], layers, is_triangle, note)


def _node_names(gaps: Gaps) -> list[str]:
    """Of each node number (as in `Layer`), its label; the last is that of NIL."""
    names = gaps.symbols.labels
    places = np.concatenate((gaps.leaf_labels, gaps.labels)).tolist()
    return [*(names[place] or "·" for place in places), "", EMPTY_CELL]


def _stratified(gaps: Gaps, *, binary: bool) -> Iterator[list[Cell]]:
    names, top = _node_names(gaps), int(gaps.heights.max(initial=0))
    below: list[int] = []  # where the cells of the layer below start
    for j, layer in enumerate(iterate_layers([gaps.heights])):
        starts = layer.starts.tolist()
        ends = [*starts[1:], len(gaps)]
        rightward = layer.orientations.tolist()
        bounds = (layer.borders > j + 1).tolist()
        cells = []
        for i, (start, end, node) in enumerate(zip(starts, ends, layer.nodes.tolist())):
            children = tuple(place for place, word in enumerate(below) if start <= word < end)
            points = "" if not binary or j == top else "right" if rightward[i] else "left"
            chunked = not binary and j < top
            opens, closes = chunked and bounds[i], chunked and bounds[i + 1]
            cells.append(Cell(names[node], start, end, children, points, opens, closes))
        yield cells
        below = starts


def _triangle(gaps: Gaps) -> Iterator[list[Cell]]:
    names = _node_names(gaps)
    below: list[int] = []  # orientations
    for j, (nodes, orientations) in enumerate(iterate_triangle(gaps.heights)):
        cells = []
        for i, (node, orientation) in enumerate(zip(nodes.tolist(), orientations.tolist())):
            children = () if not j else (*[i] * (below[i] == 1), *[i + 1] * (below[i + 1] == 0))
            points = {1: "right", 0: "left", NIL: ""}[orientation]
            cells.append(Cell(names[node], i, i + j + 1, children, points))
        yield cells
        below = orientations.tolist()
