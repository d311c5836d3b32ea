"""Where a training step's time goes: the paper's model, 6 layers, 80 sentences of about 25 words.

python benchmarks/train_step.py ../shared/treebanks/ptb-sample [--kind multi] [--threads 2] [--profile]
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

from nccp.config import ModelConfig
from nccp.model.network import Network
from nccp.model.plan import make_plan
from nccp.treebanks import open_treebank
from nccp.trees import Symbols, binarize, to_gaps


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("treebank")
    arguments.add_argument("--kind", default="binary", choices=["binary", "multi"])
    arguments.add_argument("--format", default="stratified", choices=["stratified", "triangular"])
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--steps", type=int, default=15)
    arguments.add_argument("--profile", action="store_true")
    options = arguments.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)

    binary, symbols = options.kind == "binary", Symbols()
    trees = [to_gaps(entry.tree, symbols) for entry in open_treebank(options.treebank).read()]
    if binary:
        trees = [binarize(tree, "left") for tree in trees]
    trees = sorted((tree for tree in trees if 22 <= len(tree) <= 28), key=len)
    batch = trees[len(trees) // 2 - 40 : len(trees) // 2 + 40]
    words = sum(map(len, batch))
    network = Network(
        ModelConfig(kind=options.kind, format=options.format), 300, len(symbols.tags), len(symbols.labels)
    )
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, fused=True)
    e = torch.randn(words, 300)
    parts: dict[str, list[float]] = {}

    def step() -> None:
        start = time.perf_counter()

        def lap(name: str) -> None:
            nonlocal start
            now = time.perf_counter()
            parts.setdefault(name, []).append(now - start)
            start = now

        plan = make_plan(batch, binary=binary, triangular=options.format == "triangular")
        lap("plan (numpy)")
        losses = network(e, plan)
        lap("forward")
        (losses.sums / losses.counts).sum().backward()
        lap("backward")
        optimizer.step()
        optimizer.zero_grad()
        lap("optimiser")

    def context() -> float:
        """BiLSTM_cxt alone, forward and backward."""
        sequences = make_plan(batch, binary=binary).words
        start = time.perf_counter()
        network.context(e, sequences).sum().backward()
        network.zero_grad()
        return time.perf_counter() - start

    for _ in range(3):
        step()
        context()
    parts.clear()
    for _ in range(options.steps):
        step()
    alone = statistics.median(context() for _ in range(options.steps))
    medians = {name: statistics.median(times) for name, times in parts.items()}
    total = sum(medians.values())
    print(f"{options.kind}, {options.format}, {words} words, {options.threads} threads")
    for name, seconds in medians.items():
        print(f"  {name:14} {1000 * seconds:7.1f} ms  {seconds / total:6.1%}")
    print(f"  {'whole step':14} {1000 * total:7.1f} ms  {words / total:,.0f} words/s")
    print(f"  BiLSTM_cxt     {1000 * alone:7.1f} ms  {alone / total:6.1%}  {words / alone:,.0f} words/s")
    if options.profile:
        with torch.profiler.profile() as profile:
            step()
        print(
            profile.key_averages().table(
                sort_by="self_cpu_time_total", row_limit=12, max_name_column_width=36
            )
        )


if __name__ == "__main__":
    main()
