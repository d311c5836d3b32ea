import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import TreeError
from nccp.model.plan import make_plan
from nccp.trees import Symbols, binarize, from_gaps, parse_tree, to_gaps
from nccp.trees.labels import SUB
from nccp.trees.oracle import explore
from tests.conftest import trees

CAT = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))))")


def grow(n, points):
    """The path of n words; ``points(layer, starts, heights so far)`` says which nodes point right."""
    heights = np.zeros(n - 1, np.int32)
    starts, layer = np.arange(n), 0
    while len(starts) > 1:
        right = points(layer, starts, heights)
        right[0], right[-1] = True, False
        meet = np.flatnonzero(right[:-1] & ~right[1:]) + 1
        layer += 1
        heights[starts[meet] - 1] = layer
        starts = np.delete(starts, meet)
    return heights


def spans(heights):
    """Of each gap, the node that it closes, alone or with others."""
    found = []
    for gap, height in enumerate(heights):
        start, end = gap, gap + 1
        while start > 0 and heights[start - 1] <= height:
            start -= 1
        while end < len(heights) and heights[end] <= height:
            end += 1
        found.append((start, end + 1))
    return found


@given(trees, st.sampled_from(["left", "right"]))
def test_along_the_gold_path_all_is_gold(tree, factor):
    gold = to_gaps(tree)
    drawn = binarize(gold, factor)
    found = explore(gold, drawn.heights, factor)
    assert np.array_equal(found.labels, drawn.labels)
    assert from_gaps(found) == tree
    expected, plan = (make_plan([one], binary=True) for one in (drawn, found))
    assert plan.orientations.tolist() == expected.orientations.tolist()
    assert plan.labels.tolist() == expected.labels.tolist()


@given(trees, st.sampled_from(["left", "right"]), st.integers(0, 99))
def test_labels_along_any_path(tree, factor, seed):
    gold = to_gaps(tree)
    rng = np.random.default_rng(seed)
    path = grow(len(gold), lambda layer, starts, _: rng.random(len(starts)) < 0.5)
    found = explore(gold, path, factor)
    names = gold.symbols.labels
    labels = {span: names[label] for span, label in zip(spans(gold.heights), gold.labels)}
    for span, label in zip(spans(path), found.labels):
        assert names[label] == labels[span] if span in labels else names[label].startswith(SUB)


@given(trees, st.sampled_from(["left", "right"]), st.integers(0, 99), st.integers(0, 4))
def test_following_the_oracle_loses_nothing_more(tree, factor, seed, wrong):
    """After some layers by chance, its orientations lead to every constituent that no node crosses."""
    gold, rng = to_gaps(tree), np.random.default_rng(seed)
    n = len(gold)

    def points(layer, starts, heights):
        if layer < wrong:
            return rng.random(len(starts)) < 0.5
        path = np.where(heights > 0, heights, 1000 + rng.permutation(n - 1))  # above here it does not matter
        order = [order for since, order in explore(gold, path, factor).goals if since <= layer][-1]
        borders = np.concatenate(([10**6], order, [10**6]))[np.append(starts, n)]
        return borders[1:] < borders[:-1]

    reached = grow(n, points)
    nodes = spans(reached)
    early = [span for span, height in zip(nodes, reached) if height <= wrong]
    for start, end in spans(gold.heights):
        crossed = any(a < start < b < end or start < a < end < b for a, b in early)
        assert crossed != ((start, end) in nodes)


def test_the_docstring():
    gold = to_gaps(CAT)
    found = explore(gold, np.array([2, 1, 3], np.int32), "left")
    assert [found.symbols.labels[label] for label in found.labels] == ["_S", "_S", "S"]
    plan = make_plan([found], binary=True)
    assert plan.orientations.tolist() == [1, 0, 1, 0, *(1, 0, 0), *(1, 0), -1]


def test_frozen_labels_without_a_part():
    symbols = Symbols(["NP", "VP", "S", "#DT", "#NN", "#VBD", "ADVP"], ["DT", "NN", "VBD", "RB"], frozen=True)
    found = explore(to_gaps(CAT, symbols), np.array([2, 1, 3], np.int32), "left")
    assert found.labels.tolist() == [-1, -1, symbols.labels.ids["S"]]


def test_only_binary_paths_and_known_orders():
    gold = to_gaps(CAT)
    with pytest.raises(TreeError, match="binary"):
        explore(gold, np.array([1, 1, 2], np.int32), "left")
    with pytest.raises(TreeError, match="midin"):
        explore(gold, np.array([1, 2, 1], np.int32), "midin")
