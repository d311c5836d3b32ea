import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import TreeError
from nccp.trees import Symbols, binarize, from_gaps, parse_tree, to_gaps
from nccp.trees.labels import SUB
from nccp.trees.layers import Layer
from nccp.trees.oracle import explore
from tests.conftest import trees

CAT = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))))")
FACTORS = st.sampled_from(["left", "right", ""])  # "": the multi-branching model
END = np.iinfo(np.int32).max


def grow(n, closing):
    """The path of n words; ``closing(layer, starts, heights so far)`` says which of the open gaps close."""
    heights = np.zeros(n - 1, np.int32)
    starts, layer = np.arange(n), 0
    while len(starts) > 1:
        closes = np.append(False, closing(layer, starts, heights))
        layer += 1
        heights[starts[closes] - 1] = layer
        starts = starts[~closes]
    return heights


def meet(right):
    """The gaps between nodes that point at each other."""
    right[0], right[-1] = True, False
    return right[:-1] & ~right[1:]


def by_chance(rng, factor):
    def closing(layer, starts, heights):
        chosen = rng.random(len(starts)) < 0.5
        if factor:
            return meet(chosen)
        chosen[1] |= not chosen[1:].any()
        return chosen[1:]

    return closing


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


@given(trees, FACTORS)
def test_along_the_gold_path_all_is_gold(tree, factor):
    gold = to_gaps(tree)
    drawn = binarize(gold, factor) if factor else gold
    found = explore(gold, drawn.heights, factor)
    assert np.array_equal(found.labels, drawn.labels)
    assert from_gaps(found) == tree


@given(trees, FACTORS, st.integers(0, 99))
def test_labels_along_any_path(tree, factor, seed):
    gold = to_gaps(tree)
    path = grow(len(gold), by_chance(np.random.default_rng(seed), factor))
    found = explore(gold, path, factor)
    names = gold.symbols.labels
    labels = {span: names[label] for span, label in zip(spans(gold.heights), gold.labels)}
    for span, label in zip(spans(path), found.labels):
        assert names[label] == labels[span] if span in labels else names[label].startswith(SUB)


@given(trees, FACTORS, st.integers(0, 99), st.integers(0, 4))
def test_following_the_oracle_loses_nothing_more(tree, factor, seed, wrong):
    """After layers by chance: on to every constituent that no node crosses or swallows, and to no other."""
    gold, rng = to_gaps(tree), np.random.default_rng(seed)
    n = len(gold)
    chance = by_chance(rng, factor)

    def closing(layer, starts, heights):
        if layer < wrong:
            return chance(layer, starts, heights)
        path = np.where(heights > 0, heights, 1000 + rng.permutation(n - 1))  # above here it does not matter
        order = [order for since, order in explore(gold, path, factor).goals if since <= layer][-1]
        aims = Layer(starts, starts, np.concatenate(([END], order, [END]))[np.append(starts, n)])
        return meet(aims.orientations) if factor else aims.ready[1:-1]

    reached = grow(n, closing)
    nodes = spans(reached)
    early = {span for span, height in zip(nodes, reached) if height <= wrong}
    wanted = set(spans(gold.heights))
    for start, end in wanted:
        crossed = any(a < start < b < end or start < a < end < b for a, b in early)
        swallowed = (start, end) not in early and any(a <= start and end <= b for a, b in early)
        assert ((start, end) in nodes) == (not crossed and not swallowed)
    if not factor:
        assert set(nodes) <= wanted | early


def test_the_docstring():
    gold = to_gaps(CAT)
    found = explore(gold, np.array([2, 1, 3], np.int32), "left")
    assert [found.symbols.labels[label] for label in found.labels] == ["_S", "_S", "S"]
    first, after = (order.tolist() for _, order in found.goals)
    assert first[0] < first[1] > first[2]  # NP and VP before S
    assert after == sorted(after)  # S from the left


def test_frozen_labels_without_a_part():
    symbols = Symbols(["NP", "VP", "S", "#DT", "#NN", "#VBD", "ADVP"], ["DT", "NN", "VBD", "RB"], frozen=True)
    found = explore(to_gaps(CAT, symbols), np.array([2, 1, 3], np.int32), "left")
    assert found.labels.tolist() == [-1, -1, symbols.labels.ids["S"]]


def test_only_orders_that_are_known():
    with pytest.raises(TreeError, match="midin"):
        explore(to_gaps(CAT), np.array([1, 2, 1], np.int32), "midin")
