"""Matching by node agrees with EVALB's counts, which have tests of their own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nccp.scoring import BUILT_IN, COLLINS, Status, score_pair
from nccp.scoring.matching import match, read_brackets
from nccp.trees import Tree, parse_tree
from tests.conftest import trees

GOLD = "(S (NP (DT the) (NN man)) (, ,) (VP (VBD ran) (PRT (RP off)) (NP (NN home))) (. .))"
PRED = "(S (NP (DT the) (NN man) (, ,)) (VP (VBD ran) (ADVP (RP off) (NN home))) (. .))"


def test_spans_are_over_words_that_count():
    brackets = read_brackets(parse_tree(GOLD), [True, True, False, True, True, True, False], COLLINS)
    assert [(node.label, *node.span) for node in brackets.nodes] == [
        ("S", 0, 5),
        ("NP", 0, 2),
        ("VP", 2, 5),
        ("PRT", 3, 4),
        ("NP", 4, 5),
    ]
    assert brackets.tags == ["DT", "NN", "VBD", "RP", "NN"]
    assert [node.parent for node in brackets.nodes] == [-1, 0, 0, 2, 2]
    assert [part.label for part in brackets.nodes[2].parts] == ["VBD", "PRT", "NP"]
    assert [part.is_word for part in brackets.nodes[2].parts] == [True, False, False]


def test_match():
    found = match(parse_tree(GOLD), parse_tree(PRED), COLLINS)
    label = lambda brackets, places: [brackets.nodes[place].label for place in places]
    assert label(found.gold, [one for one, _ in found.pairs]) == ["S", "NP", "VP"]
    assert label(found.gold, found.missed) == ["PRT", "NP"]
    assert label(found.pred, found.extra) == ["ADVP"]
    assert found.gold.host(found.gold.nodes[3]) == found.gold.nodes[2]
    assert found.gold.host(found.gold.nodes[0]) is None


def test_labels_that_are_equal():
    found = match(parse_tree("(VP (A a) (PRT (B b)))"), parse_tree("(VP (A a) (ADVP (B b)))"), COLLINS)
    assert (len(found.pairs), found.missed, found.extra) == (2, [], [])


def test_the_host_of_a_chain_is_above_the_chain():
    brackets = read_brackets(parse_tree("(S (NP (NP (A a))) (B b))"), [True, True], COLLINS)
    assert [brackets.host(node) for node in brackets.nodes] == [None, brackets.nodes[0], brackets.nodes[0]]


def other_tree(tree: Tree, other: Tree) -> Tree | None:
    """The second tree over the first one's words, if it has enough places."""
    words = tree.pos()
    places = [node for node in other.subtrees() if node.is_preterminal]
    if len(places) != len(words):
        return None
    for node, (word, tag) in zip(places, words):
        node[0] = word
        node.set_label(tag)
    return other


@given(gold=trees, pred=trees, name=st.sampled_from(sorted(BUILT_IN)))
def test_counts_are_those_of_evalb(gold, pred, name):
    pred = other_tree(gold, pred) or gold.copy(deep=True)
    expected = score_pair(gold, pred, BUILT_IN[name])
    if expected.status is Status.VALID:
        found = match(gold, pred, BUILT_IN[name])
        assert (len(found.pairs), len(found.missed), len(found.extra)) == (
            expected.matched,
            len(expected.missed),
            len(expected.extra),
        )
        crossing = sum(found.gold.crosses(node.span) for node in found.pred.nodes)
        assert crossing == expected.crossing
