"""The page: complete in itself, well formed, and words in it are only ever words."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from nccp.analysis.charts import Bar, bar_chart
from nccp.analysis.error_analysis import Analysis, analyse
from nccp.analysis.error_tables import error_text
from nccp.analysis.html_report import html_report, marked
from nccp.trees import Tree, parse_tree
from tests.analysis.parses import plain

GOLD = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (NNP Rome)))))"
PRED = "(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (NP (DT a) (NNP dog)) (PP (IN in) (NP (NNP Rome))))))"
EVIL = "<script>alert('&')</script>"
VOID = {"meta", "br"}


def study(gold: str = GOLD, pred: str = PRED, **options) -> Analysis:
    options = {"binary": True, "model": "m", "trees": "t", "seconds": 0.5, **options}
    return analyse([parse_tree(gold)], [plain(pred)], **options)


class Checker(HTMLParser):
    """Every element that opens closes, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.links += [value for name, value in attributes if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    return checker


def test_a_page_of_its_own():
    page = html_report(study(), version="1.2")
    checker = check(page)
    assert not {"script", "link", "img", "iframe"} & checker.seen
    assert checker.links == []
    assert not re.search(r"url\(|@import", page)
    assert re.findall(r"https?://[^\"'<> ]*", page) == ["http://www.w3.org/2000/svg"] * 2  # two trees
    assert "prefers-color-scheme:dark" in page
    assert 'name="viewport"' in page
    assert "Worst sentences" in page
    assert "nccp 1.2" in page


def test_the_tables():
    text = error_text(study())
    assert "m on t: 1 sentences, 7 words" in text
    assert re.search(r"attachment +0 +1 +100.0% +PP 1", text)
    assert re.search(r"NN +NNP +1 +dog 1", text)
    assert "First pairs" not in text  # no flat constituent in the prediction
    flat = study(pred=GOLD)
    assert re.search(r"First pairs\n", error_text(flat))
    assert "Errors" not in error_text(flat)


def test_words_labels_and_names_are_escaped():
    analysis = study(model=EVIL, trees=EVIL)
    for tree in (analysis.worst[0].gold, analysis.worst[0].pred):
        for node in tree.subtrees():
            if node[0] == "dog":
                node[0] = EVIL
            if node.label() == "PP":
                node.set_label(EVIL)
    analysis.tags.examples["NN", "NNP"][EVIL] = 9
    page = html_report(analysis)
    assert "script" not in check(page).seen
    assert EVIL not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("word", ["\0", "\ud800", "\u2028", "東京", "a\nb"])
def test_odd_words(word):
    tree = Tree("S", [Tree("NN", [word]), Tree("X", [Tree("NN", ["b"]), Tree("NN", ["c"])])])
    parse = plain("(S (Y (NN a) (NN b)) (NN c))")
    assert parse.tree is not None
    page = html_report(analyse([tree], [parse], binary=False))
    check(page.encode("utf-8", "replace").decode())


def test_what_differs_is_marked():
    (sample,) = study().worst
    gold, pred = marked(sample)
    assert 'class="missed"' not in gold
    assert re.findall(r'<g class="extra" data-label="(\w+)" data-start="(\d)" data-end="(\d)"', pred) == [
        ("NP", "3", "7")
    ]
    assert re.findall(r'<g class="wrong" data-label="(\w+)"', pred) == ["NNP"]
    (turned,) = study(PRED, GOLD).worst
    assert re.findall(r'<g class="missed" data-label="(\w+)" data-start="3" data-end="7"', marked(turned)[0])


def test_charts_are_escaped_and_stay_inside():
    drawing = bar_chart("a<b", [Bar("<x>", 500, "&"), Bar("y", -1, "")], 100)
    assert "<x>" not in drawing
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"', drawing)]
    assert widths == [184, 0]
    assert bar_chart("none", []).startswith("<svg")
