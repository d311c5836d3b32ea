"""How notebooks show a parse."""

from __future__ import annotations

from nccp.decoding import Parse
from nccp.decoding.input_sentence import InputSentence
from nccp.trees import parse_tree, to_gaps


def test_notebooks_show_the_tree():
    tree = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD <sat>)))")
    parse = Parse(InputSentence(tree.leaves()), to_gaps(tree))
    drawing = parse._repr_svg_()
    assert drawing == parse.tree._repr_svg_()
    assert drawing.startswith("<svg ")
    assert "&lt;sat&gt;" in drawing


def test_notebooks_show_no_tree_where_there_is_none():
    assert Parse(InputSentence([]), None)._repr_svg_() is None
