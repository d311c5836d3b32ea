"""Respelling of English training sentences, so that the parser does not depend on edited text.

    (S (NP (DT The) (ADJP (RB well) (HYPH -) (VBN known)) (NN law)) (VP (VBZ holds)) (. .))

    ->  (S (NP (DT the) (JJ well-known) (NN law)) (VP (VBZ holds)))

Chats and forums have no capitals, headings nothing but; many sentences end without a stop; treebanks differ
on whether a hyphen is a word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from nccp.treebanks.cleaning import EMPTY_TAG, remove_empty
from nccp.trees import Tree

QUOTES = ("``", "''")
_VERBS = ("VBN", "VBG", "VBD")
_CASES: tuple[Callable[[str], str], ...] = (str.lower, str.lower, str.upper, str.title)


def respell(tree: Tree, rng: np.random.Generator) -> Tree:
    """The sentence in another spelling, changed at random in several ways; unchanged if none applies."""
    if rng.random() < 0.7:
        tree = join_hyphens(tree)
    if rng.random() < 0.3:
        tree = drop_tags(tree, QUOTES)
    if rng.random() < 0.5:
        tree = drop_stop(tree)
    if rng.random() < 0.5:
        tree = change_case(tree, _CASES[rng.integers(len(_CASES))])
    return tree


def change_case(tree: Tree, case: Callable[[str], str]) -> Tree:
    """All words in another case: lower, upper or title case; escapes (-LRB-) stay."""
    tree = tree.copy(deep=True)
    for node in tree.subtrees(lambda node: node.is_preterminal):
        if not node[0].startswith("-"):
            node[0] = case(node[0])
    return tree


def drop_stop(tree: Tree) -> Tree:
    """Remove the full stop, question or exclamation mark at the end.

    ::

        (S (NP (PRP It)) (VP (VBZ holds)) (. .))    ->    (S (NP (PRP It)) (VP (VBZ holds)))
    """
    pos = tree.pos()
    return _drop(tree, {len(pos) - 1}) if pos[-1][1] == "." else tree


def drop_tags(tree: Tree, tags: Collection[str]) -> Tree:
    """Remove the words with these tags."""
    return _drop(tree, {i for i, tag in enumerate(tree.tags()) if tag in tags})


def join_hyphens(tree: Tree) -> Tree:
    """Join hyphens that are separate words with both neighbours in the same constituent.

    ::

        (NP (DT a) (ADJP (RB well) (HYPH -) (VBN known)) (NN law))  ->  (NP (DT a) (JJ well-known) (NN law))
        (NP (NN T) (HYPH -) (NN cell) (NNS counts))                 ->  (NP (NN T-cell) (NNS counts))

    An ADJP that becomes one word stays only outside of noun phrases.
    """
    if "HYPH" not in tree.tags():
        return tree
    tree = tree.copy(deep=True)
    joined = set()
    for node in list(tree.subtrees(lambda node: not node.is_preterminal)):
        i = 1
        while i < len(node) - 1:
            left, hyphen, right = node[i - 1 : i + 2]
            if hyphen.label() == "HYPH" and left.is_preterminal and right.is_preterminal:
                tag = "JJ" if node.label() == "ADJP" else right.label()
                if tag in _VERBS:  # hand-made tools, decision-making
                    tag = "NN" if i + 2 == len(node) else "JJ"
                node[i - 1 : i + 2] = [Tree(tag, [left[0] + hyphen[0] + right[0]])]
                joined.add(id(node))
            else:
                i += 1
    for node in list(tree.subtrees(lambda node: node.label() == "NP" and not node.is_preterminal)):
        node[:] = [
            child[0] if child.label() == "ADJP" and len(child) == 1 and id(child) in joined else child
            for child in node
        ]
    return _renumber(tree)


def _drop(tree: Tree, places: Collection[int]) -> Tree:
    """Remove the words at these positions; the tree stays as it is if no word would be left."""
    if not places or len(places) == len(tree.leaves()):
        return tree
    tree = tree.copy(deep=True)
    for i, node in enumerate(list(tree.subtrees(lambda node: node.is_preterminal))):
        if i in places:
            node.set_label(EMPTY_TAG)
    left = remove_empty(tree)
    assert left is not None
    for node in list(left.subtrees(lambda node: not node.is_preterminal)):
        while len(node) == 1 and not node[0].is_preterminal and node[0].label() == node.label():
            node[:] = list(node[0])  # (NP (NP a b)) arose: keep one of the two
    return _renumber(left)


def _renumber(tree: Tree) -> Tree:
    tree.set_spans()
    return tree
