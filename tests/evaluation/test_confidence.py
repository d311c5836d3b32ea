from __future__ import annotations

from nccp.evaluation import by_confidence
from nccp.scoring import score_trees
from nccp.trees import parse_tree


def test_sentences_by_confidence():
    golds = [parse_tree("(S (NP (T a) (T b)) (T c))"), parse_tree("(S (T a) (NP (T b) (T c)))")] * 2
    score = score_trees(golds, [golds[0]] * 4)
    low, high = by_confidence(score, [0.9, 0.1, 0.8, 0.2], 2)
    assert (low.lowest, low.highest, low.totals.complete) == (0.1, 0.2, 0)
    assert (high.lowest, high.highest, high.totals.complete) == (0.8, 0.9, 2)
    assert len(by_confidence(score, [0.9, 0.1, 0.8, 0.2])) == 4
