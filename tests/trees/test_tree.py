"""Tree: spans, scores, depth, and staying an nltk tree."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
from nltk.tree import ImmutableTree
from nltk.tree import Tree as NltkTree

from nccp.trees.brackets import parse_tree
from nccp.trees.tree import Tree

TEXT = "(S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB very) (RB loudly))))"
DEPTH = 10_000


def chain(depth: int = DEPTH) -> Tree:
    tree = Tree("X", ["word"])
    for _ in range(depth - 1):
        tree = Tree("X", [tree])
    return tree


def spans(tree: Tree) -> list[tuple[str, tuple[int, int] | None]]:
    return [(node.label(), node.span) for node in tree.subtrees()]


def test_spans_of_a_read_tree() -> None:
    assert spans(parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")) == [
        ("S", (0, 3)), ("NP", (0, 2)), ("DT", (0, 1)), ("NN", (1, 2)), ("VP", (2, 3)), ("VBZ", (2, 3)),
    ]  # fmt: skip


def test_spans_with_words_beside_phrases_and_empty_nodes() -> None:
    tree = parse_tree("(S (E) (NP the (NN dog) (E)) (VP (V barks) now))")
    assert [span for _, span in spans(tree)] == [(0, 4), None, (0, 2), (1, 2), None, (2, 4), (2, 3)]


def test_a_tree_made_by_hand_has_no_span_until_it_is_numbered() -> None:
    tree = Tree("S", [Tree("NP", ["a"]), Tree("VP", ["b"])])
    assert tree.span is None
    assert tree.set_spans() == 2
    assert [span for _, span in spans(tree)] == [(0, 2), (0, 1), (1, 2)]
    assert tree.set_spans(5) == 7
    assert tree.span == (5, 7)


def test_phrases_follow_what_becomes_of_their_children() -> None:
    tree = parse_tree(TEXT)
    del tree[1]
    assert tree.span == (0, 2)


def test_score() -> None:
    tree = parse_tree(TEXT)
    assert tree.score is None
    tree[0].score = 0.5
    assert tree.copy(deep=True)[0].score == 0.5
    assert pickle.loads(pickle.dumps(tree))[0].score == 0.5


def test_walks_agree_with_nltk() -> None:
    ours, theirs = parse_tree(TEXT), NltkTree.fromstring(TEXT)
    assert ours.leaves() == ours.words() == theirs.leaves()
    assert ours.pos() == theirs.pos()
    assert ours.tags() == ["DT", "NN", "VBZ", "RB", "RB"]
    assert ours.height() == theirs.height() == 5
    assert list(ours.subtrees()) == list(theirs.subtrees())
    assert [t.label() for t in ours.subtrees(lambda t: t.height() == 2)] == ours.tags()
    assert str(ours) == str(theirs)
    assert ours.productions() == theirs.productions()
    assert ours.treepositions() == theirs.treepositions()


@pytest.mark.parametrize(("text", "height"), [("(A)", 1), ("(A b)", 2), ("(A (B))", 2), ("(A (B c) (D))", 3)])
def test_height_of_small_trees(text: str, height: int) -> None:
    assert parse_tree(text).height() == NltkTree.fromstring(text).height() == height


def test_is_preterminal() -> None:
    tree = parse_tree("(S (DT the) (NP a b) (E) (NP (NN dog)))")
    assert [node.is_preterminal for node in tree] == [True, False, False, False]


def test_is_mark() -> None:
    tree = parse_tree("(S (NP (NN one)) (: --) (. 。) (CD 1.5) (, , ,) (X (. .)))")
    assert [node.is_mark for node in tree] == [False, True, True, False, False, False]


def test_equality() -> None:
    tree = parse_tree(TEXT)
    assert tree == parse_tree(TEXT)
    assert tree == NltkTree.fromstring(TEXT)
    assert NltkTree.fromstring(TEXT) == tree
    assert tree != parse_tree(TEXT.replace("dog", "cat"))
    assert tree != parse_tree(TEXT.replace("NN", "NNS"))
    assert tree != parse_tree("(S)")
    assert tree != "S"
    assert Tree("S", ["NP"]) != Tree("S", [Tree("NP", [])])
    assert tree != ImmutableTree.convert(tree)
    assert ImmutableTree.convert(tree) != tree
    with pytest.raises(TypeError):
        hash(tree)


@pytest.mark.parametrize(
    ("less", "more"),
    [("(A b)", "(B a)"), ("(A b)", "(A c)"), ("(A b)", "(A b c)"), ("(A (B c) (D e))", "(A (B c) (D f))")],
)
def test_order(less: str, more: str) -> None:
    one, two = parse_tree(less), parse_tree(more)
    assert one < two
    assert two > one
    assert not two < one
    assert not one < parse_tree(less)


def test_copies_are_ours_and_independent() -> None:
    tree = parse_tree(TEXT)
    shallow, deep = tree.copy(), tree.copy(deep=True)
    assert shallow == deep == tree == copy.deepcopy(tree) == copy.copy(tree)
    assert shallow[0] is tree[0]
    assert {type(node) for node in deep.subtrees()} == {Tree}
    deep[0].set_label("X")
    assert tree[0].label() == "NP"
    assert deep.span == tree.span == (0, 5)


def test_convert_from_nltk() -> None:
    tree = Tree.convert(NltkTree.fromstring(TEXT))
    assert {type(node) for node in tree.subtrees()} == {Tree}
    assert Tree.convert("word") == "word"
    assert tree.flatten() == parse_tree("(S the dog barks very loudly)")
    assert type(tree.flatten()) is Tree


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    tree = parse_tree("(S (NP the (NN dog)) (E) (VP (V barks)))")
    again = pickle.loads(pickle.dumps(tree, protocol))
    assert again == tree
    assert spans(again) == spans(tree)
    assert type(again) is type(again[0]) is Tree


def test_nltk_transforms_give_our_nodes() -> None:
    tree = parse_tree("(S (A a) (B b) (C c) (D (E (F f))))")
    tree.chomsky_normal_form()
    tree.collapse_unary()
    assert {type(node) for node in tree.subtrees()} == {Tree}
    assert tree.span == (0, 4)
    tree.un_chomsky_normal_form()
    assert {type(node) for node in tree.subtrees()} == {Tree}
    assert tree == parse_tree("(S (A a) (B b) (C c) (D (E (F f))))")


def test_nltk_tools() -> None:
    tree = parse_tree(TEXT)
    out = io.StringIO()
    tree.pretty_print(stream=out)
    assert "loudly" in out.getvalue()
    assert tree[1, 0, 0] == "barks"
    assert tree.freeze().leaves() == tree.leaves()
    assert Tree.fromstring(TEXT) == tree


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # nltk's use of pyparsing
def test_tgrep() -> None:
    pytest.importorskip("pyparsing")  # nltk's tgrep needs it
    from nltk.tgrep import tgrep_nodes

    assert [node for found in tgrep_nodes("NP < DT", [parse_tree(TEXT)]) for node in found] == [
        parse_tree(TEXT)[0]
    ]


def test_deep_trees() -> None:
    tree = chain()
    assert tree.leaves() == ["word"]
    assert tree.pos() == [("word", "X")]
    assert tree.height() == DEPTH + 1
    assert sum(1 for _ in tree.subtrees()) == DEPTH
    assert tree == chain()
    assert tree != chain(DEPTH - 1)
    assert not tree < chain()
    assert tree.copy(deep=True) == copy.deepcopy(tree) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree.set_spans() == 1
    assert tree.span == (0, 1)
    assert str(tree).startswith("(X (X ")
