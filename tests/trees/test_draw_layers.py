"""Layers drawn: every cell is there, relays and placeholders too, and nothing overlaps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import InputError
from nccp.trees import binarize, parse_tree, stratify, to_gaps
from nccp.trees.draw import (
    FORMS,
    draw_layers_latex,
    draw_layers_svg,
    draw_layers_text,
    forest_grid,
    layer_grid,
    parsed_grid,
)
from tests.conftest import trees

GAPS = to_gaps(parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))))"))


def labels(form: str, **options: str) -> list[list[str]]:
    return [[cell.text for cell in layer] for layer in layer_grid(GAPS, form, **options).layers]


def test_orientations_and_relays() -> None:
    assert labels("left") == [["#DT→", "←#NN", "#VBD→", "←ADVP"], ["NP→", "←VP"], ["S"]]
    flat = to_gaps(parse_tree("(X (A a) (B b) (C c))"))
    layers = layer_grid(flat, "left").layers
    assert [cell.text for cell in layers[1]] == ["_X→", "←#C"]
    assert [cell.children for cell in layers[1]] == [(0, 1), (2,)]  # the second is a relay
    assert [cell.kind for cell in layers[1]] == ["sub", "pos"]


def test_chunks() -> None:
    assert labels("multi") == [["[#DT", "#NN]", "[#VBD", "ADVP]"], ["[NP", "VP]"], ["S"]]


def test_grouping() -> None:
    deep = to_gaps(parse_tree("(X (A a) (B b) (Y (C c) (Z (D d) (E e))))"))
    assert [cell.label for cell in layer_grid(deep, "group").layers[1]] == ["_X", "#C", "Z"]
    assert [cell.label for cell in layer_grid(deep, "multi").layers[1]] == ["#A", "#B", "#C", "Z"]


def test_triangle() -> None:
    assert labels("triangle") == [
        ["#DT→", "←#NN", "#VBD→", "←ADVP"],
        ["NP→", "<0>", "←VP"],
        ["NP→", "←VP"],
        ["S"],
    ]
    assert [cell.children for cell in layer_grid(GAPS, "triangle").layers[2]] == [(0,), (2,)]


def test_a_failed_parse_is_a_forest() -> None:
    grid = forest_grid(GAPS)
    assert [[cell.text for cell in layer] for layer in grid.layers] == [labels("multi")[0], ["[NP]", "[VP]"]]
    assert "layer 1 repeats" in draw_layers_text(grid).splitlines()[0]
    assert "layer 1 repeats" in draw_layers_svg(grid)
    assert "layer 1 repeats" in draw_layers_latex(grid)


@given(trees, st.sampled_from(["left", "right"]))
def test_the_layers_of_a_parse_are_its_own(tree, factor) -> None:
    gaps = to_gaps(tree)
    parsed = binarize(gaps, factor)
    assert parsed_grid(parsed, binary=True).layers == layer_grid(gaps, factor).layers
    assert parsed_grid(gaps, binary=False).layers == layer_grid(gaps, "multi").layers


def test_text() -> None:
    lines = draw_layers_text(layer_grid(GAPS, "left")).splitlines()
    assert [line.split() for line in lines[::2]] == [
        ["2", "S"],
        ["1", "NP→", "←VP"],
        ["0", "#DT→", "←#NN", "#VBD→", "←ADVP"],
        ["the", "cat", "sat", "down"],
    ]


def test_latex_escapes_marks() -> None:
    made = draw_layers_latex(layer_grid(GAPS, "left"))
    assert r"{\#DT$\rightarrow$}" in made
    assert made.count(r"\draw") == 6
    assert made.startswith("% \\usepackage{tikz}\n\\begin{tikzpicture}")


def test_an_unknown_form() -> None:
    with pytest.raises(InputError, match="no form of layers 'up'"):
        layer_grid(GAPS, "up")


@given(tree=trees, form=st.sampled_from(FORMS))
def test_every_cell_is_drawn(tree, form) -> None:
    grid = layer_grid(to_gaps(tree), form)
    cells = [cell for layer in grid.layers for cell in layer]
    drawing = ET.fromstring(draw_layers_svg(grid))
    texts = drawing.findall("{*}text")
    assert len([one for one in texts if "phrase" in one.get("class", "")]) == len(cells)
    assert len(drawing.findall("{*}path")) == sum(len(cell.children) for cell in cells)
    for layer in grid.layers:  # from left to right, every word once
        assert [cell.start for cell in layer] == sorted(cell.start for cell in layer)
        if form != "triangle":
            assert [layer[0].start, *(cell.end for cell in layer)] == [
                *(cell.start for cell in layer),
                len(grid.words),
            ]
    assert len(draw_layers_text(grid).splitlines()) == 2 * len(grid.layers) + 1


@given(tree=trees)
def test_layers_are_those_that_models_see(tree) -> None:
    gaps = to_gaps(tree)
    layers = stratify(binarize(gaps, "right"), binary=True)
    drawn = layer_grid(gaps, "right").layers
    assert [len(layer) for layer in drawn] == layers.sizes
    arrows = [[int(cell.points == "right") for cell in layer] for layer in drawn[:-1]]
    assert arrows == [joint.tolist() for joint in layers.joints]


@pytest.mark.parametrize("form", FORMS)
def test_one_word(form: str) -> None:
    grid = layer_grid(to_gaps(parse_tree("(INTJ (UH oh))")), form)
    assert re.sub(r"\s+", " ", draw_layers_text(grid)) == "0 INTJ UH oh"
