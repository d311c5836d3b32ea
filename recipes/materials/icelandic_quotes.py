"""Trees of GreynirCorpus with quotation marks put in, since its training trees have none and text has many.

    python recipes/materials/icelandic_quotes.py ../shared/treebanks/greynir ../greynir-quotes

::

    (IP (CP Það rignir) (grm ,) (VP segir hún))    (IP (grm „) (CP Það rignir) (grm ,) (grm “) (VP segir hún))
    (TOP (S Það rignir) (grm .))               ->  (TOP (grm „) (S Það rignir) (grm .) (grm “))
    (NP Brennu-Njáls saga)                         (NP (grm „) Brennu-Njáls saga (grm “))

Every clause of direct speech gets them, and of the other sentences some as a whole and some around a noun
phrase of two to six words. The choice is seeded.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from nccp.treebanks import Cleaning, open_treebank
from nccp.trees import Tree, format_tree

_SAYING = frozenset({"segir", "sagði", "segja", "sögðu", "spyr", "spurði", "svarar", "svaraði", "bætir"})
_WHOLE, _PHRASES = 0.04, 0.06  # shares of the sentences
_WORDS = range(2, 7)


def quote_speech(tree: Tree) -> bool:
    """Put marks around a clause that a verb of saying follows, in place; False if there is none."""
    for node in tree.subtrees():
        labels = [child.label() for child in node if isinstance(child, Tree)]
        if labels[:1] == ["CP"] and "VP" in labels:
            verb = labels.index("VP")
            if labels[1:verb] in ([], ["grm"]) and node[verb].leaves()[0] in _SAYING:
                node.insert(verb, Tree("grm", ["“"]))
                node.insert(0, Tree("grm", ["„"]))
                return True
    return False


def quote_node(node: Tree) -> None:
    """Put marks around the children of a node, in place."""
    node.insert(0, Tree("grm", ["„"]))
    node.append(Tree("grm", ["“"]))


def quoted(tree: Tree, rng: random.Random) -> bool:
    """Put marks into a tree, in place; False for one that stays without."""
    if quote_speech(tree):
        return True
    draw = rng.random()
    if draw < _WHOLE and tree.label() == "TOP":
        quote_node(tree)
        return True
    phrases = [node for node in tree.subtrees() if node.label() == "NP" and len(node.leaves()) in _WORDS]
    if draw < _WHOLE or draw >= _WHOLE + _PHRASES or not phrases:
        return False
    quote_node(rng.choice(phrases))
    return True


def main() -> None:
    """Write the trees."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("treebank", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(0)
    trees = [e.tree for e in open_treebank(options.treebank).read("train", cleaning=Cleaning())]
    trees = [tree for tree in trees if quoted(tree, rng)]
    with (options.out / "quotes.train.mrg").open("w", encoding="utf-8") as file:
        file.writelines(format_tree(tree) + "\n" for tree in trees)
    print(f"{len(trees):,} trees")


if __name__ == "__main__":
    main()
