"""Whether the scores of nodes are probabilities: how many of those scored 0.9 are in the gold tree.

    python benchmarks/node_scores.py en ../shared/treebanks/gum --split dev

Phrases below the root, tags left out, in ten bins of equal number. A node is right if the gold tree has its
label over its words.
"""

from __future__ import annotations

import numpy as np
from material import read_material

from nccp import Tree


def phrases(tree: Tree) -> list[Tree]:
    """All but the root and the tags."""
    return [node for node in tree.subtrees() if node is not tree and not node.is_preterminal]


def main() -> None:
    """A row for each bin, and one for all."""
    model, golds = read_material(__doc__)
    rows = []
    for gold, parse in zip(golds, model.parse_many([gold.leaves() for gold in golds], scores=True)):
        right = {(node.label(), node.span) for node in phrases(gold)}
        rows += [(node.score, (node.label(), node.span) in right) for node in phrases(parse.tree)]
    table = np.array(sorted(rows))
    print(f"{'score':>6}{'right':>7}{'nodes':>9}")
    for part in [*np.array_split(table, 10), table]:
        score, right = part.mean(0)
        print(f"{score:>6.3f}{right:>7.3f}{len(part):>9,}")


if __name__ == "__main__":
    main()
