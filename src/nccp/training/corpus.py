"""The treebanks of a configuration as training data: compact trees, symbols, development trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nccp.config import DataConfig
from nccp.errors import TrainingError, TreeError
from nccp.evaluation import development_trees, read_split
from nccp.inputs import plain_word
from nccp.training.augment import respell
from nccp.treebanks import Entry
from nccp.trees import Gaps, Symbols, Tree, to_gaps
from nccp.trees.binarize import add_sub_labels


@dataclass(frozen=True)
class Corpus:
    """The training data. The symbols are complete and frozen."""

    train: list[Gaps]
    respelled: list[Gaps]  # the same trees respelled; empty unless data.respell is set
    weights: list[float]  # of each training tree
    dev: list[Tree]
    symbols: Symbols

    def draw_spelling(self, batch: Iterable[int], share: float, seed: Sequence[int]) -> list[Gaps]:
        """The training trees with these indices, a share of them respelled."""
        rng = np.random.default_rng(tuple(seed))
        return [(self.respelled if share and rng.random() < share else self.train)[i] for i in batch]

    def count_words(self) -> Counter[str]:
        """How often each training word occurs, in plain spelling."""
        return Counter(plain_word(word) for gaps in self.train for word in gaps.words)


def read_corpus(config: DataConfig, *, unify_sub: bool = False) -> Corpus:
    """Read, clean and flatten all treebanks of a configuration; ``unify_sub`` as in the model's."""
    if not config.treebanks:
        raise TrainingError("data.treebanks is empty: name at least one treebank to train on")
    symbols = Symbols(unify_sub=unify_sub)
    train: list[Gaps] = []
    respelled: list[Gaps] = []
    rng = np.random.default_rng(0)
    weights: list[float] = []
    for treebank in config.treebanks:
        for entry in read_split(treebank, treebank.train, treebank.exclude):
            if config.max_length and len(entry.tree.leaves()) > config.max_length:
                continue
            train.append(_compact(entry.tree, symbols, entry))
            if config.respell:
                respelled.append(_compact(respell(entry.tree, rng), symbols, entry))
            weights.append(treebank.weight)
    dev = development_trees(config)
    if not train:
        raise TrainingError("there are no training trees: all training splits are empty or excluded")
    if not dev:
        raise TrainingError(
            "there are no development trees: name a dev split, by which the best weights are chosen"
        )
    symbols.labels.frozen = symbols.tags.frozen = True
    return Corpus(train, respelled, weights, dev, symbols)


def _compact(tree: Tree, symbols: Symbols, entry: Entry) -> Gaps:
    try:
        gaps = to_gaps(tree, symbols)
    except TreeError as error:
        raise TrainingError(
            f"{entry.file}:{entry.line}: {error}; for trees without tags set cleaning.add_tags=true"
        ) from None
    add_sub_labels(gaps)
    return gaps
