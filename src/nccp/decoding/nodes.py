"""Scores and weights of the nodes of a finished tree, from the decoder's arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from nccp.decoding.confidence import Confidence
from nccp.trees import Gaps, Tree
from nccp.trees.gaps import fold
from nccp.trees.labels import POS, SUB, is_sub, split_chain

Node = tuple[Tree, int, int]
"""A node and the words it covers."""


class Branching(NamedTuple):
    """A node with several children, and the weight of each child: the mean of its λ."""

    label: str
    start: int
    end: int
    weights: tuple[float, ...]


def walk(tree: Tree) -> list[Node]:
    """Every node, parents before children, left to right, with its first word and the one after its last."""
    found: list[Any] = [tree]
    position = 0
    path: list[tuple[int, Tree, int, Iterator[Any]]] = [(0, tree, 0, iter(tree))]
    while path:
        place, node, start, children = path[-1]
        for child in children:
            if isinstance(child, Tree):
                path.append((len(found), child, position, iter(child)))
                found.append(child)
                break
            position += 1
        else:
            found[place] = (node, start, position)
            path.pop()
    return found


def score_nodes(
    nodes: Sequence[Node], confidence: Confidence, input_tags: Sequence[str | None] | None
) -> None:
    """Set ``score`` on the nodes of a tree, from 0 to 1; a tag of the input has none.

    Each place between two children of a node was closed by a decision of its own: its constituent's or, in
    flat constituents of binary models, that of a part which is not in the tree. All of them count. The
    links of a unary chain were one decision.
    """
    joins, leaves, tags = confidence.nodes.tolist(), confidence.leaves.tolist(), confidence.tags.tolist()
    starts = {id(node): start for node, start, _ in nodes}
    for node, start, _ in reversed(nodes):
        first = node[0]
        if not isinstance(first, Tree):
            if not (input_tags and input_tags[start]):
                node.score = math.exp(tags[start])
        elif len(node) > 1:
            node.score = math.exp(sum(joins[starts[id(child)]] for child in node[1:]))
        else:
            node.score = math.exp(leaves[start]) if first.is_preterminal else first.score


def branchings(gaps: Gaps, confidence: Confidence) -> list[Branching] | None:
    """The nodes that have several children, parents first; None where the model has no λ.

    Where a sub-constituent was dissolved into its parent, the weights of its children are multiplied by its
    own.
    """
    if confidence.word_weights is None or confidence.node_weights is None:
        return None
    words, nodes = confidence.word_weights.tolist(), confidence.node_weights.tolist()
    heights, names = gaps.heights.tolist(), [gaps.symbols.labels[place] for place in gaps.labels.tolist()]
    top = max(heights, default=0)
    found: list[Branching] = []

    def node(owned: list[int], children: list[_Piece]) -> _Piece:
        first = owned[0]
        start, end = children[0].start, children[-1].end
        shares = [share * child.weight for child in children for share in child.shares]
        if is_sub(names[first]) and heights[first] < top:
            return _Piece(start, end, nodes[first + 1], shares)
        found.append(Branching(_lowest(names[first]), start, end, tuple(shares)))
        return _Piece(start, end, nodes[first + 1], [1.0])

    fold(heights, lambda i: _Piece(i, i + 1, words[i], [1.0]), node)
    return sorted(found, key=lambda one: (one.start, -one.end))


def _lowest(label: str) -> str:
    """The lowest label of a unary chain; of a sub-constituent on top, the label that it is a part of."""
    if label.startswith(POS):
        return ""
    return split_chain(label[1:] if label.startswith(SUB) else label)[-1]


class _Piece(NamedTuple):
    """Words ``start`` to ``end`` in the finished tree: one node, or several that share its weight."""

    start: int
    end: int
    weight: float
    shares: list[float]
