from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from nccp.decoding import InputSentence, Parse
from nccp.integrations.notebook import render
from nccp.trees import parse_tree, to_gaps

TREE = parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD <sat>)))")
PARSE = Parse(InputSentence(TREE.leaves()), to_gaps(TREE))
NOTHING = Parse(InputSentence([]), None)


def test_several_are_drawn_below_each_other():
    drawings = render([PARSE, NOTHING, TREE])
    html = ElementTree.fromstring(drawings._repr_html_())
    assert [part.tag for part in html] == ["div", "p", "div"]
    assert "currentColor" in html[0].get("style")  # the colours are those of the notebook
    assert "&lt;sat&gt;" in drawings.html
    assert repr(drawings).splitlines()[0] == repr(PARSE)


def test_one_or_an_iterator():
    assert render(PARSE).html == render(iter([PARSE])).html == render(PARSE.tree).html


def test_long_lists_are_cut():
    drawings = render((PARSE for _ in range(10)), limit=3)
    assert drawings.html.count("<svg") == 3
    assert "first 3 are shown" in drawings.html
    assert "first 3 are shown" in repr(drawings)


def test_lists_in_a_notebook():
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    show = lambda value: shell.display_formatter.format(value)[0]
    shell.run_line_magic("load_ext", "nccp.integrations.notebook")
    assert show([PARSE, TREE])["text/html"] == render([PARSE, TREE]).html
    assert "text/html" not in show([1, 2])
    assert "text/html" not in show([])
    shell.run_line_magic("unload_ext", "nccp.integrations.notebook")
    assert "text/html" not in show([PARSE])
    assert "<svg" in show(PARSE)["text/html"]
