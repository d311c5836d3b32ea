"""A model's scores and speed on the splits of the treebanks it was trained on, for its model card."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from nccp.config import DataConfig
from nccp.decoding import Parser
from nccp.evaluation.evaluate import evaluate
from nccp.evaluation.gold_trees import trees_of_split
from nccp.runtime.manifest import Result
from nccp.scoring import Score, Totals

_LONG = 60  # words; sentences above this length are too few for bins of ten words


def score_treebanks(parser: Parser, config: DataConfig, splits: Collection[str]) -> tuple[Result, ...]:
    """EVALB scores (Collins' parameters) on these splits of the configured treebanks, where they exist."""
    results = []
    for treebank in config.treebanks:
        for split in splits:
            golds = trees_of_split(treebank, split)
            if not golds:
                continue
            done = evaluate(parser, golds)
            total = done.score.total
            results.append(
                Result(
                    treebank=Path(treebank.path).name,
                    split=split,
                    sentences=len(golds),
                    f1=total.f1,
                    precision=total.precision,
                    recall=total.recall,
                    complete_match=total.complete_match,
                    tag_accuracy=total.tag_accuracy,
                    fallbacks=done.fallbacks,
                    by_length=_by_length(done.score),
                    sentences_per_second=done.sentences_per_second,
                )
            )
    return tuple(results)


def _by_length(score: Score) -> dict[str, float]:
    """F1 in bins of ten words; all sentences longer than `_LONG` share one bin."""
    bins = {f"{low}-{high}": one.f1 for (low, high), one in score.by_length().items() if low <= _LONG}
    long = [one for one in score.sentences if one.length > _LONG]
    return {**bins, f"{_LONG + 1}-": Totals.of(long).f1} if long else bins
