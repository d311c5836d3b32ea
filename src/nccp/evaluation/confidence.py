"""Scores of sentences grouped by the parser's own confidence in their trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nccp.scoring import Score, Totals


class ConfidenceBin(NamedTuple):
    """Sentences for which the parser's confidence is similar."""

    lowest: float
    highest: float
    totals: Totals

    def to_dict(self) -> dict[str, float]:
        """Plain values for JSON."""
        return {
            "lowest": self.lowest,
            "highest": self.highest,
            "sentences": self.totals.sentences,
            "f1": self.totals.f1,
            "complete_match": self.totals.complete_match,
        }


def by_confidence(score: Score, confidences: Sequence[float], bins: int = 10) -> list[ConfidenceBin]:
    """Bins of equal size, sorted by the parser's confidence, the least confident first."""
    order = np.argsort(confidences, kind="stable")
    return [
        ConfidenceBin(
            confidences[part[0]], confidences[part[-1]], Totals.of(score.sentences[place] for place in part)
        )
        for part in np.array_split(order, bins)
        if len(part)
    ]
