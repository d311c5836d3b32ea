"""Every kind of fault on trees made for it; and that each unmatched bracket has exactly one."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from nccp.analysis.errors import KINDS, Errors, find_faults
from nccp.scoring import BUILT_IN, COLLINS
from nccp.scoring.matching import match
from nccp.trees import parse_tree
from tests.conftest import trees
from tests.scoring.test_matching import other_tree

LOW = "(VP (V saw) (NP (NP (D the) (N man)) (PP (P with) (NP (D a) (N hat)))))"
HIGH = "(VP (V saw) (NP (D the) (N man)) (PP (P with) (NP (D a) (N hat))))"


def faults(gold: str, pred: str) -> list[tuple[str, str, str]]:
    found = find_faults(match(parse_tree(gold), parse_tree(pred), COLLINS))
    return [(one.kind, "missed" if one.is_missed else "extra", one.what) for one in found]


def test_label():
    assert faults("(S (NP (A a) (B b)) (E c))", "(S (VP (A a) (B b)) (E c))") == [
        ("label", "missed", "NP → VP"),
        ("label", "extra", "NP → VP"),
    ]


def test_unary():
    assert faults("(S (VP (A a) (B b)))", "(VP (A a) (B b))") == [("unary", "missed", "S")]
    assert faults("(S (A a) (B b))", "(S (A a) (NP (NP (B b))))") == [
        ("level", "extra", "NP"),
        ("level", "extra", "NP"),
    ]
    assert faults("(S (A a) (NP (B b)))", "(S (A a) (NP (NP (B b))))") == [("unary", "extra", "NP")]


def test_coordination():
    gold = "(S (NP (N a) (CC and) (N b)) (PP (P of) (N c)))"
    pred = "(S (N a) (CC and) (NP (N b) (PP (P of) (N c))))"
    assert faults(gold, pred)[0] == ("coordination", "missed", "NP")


def test_attachment_of_an_adjunct():
    assert faults(LOW, HIGH) == [("attachment", "missed", "PP")]
    assert faults(HIGH, LOW) == [("attachment", "extra", "PP")]


def test_attachment_by_a_common_end():
    gold = "(S (VP (V saw) (NP (N it)) (ADVP (R then))) (N x))"
    pred = "(S (VP (V saw) (NP (N it))) (ADVP (R then)) (N x))"
    assert faults(gold, pred) == [("attachment", "missed", "ADVP"), ("attachment", "extra", "ADVP")]


def test_boundary():
    gold, pred = "(S (NP (A a) (B b)) (E c))", "(S (A a) (NP (B b) (E c)))"
    assert faults("(S (NP (A a) (B b)) (E c) (D d))", "(S (NP (A a) (B b) (E c)) (D d))") == [
        ("boundary", "missed", "NP"),
        ("boundary", "extra", "NP"),
    ]
    assert faults(gold, pred) == [("crossing", "missed", "NP"), ("crossing", "extra", "NP")]


def test_level():
    flat, deep = "(NP (D a) (N b) (N c))", "(NP (D a) (NML (N b) (N c)))"
    assert faults(deep, flat) == [("level", "missed", "NML")]
    assert faults(flat, deep) == [("level", "extra", "NML")]


def test_counts():
    errors = Errors()
    for gold, pred in ((LOW, HIGH), ("(S (NP (A a) (B b)) (E c))", "(S (VP (A a) (B b)) (E c))")):
        errors.add(find_faults(match(parse_tree(gold), parse_tree(pred), COLLINS)))
    assert errors.missed == {"attachment": 1, "label": 1}
    assert errors.extra == {"label": 1}
    assert errors.confusions == {("NP", "VP"): 1}
    made = errors.to_dict()
    assert made["kinds"]["attachment"] == {"missed": 1, "extra": 0, "most": {"PP": 1}}
    assert made["confusions"] == [{"gold": "NP", "predicted": "VP", "count": 1}]


@pytest.mark.parametrize("name", sorted(BUILT_IN))
@given(gold=trees, pred=trees)
def test_every_unmatched_bracket_has_one_fault(name, gold, pred):
    pred = other_tree(gold, pred)
    assume(pred is not None)
    for one, two in ((gold, pred), (pred, gold)):
        found = match(one, two, BUILT_IN[name])
        listed = find_faults(found)
        assert sorted(fault.place for fault in listed if fault.is_missed) == found.missed
        assert sorted(fault.place for fault in listed if not fault.is_missed) == found.extra
        assert {fault.kind for fault in listed} <= set(KINDS)
        errors = Errors()
        errors.add(listed)
        assert errors.total == len(found.missed) + len(found.extra)
        assert errors.missed["label"] == errors.extra["label"] == errors.confusions.total()
