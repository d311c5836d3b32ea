from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nccp.analysis.combination_order import Internals, count_internals
from nccp.trees import FACTORS, Symbols, binarize, to_gaps
from tests.analysis.parses import binary, plain
from tests.conftest import trees


def count(*texts: str) -> Internals:
    found = Internals()
    for text in texts:
        found.add(binary(text))
    return found


def test_a_noun_phrase_from_the_left():
    found = count("(NP (_NP (DT the) (JJ old)) (NN cat))")
    assert found.flat == {"NP": 1}
    assert found.first == {("NP", "DT", "JJ"): 1}
    assert found.early == {"DT": 1, "JJ": 1}
    assert found.late == {"NN": 1}
    assert found.side == {"left": 1}


def test_four_children_in_two_pairs():
    found = count("(X (_X (A a) (B b)) (_X (C c) (D d)))")
    assert found.first == {("X", "A", "B"): 1, ("X", "C", "D"): 1}
    assert found.side == {"left": 1, "right": 1}
    assert found.late == {}


def test_from_the_inside():
    found = count("(X (A a) (_X (_X (B b) (C c)) (D d)))")
    assert found.first == {("X", "B", "C"): 1}
    assert (found.side, found.late) == ({"inside": 1}, {"A": 1})


def test_constituents_are_children_under_their_highest_label():
    found = count("(S (_S (SBAR (S (A a) (B b))) (NP (C c))) (. .))")
    assert found.first == {("S", "SBAR", "NP"): 1}
    assert found.children == {"SBAR": 1, "NP": 1, ".": 1}
    assert found.late == {".": 1}


def test_pairs_have_nothing_inside():
    assert count("(S (NP (A a) (B b)) (C c))", "(S (A a))").flat == {}


def test_a_part_on_top():
    found = count("(_S (_S (A a) (B b)) (C c))")
    assert found.flat == {"S": 1}
    assert found.to_dict()["first"] == [{"parent": "S", "left": "A", "right": "B", "count": 1}]
    assert count_internals([plain("(S (A a) (B b))")]) == Internals()


@given(tree=trees, factor=st.sampled_from(sorted(FACTORS)))
def test_flat_constituents_are_those_of_the_tree(tree, factor):
    found = Internals()
    found.add(binarize(to_gaps(tree, Symbols()), factor))
    flat = [node for node in tree.subtrees() if len(node) > 2]
    assert found.flat.total() == len(flat)
    assert found.children.total() == sum(map(len, flat))
    assert found.side.total() == found.first.total() >= len(flat)
    assert all(found.early[name] + found.late[name] <= found.children[name] for name in found.children)
    if factor == "left":
        assert found.side["left"] == len(flat)
