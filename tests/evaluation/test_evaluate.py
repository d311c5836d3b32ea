from __future__ import annotations

import pytest

from nccp.evaluation import evaluate
from nccp.runtime import load
from nccp.trees import parse_tree
from tests.bundles import write_bundle

WORDS = [["the", "cat"], ["the", "cat", "sat", "the", "cat"]]


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    return load(write_bundle(tmp_path_factory.mktemp("models") / "tiny"), threads=1)


def test_a_parser_agrees_with_its_own_trees(parser):
    golds = [parse.tree for parse in parser.parse_many(WORDS)]
    done = evaluate(parser, iter(golds))
    assert (done.score.f1, done.different, len(done.parses)) == (100, 0, 2)
    assert done.trees == golds
    assert done.seconds > 0
    assert done.sentences_per_second > 0


def test_differences_and_gold_tags(parser):
    gold = parse_tree("(X (Q the) (X (Q cat) (Q sat)))")
    done = evaluate(parser, [gold], gold_tags=True, scores=True)
    assert done.trees[0].tags() == ["Q", "Q", "Q"]
    assert done.score.tag_accuracy == 100
    assert done.parses[0].score is not None
    assert evaluate(parser, [gold]).different == 1
