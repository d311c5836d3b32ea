"""Parses and trees as the API's JSON. Trees may be deep: they are written by a loop, not by recursion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from nccp.decoding import Branching
from nccp.decoding.nodes import walk
from nccp.decoding.trace import Trace
from nccp.trees import Tree, format_tree

encode = msgspec.json.encode


def parse_value(trace: Trace, *, layers: bool = False) -> dict[str, Any]:
    """A PARSE of the API."""
    parse = trace.parse
    made = parse.to_dict()
    made["nodes"] = None if parse.tree is None else nodes_json(parse.tree, parse.weights)
    if layers:
        made["layers"] = trace.to_dicts()
    return made


def tree_value(tree: Tree) -> dict[str, Any]:
    """The same of a tree that was given, as far as it goes."""
    return {
        "words": tree.leaves(),
        "tags": tree.tags(),
        "tree": format_tree(tree),
        "nodes": nodes_json(tree),
    }


def nodes_json(tree: Tree, weights: Sequence[Branching] | None = None) -> msgspec.Raw:
    """The tree as nested objects; ``weights`` of its branching nodes, parents first."""
    shares = _shares(tree, weights) if weights else {}
    parts: list[bytes] = []
    ends: list[int] = []  # of the open nodes on the way down, how many nodes are to be written before
    nodes = walk(tree)
    sizes = _sizes([node for node, _, _ in nodes])
    for place, (node, start, end) in enumerate(nodes):
        value: dict[str, Any] = {"label": node.label(), "start": start, "end": end}
        if node.score is not None:
            value["score"] = round(node.score, 6)
        value.update(shares.get(id(node), {}))
        if node.is_preterminal:
            value["word"] = node[0]
        parts.append(encode(value))
        if not node.is_preterminal:
            parts[-1] = parts[-1][:-1] + b',"children":['
            ends.append(place + sizes[place])
        while ends and ends[-1] == place + 1:
            parts.append(b"]}")
            ends.pop()
        if ends and (node.is_preterminal or len(node) == 0 or parts[-1] == b"]}"):
            parts.append(b",")
    return msgspec.Raw(b"".join(parts))


def _sizes(nodes: Sequence[Tree]) -> list[int]:
    """How many nodes each subtree has; parents stand before children."""
    sizes = [1] * len(nodes)
    seen: list[int] = []  # whole subtrees, the leftmost last
    for place in range(len(nodes) - 1, -1, -1):
        for child in nodes[place]:
            if isinstance(child, Tree):
                sizes[place] += seen.pop()
        seen.append(sizes[place])
    return sizes


def _shares(tree: Tree, weights: Sequence[Branching]) -> dict[int, dict[str, Any]]:
    """Of each child of a branching node, its weight, and whether it is the head."""
    found: dict[int, dict[str, Any]] = {}
    for node, one in zip(_branching(tree), weights):
        head = max(range(len(node)), key=one.weights.__getitem__)
        for place, (child, weight) in enumerate(zip(node, one.weights)):
            found[id(child)] = {"weight": round(weight, 6), **({"head": True} if place == head else {})}
    return found


def _branching(tree: Tree) -> Iterator[Tree]:
    return (node for node in tree.subtrees() if len(node) > 1)
