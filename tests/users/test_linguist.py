"""A linguist counts, searches and draws the trees of a treebank, and asks what a model makes of it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.slow

TREE = "(S (NP-SBJ (DT the) (JJ old) (NN cat)) (VP (VBD sat) (ADVP (RB down))) (. .))"


def test_a_treebank_in_figures(light, sample):
    report = light.prints(f"nccp treebank check {sample}")
    assert "520" in report.replace(",", "")
    figures = json.loads(light.prints(f"nccp stats {sample} --split test --json"))
    left, right = (figures["factors"][name]["orientation"]["triangular"] for name in ("left", "right"))
    assert left["left"] > right["left"]  # more nodes point to the left if trees are binarized to the left
    assert left["right"] < right["right"]


def test_trees_found_and_drawn(light, sample):
    """Relative clauses, by a look at every node; the first one as a drawing and in LaTeX."""
    said = light.python(
        "from nccp.trees import read_trees\n"
        "def is_relative(node):\n"
        "    clauses = [child for child in node if getattr(child, 'label', str)() == 'SBAR']\n"
        "    return node.label() == 'NP' and any(clause[0].label() == 'WHNP' for clause in clauses)\n"
        f"trees = list(read_trees({str(sample / 'train.mrg')!r}))\n"
        "found = [node for tree in trees for node in tree.subtrees(is_relative)]\n"
        "print(len(trees), len(found))\n"
        "open('one.mrg', 'w').write(str(found[0]))\n"
    )
    trees, found = map(int, said.split())
    assert trees == 400
    assert found == 11
    drawing = ElementTree.fromstring(light.prints("nccp show one.mrg --format svg"))
    labels = [node.text for node in drawing.iter() if node.text]
    assert {"NP", "SBAR", "WHNP"} <= set(labels)
    assert "\\begin{forest}" in light.prints("nccp show one.mrg --format latex")


def test_the_layers_of_a_tree(light):
    """What the parser of the paper sees: arrows in every layer, or chunks."""
    light.write("cat.mrg", TREE)
    text = light.prints("nccp show cat.mrg --layers left")
    assert "NP-SBJ" not in text  # cleaned as in training
    assert "_NP" in text  # a part of the noun phrase: binarized
    assert "[" in light.prints("nccp show cat.mrg --layers multi")


def test_what_a_model_takes_for_the_head(light, sample):
    heads = json.loads(light.prints(f"nccp heads en-multi {sample} --split dev --json --min-count 5"))
    assert heads["sentences"] == 60
    phrases = heads["parents"]
    children = phrases["PP"]["children"]
    assert {"IN", "NP"} == set(sorted(children, key=lambda name: -children[name]["present"])[:2])
    for counts in phrases.values():
        assert sum(child["heaviest"] for child in counts["children"].values()) <= counts["nodes"]


def test_scores_and_dependencies(light, sample):
    """EVALB over a model's own trees gives what evaluate says; CoNLL-U for a dependency tool."""
    line = f"nccp evaluate en-fast {sample} --split test --json --out predicted.mrg"
    scores = json.loads(light.prints(line))["all"]
    assert scores["f1"] > 80
    gold = sample / "test.mrg"
    assert json.loads(light.prints(f"nccp score {gold} predicted.mrg --json"))["all"]["f1"] == scores["f1"]
    rows = light.prints("nccp parse --model en-fast --output conllu", stdin="The cat sat down.").splitlines()
    assert rows[0] == "# text = The cat sat down."
    assert [row.split("\t")[1:8:5] for row in rows[1:] if row] == [
        ["The", "2"],
        ["cat", "3"],
        ["sat", "0"],
        ["down", "3"],
        [".", "3"],
    ]


def test_second_thoughts(light):
    """The attachment of a phrase is ambiguous: the best trees, and the tree that she wants."""
    sentence = "I saw the man with a telescope."
    lines = light.prints("nccp parse --model en-fast --k-best 3", stdin=sentence).splitlines()
    scores = [float(line.split("\t")[0]) for line in lines if line]
    assert scores[0] == 1
    assert scores == sorted(scores, reverse=True)
    said = light.python(
        "import nccp\n"
        "parser = nccp.load('en-fast')\n"
        f"words = parser.prepare({sentence!r}).words\n"
        "for forbid in (False, True):\n"
        "    wish = nccp.Constraint(2, 7, 'NP', forbid=forbid)  # the man with a telescope\n"
        "    print(parser.parse(words, constraints=[wish]).tree.pformat(margin=1000))\n"
    ).splitlines()
    phrase = "(NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN telescope))))"
    assert [phrase in tree for tree in said] == [True, False]
