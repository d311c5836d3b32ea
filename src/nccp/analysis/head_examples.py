"""Sentences with the weights of all children, as in the paper's Figure "m_ary" (bottom)."""

from __future__ import annotations

from collections.abc import Sequence

from nccp.analysis.heads import families
from nccp.analysis.marked_trees import draw_marked
from nccp.decoding import Parse
from nccp.trees import Tree
from nccp.trees.draw import draw_text, stack_svg

HEAVIEST = "◂"
"""Follows the percentage of the heaviest child, where there is no colour."""
_STYLE = """
.nccp-tree .head text.phrase,.nccp-tree .head text.tag{fill:#d55e00;font-weight:700}
@media(prefers-color-scheme:dark){.nccp-tree .head text.phrase,.nccp-tree .head text.tag{fill:#ff9d5c}}
"""


def weighted_tree(parse: Parse, mark: str = "") -> tuple[Tree, list[int]]:
    """The tree with each child's percentage behind its label, and the heaviest children's numbers.

    ::

        (NP (DT 61% the) (JJ 14% old) (NN 25% cat))      heaviest [1], as numbered by ``tree.subtrees()``
    """
    assert parse.tree is not None
    numbers = {id(node): number for number, node in enumerate(parse.tree.subtrees())}
    tree = parse.tree.copy(deep=True)
    nodes = list(tree.subtrees())
    heaviest = []
    for family in families(parse):
        for place, (child, weight) in enumerate(zip(family.children, family.weights)):
            number = numbers[id(child)]
            is_head = place == family.heaviest
            if is_head:
                heaviest.append(number)
            nodes[number].set_label(f"{child.label()} {weight:.0%}{mark if is_head else ''}")
    return tree, heaviest


def example_text(parse: Parse, width: int | None = None) -> str:
    """The tree of a sentence as text."""
    return draw_text(weighted_tree(parse, mark=HEAVIEST)[0], width)


def examples_svg(parses: Sequence[Parse]) -> str:
    """Several sentences' trees as one SVG document, heaviest children in colour."""
    drawings = []
    for parse in parses:
        tree, heaviest = weighted_tree(parse)
        drawings.append(draw_marked(tree, dict.fromkeys(heaviest, "head")))
    return stack_svg(drawings, _STYLE) + "\n"


def pick_examples(parses: Sequence[Parse], count: int, words: tuple[int, int] = (6, 18)) -> list[Parse]:
    """The first sentences of a convenient length; others if there are too few of them."""
    usable = [parse for parse in parses if parse.weights]
    fit = [parse for parse in usable if words[0] <= len(parse.words) <= words[1] and not parse.joined]
    chosen = {id(parse): parse for parse in (*fit, *usable)}
    return list(chosen.values())[:count]
