"""NLTK's way of asking gives the parser's own trees."""

from __future__ import annotations

import pytest
from nltk.parse.api import ParserI
from nltk.tree import Tree as AnyNltkTree

from nccp import load
from nccp.integrations.nltk import NltkParser

WORDS = ["The", "cat", "sat", "(", "1/2", ")", "."]


@pytest.fixture(scope="module")
def ours(bundle):
    return load(bundle)


@pytest.fixture(scope="module")
def theirs(bundle):
    return NltkParser(bundle)


def test_one_tree_for_a_sentence(ours, theirs):
    assert isinstance(theirs, ParserI)
    (tree,) = theirs.parse(WORDS)
    assert isinstance(tree, AnyNltkTree)
    assert tree == ours.parse(WORDS).tree
    assert theirs.parse_one(WORDS) == tree
    assert list(theirs.parse([])) == []


def test_many_sentences(ours, theirs):
    sentences = [WORDS, [], WORDS[:2]]
    found = [list(trees) for trees in theirs.parse_sents(sentences)]
    assert found == [[ours.parse(WORDS).tree], [], [ours.parse(WORDS[:2]).tree]]


def test_text_and_tags(ours, theirs):
    text = "The cat sat. It slept."
    assert list(theirs.raw_parse(text)) == [parse.tree for parse in ours.parse_text(text)]
    (tree,) = theirs.tagged_parse([("The", "X"), ("cat", "Y")])
    assert tree.pos() == [("The", "X"), ("cat", "Y")]
