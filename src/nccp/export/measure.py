"""What a bundle scores on the treebanks it was trained for, split by split, and how fast."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from nccp.config import Config
from nccp.decoding import Parser
from nccp.runtime.bundle import Result
from nccp.scoring import Score, Totals, score_trees
from nccp.treebanks import open_treebank

_LONG = 60  # words; longer sentences are too few to be binned by tens


def measure(parser: Parser, config: Config, splits: Iterable[str]) -> tuple[Result, ...]:
    """EVALB scores (Collins) on these splits of the configuration's treebanks, where they have them."""
    splits = list(splits)
    results = []
    for treebank in config.data.treebanks:
        bank = open_treebank(treebank.path, treebank.format or None)
        for split in splits:
            if split in bank.splits:
                golds = [entry.tree for entry in bank.read(split, cleaning=treebank.cleaning)]
                began = time.perf_counter()
                parses = list(parser.parse_many([gold.leaves() for gold in golds], scores=False))
                seconds = time.perf_counter() - began
                score = score_trees(golds, [parse.tree for parse in parses])
                total = score.total
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
                        fallbacks=sum(parse.joined for parse in parses),
                        by_length=_by_length(score),
                        sentences_per_second=len(golds) / seconds,
                    )
                )
    return tuple(results)


def _by_length(score: Score) -> dict[str, float]:
    """F1 in bins of ten words, all longer than `_LONG` in one."""
    bins = {f"{low}-{high}": one.f1 for (low, high), one in score.by_length().items() if low <= _LONG}
    long = [one for one in score.sentences if one.length > _LONG]
    return {**bins, f"{_LONG + 1}-": Totals.of(long).f1} if long else bins
