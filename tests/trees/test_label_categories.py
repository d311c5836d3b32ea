"""The three label categories, against the labels that binarizing and stratifying make."""

from __future__ import annotations

from hypothesis import given

from nccp.trees import FACTORS, Symbols, binarize, parse_tree, to_gaps
from nccp.trees.label_categories import LabelCategories
from tests.conftest import trees

TREE = "(S (NP (DT the) (JJ old) (NN cat)) (VP (VBD sat) (ADVP (RB down))) (. .))"


def test_a_tree_by_hand() -> None:
    found = LabelCategories()
    found.add(parse_tree(TREE))
    found.add(parse_tree("(SBAR (S (VP (VB go) (RB on))))"))
    assert dict(found.original) == {"S": 1, "NP": 1, "VP": 1, "ADVP": 1, "SBAR+S+VP": 1}
    assert dict(found.sub) == {"_S": 1, "_NP": 1}
    assert set(found.pos) == {"#DT", "#JJ", "#NN", "#VBD", "#.", "#VB", "#RB"}
    assert found.to_dict()["sub"] == {"types": 2, "labels": {"_NP": 1, "_S": 1}}


@given(tree=trees)
def test_they_are_the_labels_that_any_factor_gives(tree) -> None:
    found, symbols = LabelCategories(), Symbols()
    found.add(tree)
    for factor in FACTORS:
        binarize(to_gaps(tree, symbols), factor)
    assert {name for _, counts in found.items() for name in counts} == set(symbols.labels)
