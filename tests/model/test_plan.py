"""Plans of trees that were explored; those of gold trees are checked by the reference in test_network."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.model.plan import make_plan
from nccp.trees import Symbols, binarize, parse_tree, to_gaps
from nccp.trees.oracle import explore
from tests.conftest import trees

CAT = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))))")
MISTAKE = np.array([2, 1, 3], np.int32)  # [cat sat] first


def targets(plan):
    chunks = [step.chunks.targets.tolist() for step in plan.steps if step.chunks]
    return plan.orientations.tolist(), chunks, plan.labels.tolist()


@given(st.lists(trees, min_size=1, max_size=3), st.sampled_from(["left", "right", ""]))
def test_along_the_gold_path_the_targets_are_gold(bank, factor):
    symbols = Symbols()
    golds = [to_gaps(tree, symbols) for tree in bank]
    drawn = [binarize(gold, factor) if factor else gold for gold in golds]
    explored = [explore(gold, tree.heights, factor) for gold, tree in zip(golds, drawn)]
    expected = targets(make_plan(drawn, binary=bool(factor)))
    assert targets(make_plan(explored, binary=bool(factor))) == expected
    assert targets(make_plan([explored[0], *drawn[1:]], binary=bool(factor))) == expected


@pytest.mark.parametrize("place", [0, 1])
def test_after_a_mistake_orientations_make_the_best_of_it(place):
    gold = to_gaps(CAT)
    batch = [binarize(gold, "left"), binarize(gold, "left")]
    batch[place] = explore(gold, MISTAKE, "left")
    layers = [[[1, 0, 1, 0], [1, 0], [-1]]] * 2
    layers[place] = [[1, 0, 1, 0], [1, 0, 0], [1, 0], [-1]]
    expected = [target for j in range(4) for one in layers for target in (one[j] if j < len(one) else ())]
    assert make_plan(batch, binary=True).orientations.tolist() == expected


def test_after_a_mistake_chunks_make_the_best_of_it():
    plan = make_plan([explore(to_gaps(CAT), MISTAKE)], binary=False)
    assert targets(plan)[1] == [[1, 0, 1, 0, 1], [1, 0, 0, 1], [1, 0, 1]]
