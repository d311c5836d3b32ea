"""Parsing gold words and scoring the trees, by the decoder and the scorer that users get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nccp.decoding.engine import Engine
from nccp.decoding.input_sentence import Given
from nccp.decoding.stream import BATCH, stream
from nccp.scoring import COLLINS, Parameters, Score, Totals, score_trees
from nccp.trees import Tree


def parse_all(
    engine: Engine, sentences: Iterable[Sequence[str]], batch: int = BATCH
) -> tuple[list[Tree], int]:
    """A tree for each sentence, in order, and how many of them a fallback joined. No sentence is empty."""
    parses = list(stream(engine, map(Given, sentences), batch_size=batch))
    return [parse.tree for parse in parses if parse.tree is not None], sum(parse.joined for parse in parses)


def evaluate(engine: Engine, golds: Iterable[Tree], parameters: Parameters = COLLINS) -> tuple[Score, int]:
    """EVALB scores against gold trees, and the number of fallbacks."""
    golds = list(golds)
    trees, joined = parse_all(engine, [gold.leaves() for gold in golds])
    return score_trees(golds, trees, parameters), joined


class Confidence(NamedTuple):
    """The sentences whose trees the parser is about equally sure of."""

    lowest: float
    highest: float
    totals: Totals

    def to_dict(self) -> dict[str, float]:
        """In plain values, fit for JSON."""
        return {
            "lowest": self.lowest,
            "highest": self.highest,
            "sentences": self.totals.sentences,
            "f1": self.totals.f1,
            "complete_match": self.totals.complete_match,
        }


def by_confidence(score: Score, confidences: Sequence[float], bins: int = 10) -> list[Confidence]:
    """Sentences by how sure the parser is of their trees, the least sure first, in bins of equal number."""
    order = np.argsort(confidences, kind="stable")
    return [
        Confidence(
            confidences[part[0]], confidences[part[-1]], Totals.of(score.sentences[place] for place in part)
        )
        for part in np.array_split(order, bins)
        if len(part)
    ]
