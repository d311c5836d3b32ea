import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.trees import FACTORS, Tree, binarize, from_gaps, group_flat, to_gaps
from nccp.trees.binarize import add_sub_labels
from nccp.trees.gaps import fold
from tests.conftest import trees


def shape(gaps) -> str:
    """A compact tree in the notation of design.md: X(_X(c1,c2),c3)."""
    names = gaps.symbols.labels

    def node(owned, children):
        return f"{names[int(gaps.labels[owned[0]])]}({','.join(children)})"

    return fold(gaps.heights.tolist(), lambda i: gaps.words[i], node)


def flat(n: int):
    return to_gaps(Tree("X", [Tree("T", [f"c{i + 1}"]) for i in range(n)]))


class Coin:
    """A generator whose tosses are all alike."""

    def __init__(self, side: int) -> None:
        self.side = side

    def integers(self, n: int) -> int:
        return self.side


@pytest.mark.parametrize(
    ("factor", "side", "expected"),
    [
        ("left", 0, "X(_X(_X(_X(c1,c2),c3),c4),c5)"),
        ("right", 0, "X(c1,_X(c2,_X(c3,_X(c4,c5))))"),
        ("midin", 0, "X(c1,_X(_X(c2,_X(c3,c4)),c5))"),
        ("midin", 1, "X(_X(c1,_X(_X(c2,c3),c4)),c5)"),
        ("midout", 0, "X(_X(c1,c2),_X(c3,_X(c4,c5)))"),
        ("midout", 1, "X(_X(_X(c1,c2),c3),_X(c4,c5))"),
    ],
)
def test_factors_over_five_children(factor, side, expected):
    got = shape(binarize(flat(5), factor, Coin(side)))
    if factor == "midout":  # inner odd middles toss the coin too; the top split is what is fixed
        assert got.startswith(expected[: 6 + 3 * side])
    else:
        assert got == expected


@given(trees, st.sampled_from(FACTORS), st.integers(0, 9))
def test_binary_trees_are_binary_and_dissolve_again(tree, factor, seed):
    gaps = binarize(to_gaps(tree), factor, np.random.default_rng(seed))
    arity = fold(gaps.heights.tolist(), lambda i: 2, lambda owned, below: max([len(owned) + 1, *below]))
    assert arity == 2
    assert from_gaps(gaps) == tree


@given(trees)
def test_grouping_keeps_the_tree_and_its_height_and_never_adds_nodes(tree):
    gaps = to_gaps(tree)
    grouped = group_flat(gaps)
    assert from_gaps(grouped) == tree
    assert grouped.heights.max(initial=0) == gaps.heights.max(initial=0)
    assert (grouped.heights <= gaps.heights).all()


def test_grouping_joins_those_that_would_wait():
    deep = Tree("C", [Tree("D", [Tree("T", ["c"]), Tree("T", ["d"])]), Tree("T", ["e"])])
    tree = Tree("X", [Tree("T", ["a"]), Tree("T", ["b"]), deep, Tree("T", ["f"]), Tree("T", ["g"])])
    assert shape(group_flat(to_gaps(tree))) == "X(_X(a,b),C(D(c,d),e),_X(f,g))"


@given(trees, st.sampled_from(FACTORS))
def test_sub_labels_are_complete_beforehand(tree, factor):
    gaps = to_gaps(tree)
    add_sub_labels(gaps)
    labels = list(gaps.symbols.labels)
    binarize(gaps, factor, np.random.default_rng(0))
    group_flat(gaps)
    assert list(gaps.symbols.labels) == labels


def test_three_hundred_children():
    for factor in FACTORS:
        gaps = binarize(flat(300), factor)
        assert from_gaps(gaps) == from_gaps(flat(300))
        assert gaps.heights.max() == (9 if factor == "midout" else 299)
