"""Trees per second from tree to layers and back, on one core.

python benchmarks/layers.py ../shared/treebanks/ptb-sample
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from nccp.treebanks import open_treebank
from nccp.trees import Symbols, binarize, from_gaps, recover, stratify, to_gaps
from nccp.trees.layers import iterate_layers

BATCH = 80


def rate(name: str, work: Callable[[Any], Any], items: Iterable[Any], count: int) -> list[Any]:
    """Run ``work`` over the items three times; print the best rate; what it returned."""
    items, best = list(items), 0.0
    for _ in range(3):
        start = time.perf_counter()
        results = [work(item) for item in items]
        best = max(best, count / (time.perf_counter() - start))
    print(f"{name:42} {best:10,.0f} trees/s")
    return results


def main(path: str) -> None:
    trees = [entry.tree for entry in open_treebank(path).read()]
    count, symbols, rng = len(trees), Symbols(), np.random.default_rng(0)
    print(f"{count:,} trees, {sum(len(tree.leaves()) for tree in trees) / count:.1f} words each")
    gaps = rate("tree to gaps", lambda tree: to_gaps(tree, symbols), trees, count)
    binary = rate("binarize, left", lambda g: binarize(g, "left", rng), gaps, count)
    layers = rate("stratify one by one, binary", lambda g: stratify(g, binary=True), binary, count)
    batches = [[g.heights for g in binary[i : i + BATCH]] for i in range(0, count, BATCH)]
    rate(f"stratify in batches of {BATCH}", lambda heights: list(iterate_layers(heights)), batches, count)
    rate(
        "tree to layers, one by one",
        lambda t: stratify(binarize(to_gaps(t, symbols), "left"), binary=True),
        trees,
        count,
    )
    rate("recover layers to gaps", recover, layers, count)
    rate("gaps to tree", from_gaps, binary, count)
    rate("layers to tree, one by one", lambda one: from_gaps(recover(one)), layers, count)


if __name__ == "__main__":
    main(sys.argv[1])
