"""Head counts of parses made by hand, exactly; and laws on those of a small model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.analysis.head_examples import example_text, examples_svg, pick_examples, weighted_tree
from nccp.analysis.heads import Heads, Parent, count_heads, families, ranked
from nccp.runtime import load
from tests.analysis.parses import plain, weighted
from tests.bundles import write_bundle

CAT = "(S (NP/0.3 (DT/0.6 the) (JJ/0.1 old) (NN/0.3 cat)) (VP/0.6 (VBD sat)) (./0.1 .))"
MICE = "(S (NP/0.2 (JJ/0.4 old) (NNS/0.6 mice)) (VP/0.8 (VBD/0.7 ate) (NP/0.3 (NN cheese))))"


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    return load(write_bundle(tmp_path_factory.mktemp("models") / "multi", {"kind": "multi"}), threads=1)


def test_families():
    found = list(families(weighted(CAT)))
    assert [(one.label, [child.label() for child in one.children]) for one in found] == [
        ("S", ["NP", "VP", "."]),
        ("NP", ["DT", "JJ", "NN"]),
    ]
    assert found[1].weights == pytest.approx((0.6, 0.1, 0.3))
    assert [one.heaviest for one in found] == [1, 0]


def test_counts():
    heads = count_heads([weighted(CAT), weighted(MICE)])
    assert {label: parent.nodes for label, parent in heads.parents.items()} == {"S": 2, "NP": 2, "VP": 1}
    noun = heads.parents["NP"]
    assert noun.heaviest == {"DT": 1, "*NNS": 1}
    assert noun.present == {"DT": 1, "JJ": 1, "NN": 1, "*JJ": 1, "*NNS": 1}
    assert noun.mean_weight("*NNS") == pytest.approx(0.6)
    assert noun.mean_weight("CD") == 0
    assert heads.parents["S"].heaviest == {"VP": 2}
    assert ranked(noun)[:2] == ["*NNS", "DT"]


def test_agreement_leaves_punctuation_out():
    sentence = count_heads([weighted(CAT)]).parents["S"]
    assert (sentence.judged, sentence.chance) == (1, 0.5)  # NP and VP
    assert sentence.agreed == {"last": 1, "collins": 1}
    noun = count_heads([weighted(CAT)]).parents["NP"]
    assert noun.agreed == {"first": 1}


@pytest.mark.parametrize(
    ("language", "text", "heaviest"),
    [
        ("ja", "(NP (D/0.6 この) (N/0.4 猫))", "D"),
        ("ja", "(NP (DT/0.6 x) (N/0.4 猫))", "*DT"),
        ("zh", "(NP (DP/0.6 (DT/0.5 這) (M/0.5 隻)) (NN/0.4 貓))", "DP"),
        ("zh", "(NP (Nep/0.6 這) (Nab/0.4 貓))", "Nep"),
        ("zh", "(NP (Nhaa/0.6 我) (Nab/0.4 貓))", "*Nhaa"),
        ("xx", "(NP (A/0.6 a) (B/0.4 b))", "A"),  # no determiners known: nothing is starred
    ],
)
def test_determiners_of_languages(language, text, heaviest):
    heads = count_heads([weighted(text)], language)
    assert heads.parents["NP"].heaviest == {heaviest: 1}
    assert "collins" not in heads.rules
    assert "collins" not in heads.to_dict()["agreement"]


def test_a_root_that_a_fallback_made_is_no_constituent():
    heads = count_heads([weighted(CAT, joined=True)])
    assert (heads.joined, list(heads.parents)) == (1, ["NP"])


def test_without_weights_there_is_nothing_to_count():
    assert list(families(plain("(S (NP (DT the) (NN cat)) (VP (VBD sat)))"))) == []


def test_counts_add_up():
    one, two = count_heads([weighted(CAT)]), count_heads([weighted(MICE)])
    assert (one + two).to_dict() == count_heads([weighted(CAT), weighted(MICE)]).to_dict()
    assert Heads() + one == one
    with pytest.raises(ValueError, match="do not add up"):
        one + Heads("ja")


def test_frequent_and_top():
    heads = count_heads([weighted(CAT), weighted(MICE)])
    assert [label for label, _ in heads.frequent()] == ["NP", "S", "VP"]
    assert list(heads.to_dict(2, 1)["parents"]) == ["NP", "S"]
    assert len(heads.to_dict(2, 1)["parents"]["NP"]["children"]) == 1


@given(
    sentences=st.lists(st.lists(st.sampled_from(["the", "cat", "sat", ".", "東京"]), min_size=1), max_size=4)
)
def test_laws(parser, sentences):
    parses = list(parser.parse_many(sentences, threads=1))
    heads = count_heads(parses)
    nodes = sum(len(node) > 1 for parse in parses for node in parse.tree.subtrees())
    lost = sum(parse.joined and len(parse.words) > 1 for parse in parses)
    assert heads.total.nodes == nodes - lost
    for parent in heads.parents.values():
        assert parent.heaviest.total() == parent.nodes
        assert sum(parent.weight.values()) == pytest.approx(parent.nodes, rel=1e-3)
        assert all(
            parent.heaviest[name] <= parent.present[name] <= parent.children[name] for name in parent.present
        )
        assert 0 <= parent.chance <= parent.judged <= parent.nodes
    assert sum(heads.parents.values(), Parent()) == heads.total


def test_trees_with_weights():
    tree, heaviest = weighted_tree(weighted(CAT))
    labels = ["S", "NP 30%", "DT 60%", "JJ 10%", "NN 30%", "VP 60%", "VBD", ". 10%"]
    assert [node.label() for node in tree.subtrees()] == labels
    assert [node.label() for i, node in enumerate(tree.subtrees()) if i in heaviest] == ["DT 60%", "VP 60%"]
    text = example_text(weighted(CAT))
    assert "VP 60%◂" in text
    assert "JJ 10%" in text
    assert weighted(CAT).tree[0].label() == "NP"  # the parse itself is as it was


def test_examples_are_one_document():
    drawing = examples_svg([weighted(CAT), weighted(MICE)])
    assert drawing.count("<svg ") == 3
    assert drawing.count('<g class="head" ') == 2 + 3
    assert "<script" not in drawing


def test_examples_are_of_a_readable_length():
    short, long = weighted("(S (A/0.5 a) (B/0.5 b))"), weighted(CAT)
    assert pick_examples([short, plain("(S (A a) (B b))"), long], 1, (3, 9)) == [long]
    assert pick_examples([short, long], 5, (3, 9)) == [long, short]
