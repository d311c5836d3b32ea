import numpy as np
import pytest
from hypothesis import given

from nccp.errors import TreeError
from nccp.trees import Gaps, Symbols, Tree, format_gaps, format_tree, from_gaps, parse_tree, to_gaps
from tests.conftest import trees


def test_the_example_of_the_docstring():
    gaps = to_gaps(parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down))))"))
    names = gaps.symbols.labels
    assert list(gaps.words) == ["the", "cat", "sat", "down"]
    assert gaps.heights.tolist() == [1, 2, 1]
    assert [names[i] for i in gaps.labels] == ["NP", "S", "VP"]
    assert [names[i] for i in gaps.leaf_labels] == ["#DT", "#NN", "#VBD", "ADVP"]
    assert [gaps.symbols.tags[i] for i in gaps.tags] == ["DT", "NN", "VBD", "RB"]


@given(trees)
def test_round_trip(tree):
    gaps = to_gaps(tree)
    assert from_gaps(gaps) == tree
    assert format_gaps(gaps) == format_tree(tree)


def test_a_parent_waits_for_its_highest_child():
    gaps = to_gaps(parse_tree("(S (A a) (B (C (D d) (E e)) (F f)) (G g))"))
    assert gaps.heights.tolist() == [3, 1, 2, 3]


def test_spans_are_numbered():
    tree = from_gaps(to_gaps(parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")))
    assert [node.span for node in tree.subtrees()] == [(0, 3), (0, 2), (0, 1), (1, 2), (2, 3), (2, 3)]


def test_any_labels_give_a_tree_with_every_word():
    symbols = Symbols(["_S", "#DT", "NP"], ["T"])

    def tree(labels):
        ids = np.array(labels, np.int32)
        gaps = Gaps(
            ["a", "b", "c"],
            np.zeros(3, np.int32),
            np.full(3, 1, np.int32),
            np.array([1, 2], np.int32),
            ids,
            symbols,
        )
        made = from_gaps(gaps)
        assert format_gaps(gaps) == format_tree(made)
        return made

    assert tree([0, 0]) == parse_tree("(S (T a) (T b) (T c))")
    assert tree([2, 1]) == parse_tree("( (NP (T a) (T b)) (T c))")
    assert tree([1, 2]) == parse_tree("(NP (T a) (T b) (T c))")
    assert tree([-1, -1]) == parse_tree("( (T a) (T b) (T c))")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(S (NP the (NN cat)))", "'the' stands beside"),
        ("(S (NP) (NN cat))", "'NP' is empty"),
        ("(S a b)", "'a'"),
    ],
)
def test_trees_that_cannot_be_used_say_why(text, what):
    with pytest.raises(TreeError, match=what):
        to_gaps(parse_tree(text))


def test_ten_thousand_levels():
    unary = branching = Tree("T", ["w"])
    for i in range(10_000):
        unary = Tree("AB"[i % 2], [unary])
        branching = Tree("X", [Tree("T", ["v"]), branching])
    for tree in (unary, branching):
        assert from_gaps(to_gaps(tree)) == tree
