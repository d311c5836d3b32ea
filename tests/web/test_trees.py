"""Trees of the API: their nodes, and the brackets that differ, which are those that EVALB counts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.scoring import Status
from nccp.trees import Tree, parse_tree
from nccp.web.scores import compare, pair_score, total_score
from nccp.web.trees import list_nodes
from tests.conftest import trees

LABELS = st.sampled_from(["S", "NP", "NP-SBJ", "ADVP", "PRT", "TOP", ""])
TAGS = st.sampled_from(["DT", "NN", ".", ",", "``"])


@st.composite
def pairs(draw):
    """Two trees over the same words."""
    words = [f"w{i}" for i in range(draw(st.integers(1, 9)))]

    def grow(start, end, depth):
        if depth and (end - start == 1 or depth > 6):
            made = [Tree(draw(TAGS), [words[i]]) for i in range(start, end)]
            return made[0] if len(made) == 1 and draw(st.booleans()) else Tree(draw(LABELS), made)
        cuts = sorted(draw(st.sets(st.integers(start, end))) | {start, end})
        return Tree(draw(LABELS), [grow(a, b, depth + 1) for a, b in pairwise(cuts)])

    return grow(0, len(words), 0), grow(0, len(words), 0)


@given(pairs())
def test_as_many_as_evalb_counts(pair):
    found = compare(*pair)
    if found.score.status is Status.VALID:
        assert len(found.only_left) == found.score.gold - found.score.matched
        assert len(found.only_right) == found.score.test - found.score.matched
    for only, tree in zip((found.only_left, found.only_right), pair):
        tree.set_spans()
        spans = [(node.label(), *node.span) for node in tree.subtrees()]
        assert all(bracket in spans for bracket in only)


@given(trees)
def test_a_tree_and_itself(tree):
    found = compare(tree, tree)
    assert found.only_left == found.only_right == found.tags_wrong == []


def test_punctuation_is_left_out_but_places_are_the_trees():
    gold = parse_tree("(S (`` w) (NP (DT a) (, b)) (VP (VB c)))")
    other = parse_tree("(S (`` w) (NP (DT a)) (, b) (VX (VB c)))")
    found = compare(gold, other)
    assert (found.only_left, found.only_right) == ([("VP", 3, 4)], [("VX", 3, 4)])


def test_what_evalb_will_not_score():
    gold, other = parse_tree("(S (NP (NN a)) (. b))"), parse_tree("(S (VP (NN a)) (NN b))")
    found = compare(gold, other)
    assert pair_score(found.score).message == "Length unmatch (1|2)"
    assert (found.only_left, found.only_right) == ([("NP", 0, 1)], [("VP", 0, 1)])
    assert found.tags_wrong == [1]
    assert total_score([found.score]).f1 == 0
    nothing = compare(parse_tree("(S (. a))"), parse_tree("(S (. a))"))
    assert pair_score(nothing.score).message == "the sentence has only punctuation"
    with pytest.raises(Exception, match="same words"):
        compare(gold, parse_tree("(S (NN x) (. b))"))


def rebuilt(nodes):
    """The tree that a list of nodes describes."""
    made = [Tree(node.label, [node.word] if node.word is not None else []) for node in nodes]
    for node, tree in zip(nodes, made):
        if node.parent is not None:
            made[node.parent].append(tree)
    return made[0]


@given(trees)
def test_nodes_are_the_tree(tree):
    nodes = list_nodes(tree)
    assert rebuilt(nodes) == tree
    tree.set_spans()
    assert [(node.start, node.end) for node in nodes] == [node.span for node in tree.subtrees()]
    assert all(node.score is None and node.weight is None for node in nodes)


def test_nodes_without_words():
    nodes = list_nodes(parse_tree("(S (NP) (VP (X) (VB a)) (NP))"))
    assert [(node.label, node.start, node.end, node.parent, node.word) for node in nodes] == [
        ("S", 0, 1, None, None),
        ("NP", 0, 0, 0, None),
        ("VP", 0, 1, 0, None),
        ("X", 0, 0, 2, None),
        ("VB", 0, 1, 2, "a"),
        ("NP", 1, 1, 0, None),
    ]


def test_very_deep():
    assert len(list_nodes(parse_tree("(S" * 5000 + " (T a)" + ")" * 5000))) == 5001
