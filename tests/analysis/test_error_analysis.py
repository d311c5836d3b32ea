from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.analysis.error_analysis import analyse
from nccp.analysis.html_report import html_report
from nccp.runtime import load
from nccp.scoring import score_trees
from nccp.trees import parse_tree
from tests.analysis.parses import plain, weighted
from tests.analysis.test_errors import HIGH, LOW
from tests.bundles import write_bundle

KINDS = {"binary": {}, "multi": {"kind": "multi"}}


@pytest.fixture(scope="module")
def parsers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {kind: load(write_bundle(folder / kind, model), threads=1) for kind, model in KINDS.items()}


def test_by_hand():
    golds = [parse_tree(text) for text in (LOW, HIGH, HIGH)]
    found = analyse(golds, [plain(LOW), plain(LOW), plain(HIGH)], binary=True, seconds=2)
    assert (found.score.total.sentences, found.score.total.complete) == (3, 2)
    assert found.errors.extra == {"attachment": 1}
    assert [(one.number, one.wrong) for one in found.worst] == [(2, 1)]
    assert found.speed == (1.5, 9)
    assert (found.tags.words, found.tags.wrong) == (18, {})
    made = json.loads(json.dumps(found.to_dict()))
    assert made["errors"]["kinds"]["attachment"]["most"] == {"PP": 1}
    assert made["worst"][0]["gold"] == HIGH
    assert made["internals"]["flat"] == {"VP": 1}  # in the one flat tree of the three
    assert made["by_label"]["PP"]["f1"] == 100


def test_tags():
    gold, pred = "(S (A a) (B b) (B b))", "(S (A a) (C b) (C b))"
    found = analyse([parse_tree(gold)], [plain(pred)], binary=False).tags
    assert (found.words, found.wrong, found.most("B", "C")) == (3, {("B", "C"): 2}, [("b", 2)])


def test_a_wrong_tag_costs_no_sentence():
    gold, pred = "(S (NP (A a) (B b)) (. .))", "(S (NP (A a) (. b)) (C .))"
    found = analyse([parse_tree(gold)], [plain(pred)], binary=False)
    assert (found.score.total.errors, found.score.f1, found.errors.total) == (0, 100, 0)


def test_invalid_parses():
    parse = weighted("(S (A/0.5 a) (B/0.5 b))", joined=True)
    found = analyse([parse.tree], [parse], binary=False)
    assert [one.number for one in found.joined] == [1]
    assert found.internals is None
    assert found.to_dict()["joined"]["count"] == 1
    forest = found.joined[0].forest
    assert forest is not None
    assert forest.note == "layer 0 repeats: nothing combines"
    assert "layer 0 repeats" in html_report(found)


def test_long_sentences_are_not_drawn():
    golds, parses = [parse_tree(HIGH)], [plain(LOW)]
    assert analyse(golds, parses, binary=True, longest=5).worst == []
    assert analyse(golds, parses, binary=True, worst=0).worst == []


@pytest.mark.parametrize("kind", KINDS)
@given(
    sentences=st.lists(
        st.lists(st.sampled_from(["the", "cat", "sat", "."]), min_size=1), min_size=1, max_size=5
    )
)
def test_counts_add_up(parsers, kind, sentences):
    golds = [parse.tree for parse in parsers["multi"].parse_many(sentences, threads=1)]
    parses = list(parsers[kind].parse_many(sentences, threads=1))
    found = analyse(golds, parses, binary=kind == "binary")
    score = score_trees(golds, [parse.tree for parse in parses], gold_deletion=True)
    total = score.total
    assert found.score == score
    assert found.errors.missed.total() == total.gold - total.matched
    assert found.errors.extra.total() == total.test - total.matched
    assert sum(one.totals.sentences for one in found.deciles) == len(sentences)
    assert found.tags.words == sum(map(len, sentences))
    json.dumps(found.to_dict())
