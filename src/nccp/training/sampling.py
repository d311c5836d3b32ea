"""Batches and factors, drawn again each epoch: which sentences share a batch, how each is binarized (L%R%).

All draws depend only on the seed, the epoch and the number of the batch, so that training can resume at any
batch, and every process of a distributed run draws the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from nccp.config import DataConfig, TrainConfig
from nccp.decoding.engine import Engine, Floats
from nccp.decoding.layers import run_layers
from nccp.trees import FACTORS, Gaps, binarize, group_flat
from nccp.trees.oracle import explore

Batch = NDArray[np.int64]


def epoch_batches(
    lengths: NDArray[np.int64], weights: NDArray[np.float64], config: TrainConfig, epoch: int, world: int = 1
) -> list[Batch]:
    """The batches of an epoch, in random order, as indices of sentences of similar length."""
    rng = np.random.default_rng((config.seed, epoch))
    times = np.floor(weights + rng.random(len(weights))).astype(np.int64)  # 1.5: once or twice
    chosen = rng.permutation(np.repeat(np.arange(len(lengths)), times))
    noisy = lengths[chosen] * rng.uniform(0.95, 1.05, len(chosen))  # so that batches differ between epochs
    chosen = chosen[np.argsort(noisy, kind="stable")]
    if config.batch_words:
        ends = np.cumsum(lengths[chosen])
        parts = (ends - 1) // (config.batch_words * world)
        cuts = np.flatnonzero(np.diff(parts)) + 1
    else:
        cuts = np.arange(config.batch * world, len(chosen), config.batch * world)
    batches = np.split(chosen, cuts)
    return [batches[i] for i in rng.permutation(len(batches)) if len(batches[i]) >= world]


def draw_trees(trees: Sequence[Gaps], data: DataConfig, *, binary: bool, seed: Sequence[int]) -> list[Gaps]:
    """Each tree binarized by a factor drawn for it; or, for the multi-branching model, grouped at random."""
    rng = np.random.default_rng(tuple(seed))
    if not binary:
        grouped = rng.random(len(trees)) < data.group
        return [group_flat(tree) if group else tree for tree, group in zip(trees, grouped)]
    shares = np.array([data.left, data.right, data.midin, data.midout])
    factors = rng.choice(len(FACTORS), len(trees), p=shares / shares.sum())
    return [binarize(tree, FACTORS[factor], rng) for tree, factor in zip(trees, factors)]


def explore_trees(
    gold: Sequence[Gaps],
    drawn: Sequence[Gaps],
    engine: Engine,
    contexts: Callable[[list[int]], Floats],
    data: DataConfig,
    *,
    seed: Sequence[int],
) -> list[Gaps]:
    """The trees of `draw_trees`, a share of them along the path that the engine's own scores take.

    ``contexts`` gives x⁰ of the words of some sentences, named by their places in ``gold``.
    """
    rng = np.random.default_rng(tuple(seed))
    chosen = np.flatnonzero(rng.random(len(gold)) < data.explore).tolist()
    trees = list(drawn)
    if len(chosen):
        lengths = np.array([len(gold[i]) for i in chosen])
        loop = run_layers(engine, contexts(chosen), lengths)
        paths = np.split(loop.heights, np.cumsum(lengths)[:-1])
        for i, path, coin in zip(chosen, paths, rng.random(len(chosen))):
            factor = "left" if coin * (data.left + data.right) < data.left else "right"
            trees[i] = explore(gold[i], path[1:], factor if engine.binary else "")
    return trees
