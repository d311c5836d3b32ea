"""Trees as nested JSON."""

from __future__ import annotations

import json

from hypothesis import given

from nccp.trees import Tree, parse_tree
from nccp.web.values import nodes_json, tree_value
from tests.conftest import trees


def rebuilt(node):
    if "word" in node:
        return Tree(node["label"], [node["word"]])
    return Tree(node["label"], [rebuilt(child) for child in node["children"]])


@given(trees)
def test_the_tree_is_all_there(tree):
    tree.set_spans()
    value = json.loads(bytes(nodes_json(tree)))
    assert rebuilt(value) == tree
    stack = [(value, tree)]
    while stack:
        node, twin = stack.pop()
        assert (node["start"], node["end"]) == twin.span
        assert "score" not in node
        stack += zip(node.get("children", []), [child for child in twin if isinstance(child, Tree)])


def test_a_constituent_without_words():
    assert json.loads(bytes(nodes_json(parse_tree("(S (NP) (VP (X) (VB a)) (NP))"))))["children"] == [
        {"label": "NP", "start": 0, "end": 0, "children": []},
        {
            "label": "VP",
            "start": 0,
            "end": 1,
            "children": [
                {"label": "X", "start": 0, "end": 0, "children": []},
                {"label": "VB", "start": 0, "end": 1, "word": "a"},
            ],
        },
        {"label": "NP", "start": 1, "end": 1, "children": []},
    ]


def test_very_deep():
    tree = parse_tree("(S" * 5000 + " (T a)" + ")" * 5000)
    assert tree_value(tree)["nodes"] == nodes_json(tree)
    assert bytes(nodes_json(tree)).count(b"children") == 5000
