"""Training time and memory of the stratified and the triangular format (paper, Table "fmt", Figure "speed").

Everything is measured in processes of their own, since the peak memory of a process never falls. The time is
that of training steps alone, without evaluations. With one CPU thread it is CPU time, which depends less on
other programs.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from nccp.config import Config
from nccp.errors import InputError
from nccp.runtime.bench import peak_memory
from nccp.training.corpus import Corpus, read_corpus
from nccp.training.distributed import join_team
from nccp.training.run_folder import RunFolder
from nccp.training.trainer import Trainer
from nccp.trees import Gaps, Symbols, Tree, from_gaps, to_gaps
from nccp.trees.labels import is_sub, sub_label

FORMATS = ("stratified", "triangular")
LENGTHS = (20, 25, 32, 40, 50, 63, 80, 100, 125, 160, 200, 250, 320, 400, 500)
"""Sentence lengths that are tried for memory: each a quarter longer than the one before."""
_BIN = 10  # words


def benchmark_formats(
    config: Config, formats: Sequence[str] = FORMATS, *, batches: int | None = None, memory: int | None = None
) -> list[dict[str, Any]]:
    """Measure each format in new processes: `benchmark_format` and, with ``memory``, `longest_sentences`."""
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise InputError(f"no training format {unknown[0]!r}: there are {' and '.join(FORMATS)}")
    results = []
    for name in formats:
        result = _in_process(benchmark_format, config, name, batches)
        if memory is not None:
            result["longest"] = _in_process(longest_sentences, config, name, memory)
        results.append(result)
    return results


def _in_process(function: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def benchmark_format(config: Config, form: str, batches: int | None = None) -> dict[str, Any]:
    """Train one epoch, or its first ``batches``, in this process: time, speed by length and peak memory."""
    with _trainer(config, form) as trainer:
        base = _peak(trainer.team.device)
        epoch = trainer.epoch_batches()
        steps = [_timed(trainer, batch) for batch in epoch[:batches]]
        memory = {"base_memory": base, "peak_memory": _peak(trainer.team.device)}
        return {"format": form, **_summary(trainer, epoch, steps), **memory}


def longest_sentences(config: Config, form: str, memory: int) -> dict[str, Any]:
    """The longest of `LENGTHS` of which a batch fits into ``memory`` bytes, and what each one needed."""
    with _trainer(config, form) as trainer:
        corpus, size = trainer.corpus, trainer.config.train.batch
        rng = np.random.default_rng(0)
        tried: list[dict[str, float]] = []
        fits = 0
        for length in LENGTHS:
            made = [make_sentence(corpus, length, rng) for _ in range(size)]
            trainer.corpus = replace(corpus, train=made, respelled=made, weights=[1.0] * size)
            trainer.lengths = np.full(size, length, np.int64)
            step = _timed(trainer, np.arange(size))
            peak = _peak(trainer.team.device)
            tried.append({"words": length, "peak_memory": peak, "seconds": step["seconds"]})
            if peak > memory:
                break
            fits = length
    return {"memory": memory, "batch": size, "words": fits, "tried": tried}


@contextmanager
def _trainer(config: Config, form: str) -> Iterator[Trainer]:
    """A trainer of this format, in a folder that is deleted."""
    config = msgspec.structs.replace(config, model=msgspec.structs.replace(config.model, format=form))
    if config.train.threads:
        torch.set_num_threads(config.train.threads)
    with tempfile.TemporaryDirectory() as folder, join_team() as team:
        corpus = read_corpus(config.data, unify_sub=config.model.unify_sub)
        yield Trainer(config, corpus, RunFolder(Path(folder)), team, quiet=True)


def _timed(trainer: Trainer, batch: Any) -> dict[str, float]:
    lengths = trainer.lengths[batch]
    clock = time.process_time if _uses_cpu_time(trainer.team.device) else time.perf_counter
    began = clock()
    trainer.train_batch(batch)
    seconds = clock() - began
    return {
        "sentences": len(batch),
        "words": int(lengths.sum()),
        "mean": float(lengths.mean()),
        "seconds": seconds,
    }


def _summary(trainer: Trainer, epoch: Sequence[Any], steps: list[dict[str, float]]) -> dict[str, Any]:
    words = sum(int(trainer.lengths[batch].sum()) for batch in epoch)
    done, seconds = sum(step["words"] for step in steps), sum(step["seconds"] for step in steps)
    bins: dict[int, list[dict[str, float]]] = {}
    for step in steps:
        bins.setdefault(int((step["mean"] - 1) // _BIN), []).append(step)
    return {
        "parameters": sum(p.numel() for p in trainer.model.parameters() if p.requires_grad),
        "clock": "CPU" if _uses_cpu_time(trainer.team.device) else "wall",
        "batches": len(steps),
        "epoch_batches": len(epoch),
        "seconds": seconds,
        "epoch_seconds": seconds * words / done,
        "words_per_second": done / seconds,
        "by_length": [
            {
                "from": number * _BIN + 1,
                "to": (number + 1) * _BIN,
                "batches": len(members),
                "seconds_per_batch": sum(step["seconds"] for step in members) / len(members),
                "sentences_per_second": sum(step["sentences"] for step in members)
                / sum(step["seconds"] for step in members),
            }
            for number, members in sorted(bins.items())
        ],
    }


def make_sentence(corpus: Corpus, length: int, rng: np.random.Generator) -> Gaps:
    """A tree over exactly so many words: training trees side by side, single words where none fits."""
    parts: list[Tree] = []
    left = length
    while left:
        tree = corpus.train[int(rng.integers(len(corpus.train)))]
        if len(tree) > left:
            tag, word = corpus.symbols.tags[int(tree.tags[0])], tree.words[0]
            parts.append(Tree(tag, [word]))
            left -= 1
        else:
            parts.append(from_gaps(tree))
            left -= len(tree)
    return to_gaps(Tree(_root(corpus.symbols), parts) if len(parts) > 1 else parts[0], corpus.symbols)


def _root(symbols: Symbols) -> str:
    """A label that may have many children, since its ``_X`` is known."""
    names = symbols.labels
    return next((name for name in names if not is_sub(name) and sub_label(name) in names), names[0])


def _uses_cpu_time(device: torch.device) -> bool:
    return device.type == "cpu" and torch.get_num_threads() == 1


def _peak(device: torch.device) -> int:
    """The most bytes in use so far: of the GPU, or of this process."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    return peak_memory() or 0
