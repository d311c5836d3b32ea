import pytest

from nccp.errors import TreeError
from nccp.scoring.flat import Flat, flatten
from nccp.trees import Tree, parse_tree


def test_a_tree_is_laid_out() -> None:
    flat = flatten(parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat)))"))
    assert flat == Flat(["the", "cat", "sat"], ["DT", "NN", "VBD"], ["S", "NP", "VP"], [0, 0, 2], [3, 2, 3])


def test_a_failed_parse_has_no_words() -> None:
    assert flatten(None) == Flat([], [], [], [], [])
    assert flatten(Tree("", [])).words == []


def test_counts_take_words_out_and_repeat_them() -> None:
    flat = flatten(parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat)))"))
    assert flat.times([1, 1, 1]) is flat
    assert flat.times([0, 1, 0]) == Flat(["cat"], ["NN"], ["S", "NP", "VP"], [0, 0, 1], [1, 1, 1])
    assert flat.times([0, 2, 1]) == Flat(
        ["cat", "cat", "sat"], ["NN", "NN", "VBD"], ["S", "NP", "VP"], [0, 0, 2], [3, 2, 3]
    )


@pytest.mark.parametrize("tree", [Tree("NP", [Tree("DT", ["a"]), "dog"]), Tree("NP", ["a", "dog"])])
def test_words_without_a_tag_are_an_error(tree: Tree) -> None:
    with pytest.raises(TreeError, match="has no tag of its own"):
        flatten(tree)
