"""The k best trees of a sentence: a best-first search over the decisions that the model is least certain of.

The greedy tree comes first. Others differ from it in some decisions: an orientation or chunk boundary is
reversed, after which the decoder goes on as it always does, or a constituent gets another label. Each
reversal costs its log-odds, ``log (1 - p) / p`` for an orientation of confidence p, so a tree's score is the
product of the odds of all decisions in which it goes against the model. The score of the greedy tree is 1.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nccp.decoding.constraints import Constraint, check_constraints, mask_labels
from nccp.decoding.decode import assemble, label_logits
from nccp.decoding.engine import Context, Engine, Floats
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.layers import Loop, run_layers
from nccp.decoding.results import Parse
from nccp.decoding.steering import Decision, Place, SteeredEngine
from nccp.errors import InputError

LONGEST = 500
"""Words of a sentence for which several trees, or trees under constraints, are searched."""
_LABELS = 3  # alternatives of a label that are tried
_BUDGET = (20, 10)  # structures that are decoded at most: so many, and so many for each tree wanted


class Candidate(NamedTuple):
    """One of the k best parses of a sentence."""

    parse: Parse
    score: float
    """1 for the first; the product of the odds of the decisions in which a tree differs from it."""


@dataclass(frozen=True, eq=False)
class _Structure:
    """A tree before labels are chosen."""

    flips: frozenset[Place]
    loop: Loop
    decisions: list[Decision]
    logits: Floats  # of each node, the words first
    chosen: NDArray[np.int64]


class _Hypothesis(NamedTuple):
    """A tree that may be looked at next; ``structure`` is None until it is decoded."""

    flips: frozenset[Place]
    last: Place
    structure: _Structure | None = None
    labels: tuple[tuple[int, int], ...] = ()
    """Nodes, in order, whose label is not the best one, and their labels."""


def find_best(
    engine: Engine, sentence: InputSentence, k: int, constraints: Sequence[Constraint] = ()
) -> list[Candidate]:
    """At most ``k`` different trees, the best first; fewer where the search finds no more."""
    if k < 1:
        raise InputError(f"k must be at least 1, not {k}")
    check_constraints(constraints, len(sentence), engine)
    if not len(sentence):
        return [Candidate(Parse(sentence, None), 1.0)]
    if len(sentence) > LONGEST:
        raise InputError(
            f"several trees, and constraints, work for sentences up to {LONGEST:,} words; "
            f"this one has {len(sentence):,}"
        )
    return _Search(engine, sentence, constraints).run(k)


class _Search:
    def __init__(self, engine: Engine, sentence: InputSentence, constraints: Sequence[Constraint]) -> None:
        self._engine, self._sentence, self._constraints = engine, sentence, constraints
        self._required = [one for one in constraints if not one.forbid]
        self._context: Context = engine.context([sentence.readable()])

    def run(self, k: int) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        left = _BUDGET[0] + _BUDGET[1] * k
        queue: list[tuple[float, int, _Hypothesis]] = [(0.0, 0, _Hypothesis(frozenset(), (-1, 0)))]
        pushed = 1
        while queue and len(found) < k:
            cost, _, hypothesis = heapq.heappop(queue)
            if hypothesis.structure is None:
                if not left:
                    break
                left -= 1
                hypothesis = hypothesis._replace(structure=self._decode(hypothesis.flips))
            parse = self._parse(hypothesis)
            found.setdefault(parse.brackets(), Candidate(parse, math.exp(-cost)))
            if len(found) < k:
                for more, child in _children(hypothesis):
                    heapq.heappush(queue, (cost - more, pushed, child))
                    pushed += 1
        return list(found.values())

    def _decode(self, flips: frozenset[Place]) -> _Structure:
        """Run the layers with some decisions reversed."""
        engine = SteeredEngine(self._engine, self._context, flips, self._required)
        lengths = np.array([len(self._sentence)])
        loop = run_layers(engine, self._context.x, lengths)
        logits = label_logits(engine, self._context.x, loop, lengths)
        labels = list(self._engine.symbols.labels)
        logits = mask_labels(logits, list(_spans(loop)), self._constraints, labels)
        return _Structure(flips, loop, engine.decisions, logits, logits.argmax(1))

    def _parse(self, hypothesis: _Hypothesis) -> Parse:
        structure = hypothesis.structure
        assert structure is not None
        chosen = structure.chosen.copy()
        for row, label in hypothesis.labels:
            chosen[row] = label
        decoded = assemble(
            self._engine.symbols,
            [self._sentence.readable()],
            self._context.tags,
            structure.loop,
            structure.logits,
            chosen,
        )
        return Parse(self._sentence, next(decoded.gaps()), bool(decoded.joined[0]), int(decoded.invalid[0]))


def _children(hypothesis: _Hypothesis) -> Iterator[tuple[float, _Hypothesis]]:
    """Hypotheses with one more decision against the model, each set of decisions once; and its log-odds."""
    structure = hypothesis.structure
    assert structure is not None
    if not hypothesis.labels:
        for place, cost in structure.decisions:
            if place > hypothesis.last:
                yield cost, _Hypothesis(hypothesis.flips | {place}, place)
    done = hypothesis.labels[-1][0] if hypothesis.labels else -1
    for row in range(done + 1, len(structure.logits)):
        logits = structure.logits[row]
        best = structure.chosen[row]
        for label in np.argsort(-logits, kind="stable")[1 : _LABELS + 1].tolist():
            if np.isfinite(logits[label]):
                cost = float(logits[label] - logits[best])
                yield cost, hypothesis._replace(labels=(*hypothesis.labels, (row, label)))


def _spans(loop: Loop) -> Iterator[tuple[int, int]]:
    """The words of each node, in the order of the rows of `label_logits`; a node ends at higher gaps."""
    heights = loop.heights.tolist()
    yield from ((place, place + 1) for place in range(len(heights)))
    for gap in np.concatenate([np.zeros(0, np.int64), *loop.gaps]).tolist():
        start, end, height = gap - 1, gap + 1, heights[gap]
        while start > 0 and heights[start] <= height:
            start -= 1
        while end < len(heights) and heights[end] <= height:
            end += 1
        yield start, end
