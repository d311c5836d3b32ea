"""Statistics against hand-counted trees, against brute force on trees, and against the paper's tables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nccp.analysis import FactorStatistics, Orientations, Statistics, measure, treebank_statistics
from nccp.treebanks import Cleaning, open_treebank
from nccp.trees import binarize, parse_tree, to_gaps, triangulate

TREES = [
    "(S (NP (DT the) (JJ old) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .))",
    "(NP (NN a) (, ,) (NN b) (, ,) (NN c) (CC and) (NN d))",
    "(X (A a) (B b) (Y (Z (C c) (D d)) (E e)) (F f) (G g))",
    "(S (VP (VB go)))",
    "(S (NP (PRP it)) (VP (VBZ is)))",
]


def heights(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def rows(table: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(row) for row in table.tolist()]


# ---- by hand ----------------------------------------------------------------------------------------------


def test_the_tree_of_the_docstring() -> None:
    one = measure([heights(1, 3, 1, 2)], oriented=True)
    assert rows(one.transitions) == [(2, 1, 1), (3, 2, 1), (5, 3, 1)]
    assert rows(one.sentences) == [(5, 11, 1)]
    assert one.triangular == Orientations(left=2 + 1 + 1 + 2, right=3 + 1 + 1 + 1)
    assert one.stratified == Orientations(5, 5)  # > < > < <, > > <, > <
    assert (one.trees, one.words, one.nodes) == (1, 5, 11)
    ratio = one.ratio()
    assert ratio is not None
    assert ratio.mean == pytest.approx((1 / 2 + 2 / 3 + 3 / 5) / 3)
    assert ratio.deviation == pytest.approx(np.std([1 / 2, 2 / 3, 3 / 5]))
    assert ratio.layers == 3
    assert str(ratio) == "0.59 ±0.07"


def test_a_word_alone_is_one_node_without_orientation_or_ratio() -> None:
    one = measure([heights(), heights(1), heights()], oriented=True)
    assert rows(one.sentences) == [(1, 1, 2), (2, 3, 1)]
    assert rows(one.transitions) == [(2, 1, 1)]
    assert one.stratified == one.triangular == Orientations(1, 1)
    alone = measure([heights()], oriented=True)
    assert (alone.stratified, alone.triangular, alone.ratio()) == (Orientations(), Orientations(), None)


def test_multi_branching_has_no_orientation() -> None:
    one = measure([heights(1, 1, 1), heights(1, 2, 2)], oriented=False)
    assert (one.stratified, one.triangular) == (None, None)
    assert rows(one.transitions) == [(3, 1, 1), (4, 1, 1), (4, 3, 1)]
    assert rows(one.sentences) == [(4, 5, 1), (4, 8, 1)]
    assert one.to_dict()["orientation"] is None


def test_no_trees_at_all() -> None:
    none = measure([], oriented=True)
    assert (none.trees, none.words, none.nodes, none.stratified) == (0, 0, 0, Orientations())
    assert none.ratio() is None
    assert none.regression(1) is None
    some = measure([heights(2, 1)], oriented=True)
    assert none + some == some


def test_long_layers_are_told_apart() -> None:
    one = measure([heights(*[1] * 41), heights(1, 1)], oriented=False)
    assert one.ratio().layers == 2  # type: ignore[union-attr]
    assert one.ratio(longer_than=40).mean == pytest.approx(1 / 42)  # type: ignore[union-attr]
    assert one.ratio(longer_than=42) is None


def test_a_chain_ten_thousand_deep() -> None:
    n = 10_001
    one = measure([np.arange(1, n), heights(1)], oriented=True)
    assert one.nodes == n * (n + 1) // 2 + 3
    # the first node of each layer points right; all others wait for it
    assert one.stratified == Orientations(n * (n + 1) // 2 - 1 - (n - 1) + 1, n - 1 + 1)
    assert one.triangular == one.stratified  # a chain fills its triangle


# ---- regressions ------------------------------------------------------------------------------------------


def test_flat_trees_grow_linearly() -> None:
    line = measure([heights(*[1] * n) for n in range(1, 30)], oriented=False).regression(1)
    assert line is not None
    assert line.coefficients == pytest.approx((1, 1))
    assert line.r2 == pytest.approx(1)
    assert line(9) == pytest.approx(10)


def test_chains_fill_the_triangular_chart() -> None:
    chains = measure([np.arange(1, n) for n in range(1, 40)], oriented=True)
    parabola = chains.regression(2)
    assert parabola is not None
    assert parabola.coefficients == pytest.approx((0.5, 0.5, 0), abs=1e-9)
    line = chains.regression(1)
    assert line is not None
    assert line.r2 < parabola.r2


def test_regressions_weigh_lengths_by_their_trees() -> None:
    trees = [heights(1), heights(1), heights(1), heights(1, 2), heights(2, 1, 3), heights(1, 1, 1, 1)]
    words = [len(tree) + 1 for tree in trees]
    nodes = [3, 3, 3, 6, 10, 6]
    found = measure(trees, oriented=False).regression(1)
    assert found is not None
    assert found.coefficients == pytest.approx(tuple(np.polyfit(words, nodes, 1)))
    assert found.r2 == pytest.approx(np.corrcoef(words, nodes)[0, 1] ** 2)


def test_too_few_lengths_make_no_regression() -> None:
    one = measure([heights(1), heights(1), heights(1, 2)], oriented=True)
    assert one.regression(1) is not None
    assert one.regression(2) is None


# ---- brute force ------------------------------------------------------------------------------------------


class Node:
    """A tree of shapes only: the layers are found by walking it, without any gaps."""

    def __init__(self, children: list[Node]) -> None:
        self.children = children
        self.layer: int = 1 + max(child.layer for child in children) if children else 0

    @classmethod
    def draw(cls, rng: np.random.Generator, words: int, ways: int) -> Node:
        if words == 1:
            return cls([])
        m = int(rng.integers(2, min(ways, words) + 1))
        cuts = [0, *sorted(rng.choice(np.arange(1, words), m - 1, replace=False).tolist()), words]
        return cls([cls.draw(rng, end - start, ways) for start, end in pairwise(cuts)])

    def heights(self) -> list[int]:
        found: list[int] = []
        for i, child in enumerate(self.children):
            found += ([self.layer] if i else []) + child.heights()
        return found

    def count(self, sizes: Counter[int], orientations: Counter[str], parent_layer: int, side: str) -> None:
        for layer in range(self.layer, parent_layer):  # it relays until its parent forms
            sizes[layer] += 1
            orientations[side] += 1
        for i, child in enumerate(self.children):
            child.count(sizes, orientations, self.layer, "left" if i else "right")


@pytest.mark.parametrize("ways", [2, 5])
def test_agrees_with_walking_the_trees(ways: int) -> None:
    rng = np.random.default_rng(ways)
    trees = [Node.draw(rng, int(rng.integers(1, 30)), ways) for _ in range(300)]
    orientations: Counter[str] = Counter()
    transitions: Counter[tuple[int, int]] = Counter()
    sentences: Counter[tuple[int, int]] = Counter()
    for tree in trees:
        sizes: Counter[int] = Counter({tree.layer: 1})
        for i, child in enumerate(tree.children):
            child.count(sizes, orientations, tree.layer, "left" if i else "right")
        transitions.update((sizes[layer], sizes[layer + 1]) for layer in range(tree.layer))
        sentences[sizes[0], sizes.total()] += 1
    found = measure([heights(*tree.heights()) for tree in trees], oriented=ways == 2)
    assert rows(found.transitions) == sorted((*pair, count) for pair, count in transitions.items())
    assert rows(found.sentences) == sorted((*pair, count) for pair, count in sentences.items())
    if ways == 2:
        assert found.stratified == Orientations(orientations["left"], orientations["right"])


def test_pieces_add_up() -> None:
    rng = np.random.default_rng(7)
    trees = [heights(*Node.draw(rng, int(rng.integers(1, 30)), 2).heights()) for _ in range(200)]
    whole = measure(trees, oriented=True)
    assert measure(trees[:50], oriented=True) + measure(trees[50:], oriented=True) == whole
    assert measure(trees[:50], oriented=True) != whole
    assert sum((measure([tree], oriented=True) for tree in trees), measure([], oriented=True)) == whole


# ---- from trees -------------------------------------------------------------------------------------------


def count(texts: list[str], **options: Any) -> Statistics:
    return treebank_statistics((to_gaps(parse_tree(text)) for text in texts), **options)


def test_factors_of_a_flat_tree() -> None:
    flat = count(["(X (A a) (B b) (C c) (D d) (E e))"])
    assert list(flat.factors) == ["left", "right", "midin", "midout", "multi"]
    assert (flat.trees, flat.words) == (1, 5)
    chain = [(2, 1, 1), (3, 2, 1), (4, 3, 1), (5, 4, 1)]
    assert rows(flat.factors["left"].transitions) == chain
    assert rows(flat.factors["right"].transitions) == chain
    assert rows(flat.factors["midin"].transitions) == chain
    assert rows(flat.factors["midout"].transitions) == [(2, 1, 1), (3, 2, 1), (5, 3, 1)]
    assert rows(flat.factors["multi"].transitions) == [(5, 1, 1)]
    left, right = flat.factors["left"], flat.factors["right"]
    assert left.stratified == left.triangular == Orientations(10, 4)
    assert right.stratified == right.triangular == Orientations(4, 10)


def test_unary_chains_make_no_layers() -> None:
    assert count(["(TOP (S (VP (VB go) (NP (NP (NN home))))))"]).factors["multi"].nodes == 3


def test_grouping_comes_on_request_for_every_factor_and_saves_nodes() -> None:
    found = count(TREES, group=True)
    assert list(found.grouped) == list(found.factors)
    assert all(found.grouped[name].nodes <= found.factors[name].nodes for name in found.factors)
    assert found.grouped["left"].nodes < found.factors["left"].nodes
    assert found.grouped["multi"].nodes < found.factors["multi"].nodes
    assert found.factors == count(TREES).factors
    assert count(TREES).grouped == {}


def test_the_triangular_count_is_that_of_the_triangular_format() -> None:
    trees = [binarize(to_gaps(parse_tree(text)), factor) for text in TREES for factor in ("left", "midout")]
    cells = np.concatenate([row for tree in trees for row in triangulate(tree).orientations])
    found = measure([tree.heights for tree in trees], oriented=True)
    assert found.triangular == Orientations(int((cells == 0).sum()), int((cells == 1).sum()))


def test_the_seed_decides_the_coins() -> None:
    flat = [TREES[1]] * 20
    first, again, other = (count(flat, seed=seed).factors for seed in (1, 1, 2))
    assert first == again
    assert first["left"] == other["left"]
    assert first["midin"] != other["midin"]


def test_batches_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = count(TREES, group=True)
    monkeypatch.setattr("nccp.analysis.statistics._BATCH", 2)
    assert count(TREES, group=True) == whole


def test_json_is_plain() -> None:
    found = count(TREES).to_dict()
    left = found["factors"]["left"]
    assert (found["trees"], found["words"]) == (5, 25)
    assert set(left) == {"orientation", "ratio", "nodes"}
    assert left["ratio"]["longer_than_40"] is None
    assert len(left["nodes"]["quadratic"]["coefficients"]) == 3


def test_values_are_frozen() -> None:
    one = measure([heights(1)], oriented=True)
    assert replace(one, stratified=None) != one
    with pytest.raises(AttributeError):
        one.stratified = None  # type: ignore[misc]


# ---- the paper's tables -----------------------------------------------------------------------------------

TREEBANKS = os.environ.get("NCCP_TREEBANKS")
needs_treebanks = pytest.mark.skipif(not TREEBANKS, reason="NCCP_TREEBANKS names no folder of treebanks")


def corpus(folder: str, *, remove_empty: bool, group: bool = False) -> Statistics:
    path = Path(TREEBANKS or "", folder)
    if not path.is_dir():
        pytest.skip(f"no {folder} in NCCP_TREEBANKS")
    entries = open_treebank(path).read(cleaning=Cleaning(remove_empty=remove_empty))
    return treebank_statistics((to_gaps(entry.tree) for entry in entries), group=group)


def ratios(factors: Mapping[str, FactorStatistics], longer_than: int = 0) -> str:
    return ", ".join(str(one.ratio(longer_than)) for one in factors.values())


@needs_treebanks
def test_ratios_of_the_penn_sample() -> None:
    found = corpus("ptb-sample/combined", remove_empty=True).factors
    assert ratios(found) == "0.77 ±0.11, 0.79 ±0.11, 0.78 ±0.11, 0.77 ±0.11, 0.73 ±0.20"


@needs_treebanks
def test_keyaki_with_empty_elements() -> None:
    """The paper's rows for KTB in Table "comp_ratios", and its coefficients in Figure "all_complexities"."""
    found = corpus("ktb/treebank", remove_empty=False, group=True)
    assert ratios(found.factors) == "0.82 ±0.12, 0.75 ±0.12, 0.79 ±0.12, 0.73 ±0.12, 0.69 ±0.29"
    assert ratios(found.factors, 40) == "0.90 ±0.04, 0.80 ±0.05, 0.86 ±0.04, 0.77 ±0.06, 0.84 ±0.07"
    fits = [one["left"].regression(2) for one in (found.factors, found.grouped)]
    assert [f"{fit.coefficients[0]:.4f} {fit.coefficients[1]:.2f}" for fit in fits if fit] == [
        "0.0306 8.79",
        "0.0044 4.26",
    ]


@needs_treebanks
def test_keyaki_without_empty_elements() -> None:
    """The paper's row for KTB in Table "ori", to its printed digits but for midin."""
    found = corpus("ktb/treebank", remove_empty=True).factors
    means = [f"{ratio.mean:.2f}" for one in found.values() if (ratio := one.ratio())]
    assert means[:4] == ["0.80", "0.72", "0.76", "0.72"]
    counts = {name: one.triangular for name, one in found.items() if one.triangular}
    millions = {name: f"{one.left / 1e6:.1f} {one.right / 1e6:.1f}" for name, one in counts.items()}
    assert millions == {"left": "4.5 0.9", "right": "1.8 2.1", "midin": "2.9 1.7", "midout": "2.5 1.2"}
