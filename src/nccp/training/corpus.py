"""The treebanks of a configuration as training material: compact trees, symbols, development trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nccp.config import DataConfig, TreebankConfig
from nccp.errors import InputError, TrainingError, TreeError
from nccp.text.plain import plain_word
from nccp.training.augment import respell
from nccp.treebanks import open_treebank
from nccp.trees import Gaps, Symbols, Tree, binarize, to_gaps


@dataclass(frozen=True)
class Corpus:
    """What there is to learn from. The symbols are complete and frozen."""

    train: list[Gaps]
    respelled: list[Gaps]  # the same in another spelling; none unless they are asked for
    weights: list[float]  # of each training tree
    dev: list[Tree]
    symbols: Symbols

    def draw_spelling(self, batch: Iterable[int], share: float, seed: Sequence[int]) -> list[Gaps]:
        """The training trees of these places, a share of them respelled."""
        rng = np.random.default_rng(tuple(seed))
        return [(self.respelled if share and rng.random() < share else self.train)[i] for i in batch]

    def frequent_words(self, min_count: int) -> list[str]:
        """The training words (plain) met at least so often, the most frequent first."""
        counts = Counter(plain_word(word) for gaps in self.train for word in gaps.words)
        return [word for word, count in counts.most_common() if count >= min_count]


def read_corpus(config: DataConfig, *, unify_sub: bool = False) -> Corpus:
    """Read, clean and flatten all treebanks of a configuration; ``unify_sub`` as in the model's."""
    if not config.treebanks:
        raise TrainingError("data.treebanks is empty: name at least one treebank to learn from")
    symbols = Symbols(unify_sub=unify_sub)
    train: list[Gaps] = []
    respelled: list[Gaps] = []
    rng = np.random.default_rng(0)
    weights: list[float] = []
    dev: list[Tree] = []
    for treebank in config.treebanks:
        for where, tree in _read(treebank, treebank.train, treebank.exclude):
            if config.max_length and len(tree.leaves()) > config.max_length:
                continue
            train.append(_flatten(tree, symbols, where))
            if config.respell:
                respelled.append(_flatten(respell(tree, rng), symbols, where))
            weights.append(treebank.weight)
        dev += [tree for _, tree in _read(treebank, treebank.dev)]
    if not train:
        raise TrainingError("there is no training tree: all train splits are empty or left out")
    if not dev:
        raise TrainingError("there is no development tree: name a dev split to choose the best model by")
    symbols.labels.frozen = symbols.tags.frozen = True
    return Corpus(train, respelled, weights, dev, symbols)


def _flatten(tree: Tree, symbols: Symbols, where: str) -> Gaps:
    try:
        gaps = to_gaps(tree, symbols)
    except TreeError as error:
        raise TrainingError(f"{where}: {error}") from None
    binarize(gaps, "left")  # every _X that any factor or grouping can make gets its place
    return gaps


def _read(treebank: TreebankConfig, split: str, exclude: tuple[str, ...] = ()) -> Iterator[tuple[str, Tree]]:
    if not split:
        return
    found = False
    bank = open_treebank(treebank.path, treebank.format or None)
    for entry in bank.read(split, cleaning=treebank.cleaning, exclude=exclude):
        found = True
        yield f"{entry.file}:{entry.line}", entry.tree
    if not found:
        raise InputError(f"{treebank.path}: the split {split!r} has no trees")
