"""Speed and accuracy of models in one run, beside supar's CRF parser: words to brackets, on all cores.

    python benchmarks/peers.py ../shared/treebanks/gum --models en,en-small,en-fast --out peers.json
    python benchmarks/peers.py --draw peers.json peers.svg

The sentences of the test set are parsed by each model in turn, three rounds; the best round of each counts,
so that other load disturbs all alike. F1 is measured on the same sentences.

supar (``pip install --no-deps supar==1.1.4 && pip install dill``; not a dependency of nccp) is timed with
random weights: its chart costs the same whatever they are. It has its default sizes, its default decoding (by
marginals), no pretrained encoder, and batches of 5,000 words, sorted by length. Without supar it is left out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nccp
from bulk import describe_machine, write_result
from nccp.evaluation import read_gold
from nccp.scoring import score_trees
from nccp.treebanks import Cleaning

Sentences = Sequence[Sequence[str]]
_ROUNDS = 3
_BATCH_WORDS = 5000
_TICKS = (50, 100, 200, 500, 1000, 2000, 5000)


def supar_parser(sentences: Sentences) -> Callable[[], None] | None:
    """A function that parses the sentences with supar's CRF parser, or None without supar."""
    try:
        import torch
        from supar.models.const import CRFConstituencyModel
        from supar.structs import ConstituencyCRF
        from supar.utils.transform import Tree
    except ImportError:
        return None
    words = {word: row for row, word in enumerate(sorted({w for s in sentences for w in s}), 2)}
    letters = {letter: row for row, letter in enumerate(sorted({c for w in words for c in w}), 2)}
    labels = [f"X{i}" for i in range(120)]  # about as many as English treebanks have after binarizing
    torch.manual_seed(0)
    model = CRFConstituencyModel(len(words) + 2, len(labels), n_chars=len(letters) + 2).eval()
    batches: list[list[Sequence[str]]] = [[]]
    for sentence in sorted(sentences, key=len):
        if sum(map(len, batches[-1])) + len(sentence) > _BATCH_WORDS:
            batches.append([])
        batches[-1].append(sentence)

    @torch.no_grad()
    def parse() -> None:
        for batch in batches:
            longest = max(map(len, batch)) + 2  # with marks of beginning and end
            ids = torch.zeros(len(batch), longest, dtype=torch.long)
            chars = torch.zeros(len(batch), longest, 20, dtype=torch.long)
            for row, sentence in enumerate(batch):
                ids[row, : len(sentence) + 2] = 1
                chars[row, : len(sentence) + 2, 0] = 1
                for place, word in enumerate(sentence, 1):
                    ids[row, place] = words[word]
                    spelled = torch.tensor([letters[letter] for letter in word[:20]])
                    chars[row, place, : len(spelled)] = spelled
            real = ids.ne(0)[:, 1:]
            mask = (real.unsqueeze(1) & real.unsqueeze(2)).triu_(1)
            spans, scores = model(ids, [chars])
            spans = ConstituencyCRF(spans, mask[:, 0].sum(-1)).marginals
            for sentence, chart in zip(batch, model.decode(spans, scores, mask)):
                Tree.build(Tree.totree(sentence), [(i, j, labels[label]) for i, j, label in chart])

    return parse


def measure(treebank: str, names: list[str]) -> dict[str, Any]:
    """Sentences per second and F1 of each model; the speed of supar."""
    gold = read_gold(treebank)
    sentences = [tree.leaves() for tree in gold.trees]
    runs: dict[str, Callable[[], Any]] = {}
    scores = {}
    for name in names:
        parser = nccp.load(name)
        clean = read_gold(treebank, cleaning=Cleaning(flatten=parser.flat)).trees
        scores[name] = score_trees(clean, [parse.tree for parse in parser.parse_many(sentences)]).f1
        runs[name] = lambda parser=parser: [parse.brackets() for parse in parser.parse_many(sentences)]
    if supar := supar_parser(sentences):
        runs["supar CRF"] = supar
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(_ROUNDS):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    models = [
        {
            "name": Path(name).name,
            "sentences_per_second": round(len(sentences) / best[name], 1),
            "f1": scores.get(name),
        }
        for name in runs
    ]
    size = f"{len(sentences):,} sentences, {sum(map(len, sentences)):,} words"
    return {"about": f"{gold}: {size}; {describe_machine()}", "models": models}


def draw(results: dict[str, Any], out: Path) -> None:
    """F1 against sentences per second; a peer without a score is a vertical line."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    for model in results["models"]:
        rate = model["sentences_per_second"]
        if model["f1"] is None:
            axes.axvline(rate, linestyle="--", color="grey")
            axes.annotate(
                f"{model['name']} (random weights)", (rate, 0.02), xycoords=("data", "axes fraction")
            )
        else:
            axes.plot(rate, model["f1"], "o")
            axes.annotate(model["name"], (rate, model["f1"]), textcoords="offset points", xytext=(6, 4))
    axes.set_xscale("log")
    axes.set_xticks(_TICKS, labels=[f"{tick:,}" for tick in _TICKS])
    axes.set_xticks([], minor=True)
    axes.set_xlim(_TICKS[0], _TICKS[-1])
    axes.margins(y=0.15)
    axes.set_xlabel("sentences per second")
    axes.set_ylabel("F1")
    figure.tight_layout()
    figure.savefig(out)


def main() -> None:
    """Measure, or draw what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", nargs="?")
    parser.add_argument("--models", default="en,en-fast", help="names or folders, separated by commas")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--draw", nargs=2, type=Path, metavar=("RESULTS", "FIGURE"))
    options = parser.parse_args()
    if options.draw:
        draw(json.loads(options.draw[0].read_text("utf-8")), options.draw[1])
        return
    write_result(measure(options.treebank, options.models.split(",")), options.out)


if __name__ == "__main__":
    main()
