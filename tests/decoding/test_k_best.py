"""The k best trees of a sentence, and trees under constraints, with small models of random weights."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nccp import Constraint, InputError, load
from nccp.decoding import k_best
from tests.bundles import write_bundle

KINDS = {"binary": {}, "multi": {"kind": "multi"}, "triangular": {"format": "triangular"}}
SENTENCE = ["the", "old", "cat", "sat", "on", "a", "mat"]


@pytest.fixture(scope="module")
def parsers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {kind: load(write_bundle(folder / kind, model), threads=1) for kind, model in KINDS.items()}


def spans(parse):
    return {(span.start, span.end) for span in parse.spans}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(words=st.lists(st.sampled_from(SENTENCE), min_size=1, max_size=8), k=st.integers(1, 8))
def test_laws(parsers, kind, words, k):
    candidates = parsers[kind].parse_k(words, k)
    trees = [candidate.parse.brackets() for candidate in candidates]
    assert 1 <= len(trees) <= k
    assert len(set(trees)) == len(trees)
    assert trees[0] == parsers[kind].parse(words).brackets()
    assert all(candidate.parse.tree.leaves() == words for candidate in candidates)
    scores = [candidate.score for candidate in candidates]
    assert scores[0] == 1
    assert scores == sorted(scores, reverse=True)
    assert (
        trees[: k - 1]
        == [one.parse.brackets() for one in parsers[kind].parse_k(words, max(1, k - 1))][: k - 1]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_structures_and_labels_vary(parsers, kind):
    candidates = parsers[kind].parse_k(SENTENCE, 30)
    assert len(candidates) == 30
    assert len({frozenset(spans(one.parse)) for one in candidates}) > 1
    assert len({tuple(span.label for span in one.parse.spans) for one in candidates}) > 1


def laminar(places):
    """Constraints over spans of which none cross."""
    chosen = []
    for start, end in places:
        if not any(a < start < b < end or start < a < end < b for a, b in chosen):
            chosen.append((start, end))
    return chosen


SPANS = (
    st.tuples(st.integers(0, 7), st.integers(0, 7))
    .map(sorted)
    .map(tuple)
    .filter(lambda span: span[0] < span[1])
)


@pytest.mark.parametrize("kind", ["binary", "multi"])
@settings(max_examples=40, deadline=None)
@given(required=st.lists(SPANS, max_size=4).map(laminar), forbidden=st.lists(SPANS, max_size=3))
def test_constraints_hold(parsers, kind, required, forbidden):
    forbidden = [span for span in forbidden if span not in required and span != (0, 7)]
    constraints = [Constraint(*span) for span in required]
    constraints += [Constraint(*span, forbid=True) for span in forbidden]
    for candidate in parsers[kind].parse_k(SENTENCE, 4, constraints=constraints):
        found = spans(candidate.parse)
        assert found >= set(required)
        assert found.isdisjoint(forbidden)
        assert candidate.parse.tree.leaves() == SENTENCE


@pytest.mark.parametrize("kind", ["binary", "multi"])
def test_labels(parsers, kind):
    parser = parsers[kind]
    labels = {span.label for one in parser.parse_k(SENTENCE, 20) for span in one.parse.spans}
    for label in labels:
        tree = parser.parse(SENTENCE, constraints=[Constraint(1, 4, label)])
        assert (label, 1, 4) in {span[:3] for span in tree.spans}
        tree = parser.parse(SENTENCE, constraints=[Constraint(0, 7, label, forbid=True)])
        assert (label, 0, 7) not in {span[:3] for span in tree.spans}


def test_constraints_that_cannot_hold(parsers):
    def parse(*constraints, kind="binary"):
        return parsers[kind].parse(SENTENCE, constraints=constraints)

    with pytest.raises(InputError, match=r"these cross.*over words 0 to 3; constituent over words 2 to 5"):
        parse(Constraint(0, 3), Constraint(2, 5))
    for start, end in [(3, 3), (4, 2), (-1, 2), (0, 8)]:
        with pytest.raises(InputError, match="the sentence has 7 words"):
            parse(Constraint(start, end))
    with pytest.raises(InputError, match="every tree has a constituent over the whole sentence"):
        parse(Constraint(0, 7, forbid=True))
    with pytest.raises(InputError, match="the model has no label 'QQQ'"):
        parse(Constraint(0, 3, "QQQ"))
    with pytest.raises(InputError, match="the constraints leave no label"):
        parse(Constraint(0, 3), Constraint(0, 3, forbid=True))
    with pytest.raises(InputError, match="triangular"):
        parse(Constraint(0, 3), kind="triangular")


def test_limits(parsers, monkeypatch):
    parser = parsers["binary"]
    with pytest.raises(InputError, match="k must be at least 1, not 0"):
        parser.parse_k(SENTENCE, 0)
    assert [(one.parse.tree, one.score) for one in parser.parse_k("", 3)] == [(None, 1.0)]
    monkeypatch.setattr(k_best, "LONGEST", 6)
    with pytest.raises(InputError, match="up to 6 words; this one has 7"):
        parser.parse_k(SENTENCE, 2)


def test_tags_of_the_input_stay(parsers):
    candidates = parsers["binary"].parse_k([("a", "MY"), ("b", None), ("c", None)], 3)
    assert all(one.parse.tags[0] == "MY" for one in candidates)
