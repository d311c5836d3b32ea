from __future__ import annotations

import pytest

from nccp.languages import LANGUAGES
from nccp.languages.english.heads import collins_head


@pytest.mark.parametrize(
    ("parent", "children", "head"),
    [
        ("NP", "DT JJ NN", "NN"),
        ("NP", "NP PP", "NP"),
        ("NP", "NNP POS", "POS"),
        ("NP", "DT JJ", "JJ"),
        ("NP", "DT CD", "CD"),
        ("NP", "PRP RB", "RB"),
        ("NP", "EX DT", "DT"),  # nothing that the rules know: the last
        ("VP", "MD RB VP", "MD"),
        ("VP", "ADVP VBD NP", "VBD"),
        ("PP", "ADVP IN NP", "IN"),
        ("S", "NP VP", "VP"),
        ("S", "ADVP NP", "NP"),
        ("SBAR", "IN S", "IN"),
        ("ADVP", "RB RB", "RB"),
        ("QP", "IN CD", "IN"),
        ("FRAG", "NP ADVP", "ADVP"),
        ("UCP", "NP CC ADJP", "NP"),  # the last one, but it is coordinated
    ],
)
def test_collins_heads(parent, children, head):
    children = children.split()
    found = collins_head(parent, children)
    assert children[found] == head


def test_sides():
    assert collins_head("ADVP", ["RB", "RB"]) == 1
    assert collins_head("VP", ["VP", "CC", "VP"]) == 0
    assert collins_head("NP", ["NP", "CC", "NP"]) == 0
    assert collins_head("NP", ["NN", "CC", "NN"]) == 0
    assert collins_head("NP", ["CC", "NN"]) == 1


@pytest.mark.parametrize(
    ("language", "parent", "children", "head"),
    [
        ("id", "NP", "ART NNO ADJ", "NNO"),
        ("id", "NP", "NP RPN", "NP"),
        ("id", "S", "NP VP", "VP"),
        ("id", "S", "NP NP", "NP"),  # a clause without a verb
        ("id", "VP", "NEG VP", "VP"),
        ("id", "PP", "PPO NNO", "PPO"),
        ("id", "NP", "NNO CCN NNO", "NNO"),
        ("is", "TOP", "S", "S"),
        ("is", "IP", "NP VP", "VP"),
        ("is", "VP", "VP NP PP", "VP"),
        ("is", "NP", "lo no NP", "no"),
        ("is", "PP", "P NP", "P"),
        ("is", "CP", "C IP", "C"),
    ],
)
def test_heads_of_other_languages(language, parent, children, head):
    children = children.split()
    assert children[LANGUAGES[language].find_head(parent, children)] == head


@pytest.mark.parametrize(("language", "conjunction"), [("id", "CCN"), ("is", "C")])
def test_the_first_conjunct_is_the_head(language, conjunction):
    assert LANGUAGES[language].find_head("NP", ["NP", conjunction, "NP"]) == 0


def test_where_no_rule_speaks():
    assert collins_head("IP-MAT", ["PP", "VB"]) is None
    assert collins_head("NP", []) is None
