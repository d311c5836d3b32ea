"""An engine for one sentence whose decisions are recorded, reversed where asked, and kept to constraints.

The decoder's own loop drives it, so that a tree found this way is one that the decoder can make.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nccp.decoding.confidence import SHARPNESS
from nccp.decoding.constraints import Constraint
from nccp.decoding.engine import Context, Engine, Floats, Lengths

Place = tuple[int, int]
"""A decision: the layer, and the node in it."""

_LEAST = np.float32(1e-6)


class Decision(NamedTuple):
    """A decision that may be reversed, and the log-odds of doing so, which are not above zero."""

    place: Place
    cost: float


class SteeredEngine:
    """Answers as the engine behind it, but for the decisions in ``flips`` and those of constraints."""

    def __init__(
        self, engine: Engine, context: Context, flips: frozenset[Place], required: Sequence[Constraint]
    ) -> None:
        self.engine, self._context, self._flips, self._required = engine, context, flips, required
        self.binary, self.triangular, self.symbols = engine.binary, engine.triangular, engine.symbols
        self.decisions: list[Decision] = []
        self._layer = 0
        self._spans = [(place, place + 1) for place in range(len(context.x))]

    def context(self, sentences: Sequence[Sequence[str]]) -> Context:
        return self._context

    def labels(self, x: Floats) -> Floats:
        return self.engine.labels(x)

    def compose(self, x_L: Floats, x_R: Floats) -> tuple[Floats, Floats | None]:
        return self.engine.compose(x_L, x_R)

    def merge(self, x: Floats, hints: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        return self.engine.merge(x, hints, begins)

    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        """Of an unfinished required span, the first node points right and the last left."""
        scores: Floats = self.engine.orient(x, lengths).copy()
        forced = {0: True, len(scores) - 1: False}
        if self.triangular:  # the spans of its cells are not tracked: there are no constraints
            self._decide(scores, forced)
            return scores
        for place, (start, end) in enumerate(self._spans):
            for one in self._required:
                if start == one.start and end < one.end:
                    forced[place] = True
                elif end == one.end and start > one.start:
                    forced[place] = False
        self._decide(scores, forced)
        right = scores > 0
        spans, place = [], 0
        while place < len(self._spans):
            pair = right[place] and place + 1 < len(right) and not right[place + 1]
            spans.append((self._spans[place][0], self._spans[place + pair][1]))
            place += 1 + int(pair)
        self._spans = spans
        return scores

    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        """No chunk crosses an end of an unfinished required span; if nothing combines, the span does."""
        scores, hints = self.engine.chunk(x, lengths)
        scores = scores.copy()
        inner = scores[:-1]  # without the boundary behind the last node
        forced = {0: True}
        unfinished = [one for one in self._required if self._parts(one) > 1]
        for place, (start, _) in enumerate(self._spans):
            if any(start in (one.start, one.end) for one in unfinished):
                forced[place] = True
        self._decide(inner, forced)
        if (inner > 0).all() and unfinished:
            least = min(unfinished, key=lambda one: one.end - one.start)
            for place, (start, _) in enumerate(self._spans):
                if least.start < start < least.end:
                    inner[place] = -_LEAST
        begins = inner > 0
        if begins.all():
            begins[1:] = False  # as the loop does: all that is left is joined
        firsts = np.flatnonzero(begins).tolist()
        self._spans = [
            (self._spans[first][0], self._spans[behind - 1][1])
            for first, behind in zip(firsts, [*firsts[1:], len(self._spans)])
        ]
        return scores, hints

    def _parts(self, one: Constraint) -> int:
        """How many nodes of this layer the span consists of; none once it is inside a larger node."""
        return sum(one.start <= start and end <= one.end for start, end in self._spans)

    def _decide(self, scores: Floats, forced: dict[int, bool]) -> None:
        """Record the free decisions of this layer, and set the signs of those that are reversed or forced."""
        margins = np.abs(scores)
        wanted = scores > 0
        for place in range(len(scores)):
            wanted[place] = forced.get(place, wanted[place] ^ ((self._layer, place) in self._flips))
        scores[:] = np.where(wanted, 1, -1) * np.maximum(margins, _LEAST)
        for place in range(len(scores)):
            if place not in forced and self._matters(wanted, place):
                cost = -float(SHARPNESS * margins[place])
                self.decisions.append(Decision((self._layer, place), cost))
        self._layer += 1

    def _matters(self, wanted: NDArray[np.bool_], place: int) -> bool:
        """Whether reversing an orientation changes which nodes combine; reversing a boundary always does."""
        return not self.binary or bool(wanted[place - 1] or not wanted[place + 1])
