from __future__ import annotations

from hypothesis import assume, given

from nccp.analysis.attachment import Attachments
from nccp.scoring import COLLINS
from nccp.scoring.matching import match
from nccp.trees import parse_tree
from tests.analysis.test_errors import HIGH, LOW
from tests.conftest import trees
from tests.scoring.test_matching import other_tree


def count(gold: str, pred: str, **options: bool) -> Attachments:
    found = Attachments(**options)
    found.add(match(parse_tree(gold), parse_tree(pred), COLLINS))
    return found


def test_a_phrase_under_another_parent():
    found = count(HIGH, LOW)
    assert found.wrong == {("PP", "VP", "NP"): 1, ("NP", "VP", "NP"): 1}  # PP, and "the man" below the new NP
    assert found.found == {"NP": 2, "PP": 1}
    assert found.right == {"NP": 1}  # "a hat" in its PP
    assert found.errors() == [("NP", 1), ("PP", 1)]
    assert found.confusions("PP") == [(("VP", "NP"), 1)]
    assert found.to_dict()["PP"] == {
        "found": 1,
        "wrong": 1,
        "parents": [{"gold": "VP", "predicted": "NP", "count": 1}],
    }


def test_trees_alike_have_no_errors():
    assert count(LOW, LOW).wrong == {}
    assert count(LOW, LOW).to_dict() == {}


def test_a_parent_of_the_same_label_elsewhere_is_another():
    gold = "(NP (NP (N a)) (PP (P of) (NP (NP (N b)) (PP (P in) (N c)))))"
    pred = "(NP (NP (NP (N a)) (PP (P of) (NP (N b)))) (PP (P in) (N c)))"
    assert count(gold, pred).wrong["PP", "NP", "NP"] == 1


def test_by_the_end():
    gold = "(S (X (A a) (NP (B b) (C c))) (D d))"
    pred = "(S (A a) (X (NP (B b) (C c))) (D d))"
    longer = "(S (A a) (X (NP (B b) (C c)) (D d)))"
    assert count(gold, longer).wrong == count(gold, longer, by_end=True).wrong == {("NP", "X", "X"): 1}
    assert count(gold, pred).wrong == {("NP", "X", "S"): 1}
    begun = "(S (D d) (X (A a) (NP (B b) (C c))))"
    moved = "(S (X (D d) (A a) (NP (B b) (C c))))"
    assert count(begun, moved).wrong == {("NP", "X", "X"): 1}
    assert count(begun, moved, by_end=True).wrong == {}


@given(gold=trees, pred=trees)
def test_counts_add_up(gold, pred):
    pred = other_tree(gold, pred)
    assume(pred is not None)
    found = Attachments()
    found.add(match(gold, pred, COLLINS))
    assert found.found.total() == found.right.total() + found.wrong.total()
