"""How much faster than nltk the bracket reader is.

    python benchmarks/read_brackets.py '/path/to/ktb/treebank/*.psd'

Both sides go over the same files in turns, several times, in one process, neither keeping its trees. nltk
gets each tree's text ready-made, so only `nltk.Tree.fromstring` is timed; ours is timed from opening the
file on. Time is the processor's (user and system), which a busy machine disturbs less than the clock;
the figure to look at is the median over the rounds of nltk's time divided by ours.
"""

from __future__ import annotations

import argparse
import glob
import statistics
import time
from collections.abc import Callable

from nltk.tree import Tree as NltkTree

from nccp.trees import TreeReader, format_tree
from nccp.trees.bracket_text import TOKENS


def tree_texts(path: str) -> list[str]:
    """The text of each tree of a file, as laid out in it."""
    reader = TreeReader(path)
    starts = [(reader.line, tree) for tree in reader]
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    ends = [start - 1 for start, _ in starts[1:]] + [len(lines)]
    texts = ["".join(lines[start - 1 : end]) for (start, _), end in zip(starts, ends)]
    if len({start for start, _ in starts}) < len(starts):  # several trees on a line
        texts = [format_tree(tree) for _, tree in starts]
    return texts


def seconds(work: Callable[[], None]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print a line for each round, and the median."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pattern", help="files, as a quoted glob")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--every", type=int, default=1, help="take every n-th file only")
    options = parser.parse_args()
    paths = sorted(glob.glob(options.pattern))[:: options.every]
    texts = [text for path in paths for text in tree_texts(path)]
    if not texts:
        parser.error(f"no trees in {options.pattern}")

    def nltk_side() -> None:
        for text in texts:
            NltkTree.fromstring(text)

    def our_side() -> None:
        TOKENS.clear()  # what the rounds before have taught
        for path in paths:
            for _ in TreeReader(path):
                pass

    ratios = []
    for round_ in range(options.rounds):
        theirs, ours = seconds(nltk_side), seconds(our_side)
        ratios.append(theirs / ours)
        nltk_us, our_us = 1e6 * theirs / len(texts), 1e6 * ours / len(texts)
        print(f"round {round_ + 1}: nltk {nltk_us:.1f} us/tree, nccp {our_us:.1f} us, ratio {ratios[-1]:.2f}")
    print(f"{len(texts)} trees of {len(paths)} files: median {statistics.median(ratios):.2f} times as fast")


if __name__ == "__main__":
    main()
