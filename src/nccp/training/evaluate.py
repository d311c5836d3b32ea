"""Development scores by the decoder and the scorer that users get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from nccp.decoding import Engine, decode
from nccp.scoring import Parameters, Score, score_trees
from nccp.trees import Tree, from_gaps


def parse_all(engine: Engine, sentences: Sequence[Sequence[str]], batch: int = 160) -> tuple[list[Tree], int]:
    """A tree for each sentence, in order, and how many of them a fallback joined."""
    trees: list[Tree | None] = [None] * len(sentences)
    joined = 0
    for places in _by_length(sentences, batch):
        decoded = decode(engine, [sentences[i] for i in places])
        joined += int(decoded.joined.sum())
        for i, gaps in zip(places, decoded.gaps()):
            trees[i] = from_gaps(gaps)
    return [tree for tree in trees if tree is not None], joined


def _by_length(sentences: Sequence[Sequence[str]], batch: int) -> Iterator[list[int]]:
    order = np.argsort([len(words) for words in sentences], kind="stable").tolist()
    return (order[i : i + batch] for i in range(0, len(order), batch))


def evaluate(
    engine: Engine, golds: Iterable[Tree], parameters: Parameters | None = None
) -> tuple[Score, int]:
    """EVALB scores (Collins by default) against gold trees, and the number of fallbacks."""
    golds = list(golds)
    trees, joined = parse_all(engine, [gold.leaves() for gold in golds])
    return score_trees(golds, trees, parameters or Parameters()), joined
