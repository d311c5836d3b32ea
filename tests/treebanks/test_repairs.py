"""Each rule on trees of its own, and laws that hold for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.treebanks import Cleaning, clean
from nccp.treebanks.repairs import RULES, repair
from nccp.trees import Tree, format_tree, parse_tree

CASES = {
    "wh_phrases": [
        ("(SBAR (NP (WDT that)) (S (VP (VBD ran))))", "(SBAR (WHNP (WDT that)) (S (VP (VBD ran))))"),
        (
            "(SBARQ (CC And) (NP (WP what)) (SQ (VBZ is) (NP (PRP it))) (. ?))",
            "(SBARQ (CC And) (WHNP (WP what)) (SQ (VBZ is) (NP (PRP it))) (. ?))",
        ),
        (
            "(SBAR (NP (WP$ whose) (NN dog)) (S (VP (VBD ran))))",
            "(SBAR (WHNP (WP$ whose) (NN dog)) (S (VP (VBD ran))))",
        ),
        (
            "(SBAR (NP (NP (CD one)) (PP (IN of) (NP (WDT which)))) (S (VP (VBD ran))))",
            "(SBAR (WHNP (NP (CD one)) (WHPP (IN of) (WHNP (WDT which)))) (S (VP (VBD ran))))",
        ),
        (
            "(SBAR (PP (IN in) (NP (WDT which))) (S (NP (PRP it)) (VP (VBD ran))))",
            "(SBAR (WHPP (IN in) (WHNP (WDT which))) (S (NP (PRP it)) (VP (VBD ran))))",
        ),
        (
            "(SBARQ (WHNP (NP (WDT What) (NN sort)) (PP (IN of) (NP (NNS dogs)))) (SQ (VP (VBP run))))",
            "(SBARQ (WHNP (WHNP (WDT What) (NN sort)) (PP (IN of) (NP (NNS dogs)))) (SQ (VP (VBP run))))",
        ),
    ],
    "questions": [
        (
            "(SBAR (WHADVP (WRB how)) (SQ (MD can) (NP (PRP I)) (VP (VB help))))",
            "(SBARQ (WHADVP (WRB how)) (SQ (MD can) (NP (PRP I)) (VP (VB help))))",
        ),
        (
            "(SBAR (SBAR (WHNP (WP who)) (SQ (VP (VBD ran)))) (CC and)"
            " (SBAR (WHADVP (WRB why)) (SQ (VP (VBD ran)))))",
            "(SBARQ (SBARQ (WHNP (WP who)) (SQ (VP (VBD ran)))) (CC and)"
            " (SBARQ (WHADVP (WRB why)) (SQ (VP (VBD ran)))))",
        ),
    ],
    "interjections": [
        (
            "(S (ADVP (UH Well)) (, ,) (NP (PRP I)) (VP (VBD ran)))",
            "(S (INTJ (UH Well)) (, ,) (NP (PRP I)) (VP (VBD ran)))",
        ),
        ("(NP (DT the) (UH um) (NN dog))", "(NP (DT the) (INTJ (UH um)) (NN dog))"),
        ("(NP (UH Mm) (. .))", "(INTJ (UH Mm) (. .))"),
        ("(FRAG (UH Oh) (UH no) (, ,) (NP (PRP you)))", "(FRAG (INTJ (UH Oh) (UH no)) (, ,) (NP (PRP you)))"),
        (
            "(VP (VBD took) (PP (UH like) (NP (DT a) (NN shot))))",
            "(VP (VBD took) (INTJ (UH like)) (NP (DT a) (NN shot)))",
        ),
    ],
    "list_markers": [
        ("(NP (X (LS 2.)) (NP (NNS Results)))", "(NP (LST (LS 2.)) (NP (NNS Results)))"),
        ("(S (LS 2.) (VP (VB Stir)) (. .))", "(S (LST (LS 2.)) (VP (VB Stir)) (. .))"),
    ],
    "closing_brackets": [
        (
            "(S (NP (NP (NNS proteins)) (-LRB- -LRB-) (NP (NNS BMPs))) (-RRB- -RRB-) (VP (VBP act)))",
            "(S (NP (NP (NNS proteins)) (PRN (-LRB- -LRB-) (NP (NNS BMPs)) (-RRB- -RRB-))) (VP (VBP act)))",
        ),
        (
            "(VP (VBD used) (PP (IN as) (NP (NN plasma) (-LRB- [) (NN P))) (-RRB- ]) (. .))",
            "(VP (VBD used) (PP (IN as) (NP (NN plasma) (PRN (-LRB- [) (NN P) (-RRB- ])))) (. .))",
        ),
        (
            "(S (PP (IN in) (-LRB- -LRB-) (NP (NN B))) (-RRB- -RRB-) (VP (VBD ran)))",
            "(S (PP (IN in) (NP (-LRB- -LRB-) (NP (NN B)) (-RRB- -RRB-))) (VP (VBD ran)))",
        ),
    ],
    "parentheses": [
        (
            "(PRN (-LRB- -LRB-) (CD 1985) (-RRB- -RRB-))",
            "(PRN (-LRB- -LRB-) (NP (CD 1985)) (-RRB- -RRB-))",
        ),
        (
            "(PRN (-LRB- [) (CD 3) (, ,) (CD 4) (-RRB- ]) (-LRB- [) (CD 7) (-RRB- ]))",
            "(PRN (-LRB- [) (NP (CD 3) (, ,) (CD 4)) (-RRB- ]) (-LRB- [) (NP (CD 7)) (-RRB- ]))",
        ),
        (
            "(NP (NP (NN dog)) (ADVP (-LRB- [) (CD 3) (-RRB- ])))",
            "(NP (NP (NN dog)) (PRN (-LRB- [) (NP (CD 3)) (-RRB- ])))",
        ),
        (
            "(PRN (-LRB- -LRB-) (JJ large) (-RRB- -RRB-))",
            "(PRN (-LRB- -LRB-) (ADJP (JJ large)) (-RRB- -RRB-))",
        ),
    ],
    "infinitives": [
        (
            "(S (NP (PRP me)) (S (VP (TO to) (VP (VB go)))))",
            "(S (NP (PRP me)) (VP (TO to) (VP (VB go))))",
        ),
        (
            "(VP (VP (TO to) (VP (VB go))) (CC and) (S (VP (TO to) (VP (VB see)))))",
            "(VP (VP (TO to) (VP (VB go))) (CC and) (VP (TO to) (VP (VB see))))",
        ),
    ],
    "inversions": [
        (
            "(SQ (ADVP (RB Never)) (VBP have) (NP (PRP I)) (VP (VBN slept)) (. !))",
            "(SINV (ADVP (RB Never)) (VBP have) (NP (PRP I)) (VP (VBN slept)) (. !))",
        ),
        (
            "(S (CONJP (RB Not) (RB only)) (SQ (VBD did) (NP (PRP I)) (VP (VB run))) (S (VP (VB go))))",
            "(S (CONJP (RB Not) (RB only)) (SINV (VBD did) (NP (PRP I)) (VP (VB run))) (S (VP (VB go))))",
        ),
        (
            "(S (SQ (VBD Had) (NP (PRP I)) (VP (VBN run))) (, ,) (NP (PRP I)) (VP (MD would) (VP (VB be))))",
            "(S (SBAR (SINV (VBD Had) (NP (PRP I)) (VP (VBN run)))) (, ,)"
            " (NP (PRP I)) (VP (MD would) (VP (VB be))))",
        ),
    ],
}

CORRECT = [  # trees as Penn has them
    "(SBAR (WHNP (WDT that)) (S (VP (VBD ran))))",
    "(SBAR (IN that) (S (NP (DT that)) (VP (VBD ran))))",
    "(S (NP (NP (DT the) (NN dog)) (SBAR (WHNP (WP who)) (S (VP (VBD ran))))) (VP (VBD slept)))",
    "(SBAR (NP (NP (DT a) (NN day)) (SBAR (WHNP (WDT that)) (S (VP (VBD came))))) (S (VP (VBD ran))))",
    "(SQ (VBD did) (NP (PRP you)) (VP (VB see) (NP (WP what))) (. ?))",
    "(SBAR (WHNP (WP what)) (S (NP (PRP it)) (VP (VBZ is))))",
    "(SBAR (SBAR (IN if) (S (VP (VBD ran)))) (CC and) (SBARQ (WHNP (WP who)) (SQ (VP (VBD ran)))))",
    "(S (RB So) (NP (PRP I)) (VP (VBD ran)))",
    "(S (ADVP (UH Now)) (NP (PRP I)) (VP (VBD ran)))",
    "(NP (PRP$ my) (UH gosh) (. !))",
    "(S (NP (DT the) (UH d-) (NN dog)) (VP (VBD ran)))",
    "(PP (IN With) (NP (UH um)))",
    "(PP (IN in) (NP (-LRB- [) (CD 3) (-RRB- ])))",
    "(PP (INTJ (UH like)) (IN in) (NP (NN school)))",
    "(LST (-LRB- -LRB-) (LS a) (-RRB- -RRB-))",
    "(PRN (-LRB- -LRB-) (NP (NNP U.S.)) (-RRB- -RRB-))",
    "(S (PP (IN in) (-LRB- -LRB-) (NP (NN B) (-RRB- -RRB-))) (VP (VBD ran)))",
    "(S (NP (NN a) (-LRB- -LRB-) (NN b)) (VP (VBD ran)) (-RRB- -RRB-))",
    "(S (S (VP (TO to) (VP (VB go)))) (VP (VBZ is) (ADJP (JJ good))))",
    "(VP (VBD said) (CC and) (VBD did) (S (VP (TO to) (VP (VB go)))))",
    "(SQ (ADVP (RB Never)) (VBD did) (NP (PRP you)) (VP (VB run)) (. ?))",
    "(SQ (VBD Did) (NP (PRP you)) (VP (VB run)))",
    "(S (SQ (MD will) (NP (PRP you)) (VP (VB go))) (, ,) (NP (PRP he)) (VP (VBD said)))",
]


@pytest.mark.parametrize(
    ("rule", "before", "after"), [(rule, *case) for rule, cases in CASES.items() for case in cases]
)
def test_rules(rule: str, before: str, after: str) -> None:
    tree = parse_tree(before)
    RULES[rule](tree)
    assert format_tree(tree) == after


def test_every_rule_is_tested() -> None:
    assert list(CASES) == list(RULES)


@pytest.mark.parametrize("text", CORRECT)
def test_correct_trees_stay(text: str) -> None:
    assert format_tree(repair(parse_tree(text))) == text


LABELS = st.sampled_from(
    ("S", "SQ", "SBAR", "SBARQ", "NP", "VP", "PP", "ADVP", "X", "PRN", "INTJ", "WHNP", "WHPP", "LST")
)
TAGS = st.sampled_from(
    ("UH", "LS", "CD", "WDT", "WP", "WRB", "NN", "IN", "CC", ",", ".", "-LRB-", "-RRB-", "JJ")
)
TREES = st.recursive(
    st.builds(lambda tag: Tree(tag, ["w"]), TAGS),
    lambda nodes: st.builds(Tree, LABELS, st.lists(nodes, min_size=1, max_size=5)),
    max_leaves=20,
)


@given(TREES)
def test_words_and_tags_never_change_and_a_second_time_changes_nothing(tree: Tree) -> None:
    before = tree.pos()
    repair(tree)
    assert tree.pos() == before
    once = tree.copy(deep=True)
    assert repair(tree) == once


def test_deep_trees_are_no_trouble() -> None:
    tree = Tree("NP", [Tree("WDT", ["that"])])
    for _ in range(3000):
        tree = Tree("SBAR", [Tree("NP", [tree]), Tree("S", [Tree("NN", ["w"])])])
    repair(tree)
    assert len(tree.leaves()) == 3001


def test_cleaning_repairs_when_asked() -> None:
    tree = parse_tree("(ROOT (SBAR (NP-SBJ (WDT that)) (S (VP (VBD ran)))))")
    kept, repaired = clean(tree, Cleaning()), clean(tree, Cleaning(repairs=True))
    assert kept is not None
    assert repaired is not None
    assert kept[0].label() == "NP"
    assert repaired[0].label() == "WHNP"
    assert repaired[0].span == (0, 1)
