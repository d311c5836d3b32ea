"""Parse the words of gold trees with the decoder that users get, and score the trees."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from nccp.decoding import Parse, Parser
from nccp.decoding.stream import BATCH
from nccp.scoring import COLLINS, Parameters, Score, score_trees
from nccp.trees import Tree


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Gold trees and the parses of their words, in the same order."""

    golds: list[Tree]
    parses: list[Parse]
    seconds: float = 0.0
    """Time spent parsing."""
    parameters: Parameters = COLLINS
    gold_deletion: bool = False
    """See `nccp.scoring.score_pair`."""

    @cached_property
    def score(self) -> Score:
        """EVALB scores, computed on first use."""
        return score_trees(self.golds, self.trees, self.parameters, gold_deletion=self.gold_deletion)

    @cached_property
    def trees(self) -> list[Tree]:
        """The predicted trees."""
        return [parse.tree for parse in self.parses if parse.tree is not None]

    @property
    def fallbacks(self) -> int:
        """Sentences for which the model found no complete tree, so that the decoder joined the parts."""
        return sum(parse.joined for parse in self.parses)

    @property
    def counts(self) -> Counter[str]:
        """Fallbacks and invalid layers (see `Parse.invalid_layers`): counts that add up over processes."""
        invalid = sum(parse.invalid_layers for parse in self.parses)
        return Counter(fallbacks=self.fallbacks, invalid_layers=invalid)

    @property
    def different(self) -> int:
        """Predicted trees that are not identical to the gold tree."""
        return sum(gold != tree for gold, tree in zip(self.golds, self.trees))

    @property
    def sentences_per_second(self) -> float:
        """Parsing speed."""
        return len(self.parses) / max(self.seconds, 1e-9)


def evaluate(
    parser: Parser,
    golds: Iterable[Tree],
    parameters: Parameters = COLLINS,
    *,
    gold_deletion: bool = False,
    gold_tags: bool = False,
    scores: bool = False,
    batch_size: int = BATCH,
    progress: bool = False,
) -> Evaluation:
    """Parse the words of ``golds`` and compare.

    With ``gold_tags`` the parser keeps the gold tags. With ``scores`` the parses carry the parser's own
    scores, which `by_confidence` needs. ``progress`` shows a bar on a terminal.
    """
    golds = list(golds)
    sentences = [gold.pos() if gold_tags else gold.leaves() for gold in golds]
    began = time.perf_counter()
    parses = list(parser.parse_many(sentences, batch_size=batch_size, scores=scores, progress=progress))
    return Evaluation(golds, parses, time.perf_counter() - began, parameters, gold_deletion)
