"""A rule of ``nccp.treebanks.repairs``: closing brackets that are attached away from their opening ones."""

from __future__ import annotations

from collections.abc import Iterator

from nccp.trees import Tree


def closing_brackets(tree: Tree) -> None:
    """A closing bracket stands beside its opening one, and the two with what they hold are a PRN.

    CRAFT attaches the closing brackets of abbreviations too high::

        (S (NP (NP (NNS proteins))                      (S (NP (NP (NNS proteins))
               (-LRB- -LRB-) (NP (NNS BMPs)))    ->            (PRN (-LRB- -LRB-) (NP (NNS BMPs))
           (-RRB- -RRB-)                                            (-RRB- -RRB-)))
           (VP (VBP act)))                                 (VP (VBP act)))

    Only brackets that close right after the node of the opening bracket are moved. What a preposition
    governs, "in (B)", becomes an NP.
    """
    for opening, closing, home, far in _split_pairs(tree):
        start = _position(home, opening)
        before, inside = list(home[:start]), list(home[start:])
        if far is home or not before or not _is_last_leaf(home, far, closing):
            continue
        del far[_position(far, closing)]
        is_object = home.label() == "PP" and all(
            isinstance(child, Tree) and child.is_preterminal for child in before
        )
        home[:] = [*before, Tree("NP" if is_object else "PRN", [*inside, closing])]


def _split_pairs(tree: Tree) -> list[tuple[Tree, Tree, Tree, Tree]]:
    """Brackets that match, with the nodes that hold them, where these are two nodes."""
    pairs, stack = [], []
    for node, parent in _tags_and_parents(tree):
        if node.label() == "-LRB-":
            stack.append((node, parent))
        elif node.label() == "-RRB-" and stack:
            opening, home = stack.pop()
            if home is not parent:
                pairs.append((opening, node, home, parent))
    return pairs


def _tags_and_parents(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """The nodes above words and their parents, from left to right."""
    stack: list[tuple[Tree, Tree]] = [(tree, tree)]
    while stack:
        node, parent = stack.pop()
        if node.is_preterminal:
            yield node, parent
        else:
            stack += [(child, node) for child in reversed(node) if isinstance(child, Tree)]


def _is_last_leaf(home: Tree, far: Tree, closing: Tree) -> bool:
    """Whether the closing bracket, a child of ``far``, comes right after the last word of ``home``."""
    place = _position(far, closing)
    if not place:
        return False
    node = far[place - 1]
    while isinstance(node, Tree) and node is not home and len(node):
        node = node[-1]
    return node is home


def _position(node: Tree, child: Tree) -> int:
    return next(i for i, other in enumerate(node) if other is child)
