"""Evaluation: parse the words of gold trees and score the result.

    gold = read_gold("wsj", cleaning=Cleaning(flatten=parser.flat))     # the test split, if there is one
    done = evaluate(parser, gold.trees, progress=True)
    done.score.f1, done.fallbacks, done.different, done.seconds

Used by training (development scores), export, ``nccp evaluate``, ``nccp analyse`` and the benchmarks; it does
not need torch.
"""

from nccp.evaluation.confidence import ConfidenceBin, by_confidence
from nccp.evaluation.evaluate import Evaluation, evaluate
from nccp.evaluation.gold_trees import (
    GoldTrees,
    choose_split,
    development_trees,
    read_gold,
    read_split,
    trees_of_split,
)
from nccp.evaluation.treebank_results import score_treebanks

__all__ = [
    "ConfidenceBin",
    "Evaluation",
    "GoldTrees",
    "by_confidence",
    "choose_split",
    "development_trees",
    "evaluate",
    "read_gold",
    "read_split",
    "score_treebanks",
    "trees_of_split",
]
