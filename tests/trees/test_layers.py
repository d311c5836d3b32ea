import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import TreeError
from nccp.trees import (
    FACTORS,
    Tree,
    binarize,
    from_gaps,
    group_flat,
    parse_tree,
    recover,
    recover_triangle,
    stratify,
    to_gaps,
    triangulate,
)
from nccp.trees.layers import NIL, iterate_layers
from tests.conftest import trees

CAT = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))))")


def names(layers):
    return [[layers.symbols.labels[i] if i >= 0 else "<0>" for i in row] for row in layers.labels]


def test_binary_layers_of_the_docstring():
    layers = stratify(binarize(to_gaps(CAT), "left"), binary=True)
    assert names(layers) == [["#DT", "#NN", "#VBD", "ADVP"], ["NP", "VP"], ["S"]]
    assert [row.tolist() for row in layers.joints] == [[1, 0, 1, 0], [1, 0]]
    assert layers.sizes == [4, 2, 1]


def test_multi_layers_of_the_docstring():
    layers = stratify(to_gaps(CAT), binary=False)
    assert [row.tolist() for row in layers.joints] == [[1, 0, 1, 0, 1], [1, 0, 1]]


def test_relays_keep_label_and_orientation():
    layers = stratify(binarize(to_gaps(parse_tree("(X (A a) (B b) (C c))")), "right"), binary=True)
    assert names(layers) == [["#A", "#B", "#C"], ["#A", "_X"], ["X"]]
    assert [row.tolist() for row in layers.joints] == [[1, 1, 0], [1, 0]]


def test_the_triangle_of_the_docstring():
    triangle = triangulate(to_gaps(CAT))
    assert names(triangle) == [["#DT", "#NN", "#VBD", "ADVP"], ["NP", "<0>", "VP"], ["NP", "VP"], ["S"]]
    assert [row.tolist() for row in triangle.orientations] == [[1, 0, 1, 0], [1, NIL, 0], [1, 0], [NIL]]


@given(trees, st.sampled_from(FACTORS), st.integers(0, 9))
def test_binary_round_trip(tree, factor, seed):
    gaps = binarize(to_gaps(tree), factor, np.random.default_rng(seed))
    assert recover(stratify(gaps, binary=True)) == gaps
    assert recover_triangle(triangulate(gaps)) == gaps
    assert from_gaps(recover(stratify(gaps, binary=True))) == tree


@given(trees)
def test_multi_round_trip(tree):
    for gaps in (to_gaps(tree), group_flat(to_gaps(tree))):
        assert recover(stratify(gaps, binary=False)) == gaps
        assert from_gaps(recover(stratify(gaps, binary=False))) == tree


@given(st.lists(trees, min_size=1, max_size=5))
def test_a_batch_has_the_layers_of_its_trees(several):
    heights = [to_gaps(tree).heights for tree in several]
    alone = [list(iterate_layers([h])) for h in heights]
    for j, layer in enumerate(iterate_layers(heights)):
        present = [layers[j] for layers in alone if j < len(layers)]
        assert layer.orientations.tolist() == [o for one in present for o in one.orientations]
        assert len(layer.nodes) == sum(len(one.nodes) for one in present)


def right_branching(depth: int) -> Tree:
    tree = Tree("T", ["w"])
    for _ in range(depth):
        tree = Tree("X", [Tree("T", ["w"]), tree])
    return tree


@pytest.mark.parametrize(
    "tree", [right_branching(1000), Tree("X", [Tree("T", ["w"]) for _ in range(300)])], ids=["deep", "wide"]
)
def test_deep_and_wide_trees(tree):
    for factor in FACTORS:
        assert from_gaps(recover(stratify(binarize(to_gaps(tree), factor), binary=True))) == tree
    assert from_gaps(recover(stratify(to_gaps(tree), binary=False))) == tree
    assert from_gaps(recover(stratify(group_flat(to_gaps(tree)), binary=False))) == tree


@pytest.mark.parametrize("binary", [True, False])
def test_ten_thousand_levels(binary):
    """Fifty million nodes in ten thousand layers: the worst case, and it still comes back."""
    gaps = to_gaps(right_branching(10_000))
    assert recover(stratify(gaps, binary=binary)) == gaps


def test_recovery_joins_what_is_left_apart():
    layers = stratify(to_gaps(CAT), binary=False)
    cut = type(layers)(layers.words, layers.tags, layers.labels[:2], layers.joints[:1], layers.symbols, False)
    assert from_gaps(recover(cut)) == Tree("", list(CAT))


def test_layers_that_do_not_fit_say_so():
    layers = stratify(to_gaps(CAT), binary=False)
    layers.joints[0][:] = 1
    with pytest.raises(TreeError, match="layer 0 gives 4 nodes, layer 1 has 2"):
        recover(layers)
