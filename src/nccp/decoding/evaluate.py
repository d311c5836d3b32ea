"""Parsing gold words and scoring the trees, by the decoder and the scorer that users get."""

from __future__ import annotations

from collections import Counter
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
) -> tuple[list[Tree], Counter[str]]:
    """A tree for each sentence, in order, and how many fallbacks and invalid layers there were.

    No sentence is empty.
    """
    parses = list(stream(engine, map(Given, sentences), batch_size=batch))
    counts = Counter(
        fallbacks=sum(parse.joined for parse in parses),
        invalid_layers=sum(parse.invalid_layers for parse in parses),
    )
    return [parse.tree for parse in parses if parse.tree is not None], counts


def evaluate(
    engine: Engine, golds: Iterable[Tree], parameters: Parameters = COLLINS
) -> tuple[Score, Counter[str]]:
    """EVALB scores against gold trees, with the counts of `parse_all`."""
    golds = list(golds)
    trees, counts = parse_all(engine, [gold.leaves() for gold in golds])
    return score_trees(golds, trees, parameters), counts


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
