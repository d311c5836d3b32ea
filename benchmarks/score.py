"""Sentences per second of `nccp.scoring.score_trees`, on one core.

    python benchmarks/score.py GOLD PRED [--prm NAME|FILE] [--seconds S]

The two files are read first; only the scoring is timed, over and over for some seconds, best round printed.
"""

from __future__ import annotations

import argparse
import time

from nccp.scoring import Parameters, read_sentences, score_trees


def main() -> None:
    """Read, score, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("gold")
    parser.add_argument("pred")
    parser.add_argument("--prm", default="collins")
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    parameters = Parameters.load(options.prm)
    golds, preds = read_sentences(options.gold), read_sentences(options.pred)
    best = float("inf")
    deadline = time.perf_counter() + options.seconds
    while time.perf_counter() < deadline:
        start = time.perf_counter()
        score = score_trees(golds, preds, parameters)
        f1 = score.f1
        best = min(best, time.perf_counter() - start)
    words = sum(one.length for one in score.sentences)
    print(f"{len(golds) / best:,.0f} sentences/s ({words / len(golds):.1f} words per sentence, F1 {f1:.2f})")


if __name__ == "__main__":
    main()
