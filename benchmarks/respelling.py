"""How much other spellings hurt a model: the F1 of the same sentences in lower case, without a stop, ...

    python benchmarks/respelling.py en ../shared/treebanks/gum --split dev

The gold trees are respelled as in training (`nccp.training.augment`) and parsed as words, without tags. Curly
quotes and apostrophes are tested too, although no model is trained on them.
"""

from __future__ import annotations

from collections.abc import Callable

from material import read_material

from nccp.scoring import score_trees
from nccp.training.augment import QUOTES, change_case, drop_stop, drop_tags, join_hyphens
from nccp.trees import Tree

_CURLED = str.maketrans({"'": "’"})


def curl(tree: Tree) -> Tree:
    """With “curly” quotes and apostrophes."""
    return change_case(tree, lambda word: {"``": "“", "''": "”"}.get(word, word.translate(_CURLED)))


WAYS: dict[str, Callable[[Tree], Tree]] = {
    "as written": lambda tree: tree,
    "lower case": lambda tree: change_case(tree, str.lower),
    "UPPER CASE": lambda tree: change_case(tree, str.upper),
    "Title Case": lambda tree: change_case(tree, str.title),
    "no stop at the end": drop_stop,
    "no quotes": lambda tree: drop_tags(tree, QUOTES),
    "curly quotes": curl,
    "hyphens joined": join_hyphens,
}


def main() -> None:
    """A row for each way."""
    model, golds = read_material(__doc__)
    plain = 0.0
    print(f"{'':<20}{'F1':>7}{'':>8}{'changed':>9}")
    for name, way in WAYS.items():
        spelled = [way(gold) for gold in golds]
        parses = model.parse_many([tree.leaves() for tree in spelled])
        f1 = score_trees(spelled, [parse.tree for parse in parses]).f1
        plain = plain or f1
        changed = sum(new.leaves() != old.leaves() for new, old in zip(spelled, golds))
        print(f"{name:<20}{f1:>7.2f}{f1 - plain:>+8.2f}{changed:>9,}")


if __name__ == "__main__":
    main()
