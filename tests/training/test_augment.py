from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.config import DataConfig, TreebankConfig
from nccp.training.augment import change_case, drop_stop, drop_tags, join_hyphens, respell
from nccp.training.corpus import read_corpus
from nccp.trees import format_tree, parse_tree


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "(NP (DT a) (ADJP (RB well) (HYPH -) (VBN known)) (NN law))",
            "(NP (DT a) (JJ well-known) (NN law))",
        ),
        ("(NP (NN T) (HYPH -) (NN cell) (NNS counts))", "(NP (NN T-cell) (NNS counts))"),
        ("(NP (NN hand) (HYPH -) (VBN made) (NNS tools))", "(NP (JJ hand-made) (NNS tools))"),
        ("(NP (NN tool) (HYPH -) (VBG making))", "(NP (NN tool-making))"),
        (
            "(NP (NN up) (HYPH -) (IN to) (HYPH -) (NN date) (NNS lists))",
            "(NP (NN up-to-date) (NNS lists))",
        ),
        (
            "(VP (VBZ is) (ADJP (RB well) (HYPH -) (VBN known)))",
            "(VP (VBZ is) (ADJP (JJ well-known)))",
        ),
        ("(NP (NP (NN a)) (HYPH -) (NP (NN b)))", "(NP (NP (NN a)) (HYPH -) (NP (NN b)))"),
        ("(NP (HYPH -) (NN b))", "(NP (HYPH -) (NN b))"),
    ],
)
def test_hyphens(before, after):
    tree = parse_tree(before)
    assert format_tree(join_hyphens(tree)) == after
    assert format_tree(tree) == before


def test_stops_and_quotes():
    tree = parse_tree("(S (`` ``) (NP (NP (PRP It))) (VP (VBZ holds)) (. .) ('' ''))")
    assert drop_stop(tree) is tree
    bare = drop_tags(tree, ("``", "''"))
    assert format_tree(bare) == "(S (NP (PRP It)) (VP (VBZ holds)) (. .))"
    assert format_tree(drop_stop(bare)) == "(S (NP (PRP It)) (VP (VBZ holds)))"
    alone = parse_tree("(FRAG (. ?))")
    assert drop_stop(alone) is alone


def test_case():
    tree = parse_tree("(NP (-LRB- -LRB-) (NNP Rome))")
    assert change_case(tree, str.upper).leaves() == ["-LRB-", "ROME"]


@given(seed=st.integers(0, 2**32))
def test_letters_survive(seed):
    tree = parse_tree(
        "(S (`` ``) (NP (DT The) (ADJP (RB well) (HYPH -) (VBN known)) (NN law)) (VP (VBZ holds)) (. .))"
    )
    found = respell(tree, np.random.default_rng(seed))
    letters = "".join(word for word, tag in found.pos() if tag not in ("``", "''", "."))
    assert letters.lower() == "thewell-knownlawholds"
    assert found.span == (0, len(found.leaves()))


def test_a_share_of_the_training_trees(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("(S (NP (DT The) (NN law)) (VP (VBZ holds)) (. .))\n" * 400)
    bank = TreebankConfig(path=str(path), format="brackets", train="all", dev="all")
    corpus = read_corpus(DataConfig(treebanks=(bank,), respell=0.5))
    share = sum(
        tree is not plain for tree, plain in zip(corpus.draw_spelling(range(400), 0.5, (0, 1)), corpus.train)
    )
    assert 150 < share < 250
    assert corpus.draw_spelling(range(3), 0.0, (0, 1)) == corpus.train[:3]
    assert any(len(tree) == 3 for tree in corpus.respelled)
