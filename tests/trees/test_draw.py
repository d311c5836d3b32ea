import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise

import pytest
from hypothesis import given

from nccp.errors import InputError
from nccp.trees import Tree, parse_tree
from nccp.trees.draw import display_svg, draw_latex, draw_svg, draw_text
from nccp.trees.draw_text import columns, draw_indented
from nccp.trees.layout import lay_out
from tests.conftest import trees

DOG = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
SVG = "{http://www.w3.org/2000/svg}"
STRANGE = Tree(
    "S&<>",
    [Tree('"', ["\x00\x1b<b>"]), Tree("", ["\ud800\ufffe"]), "alone", Tree("EMPTY", []), Tree("$", ["a\nb"])],
)


def deep(levels: int) -> Tree:
    tree = Tree("A", ["x"])
    for level in range(levels):
        leaf = Tree("B", ["y"])
        tree = Tree("A", [tree, leaf] if level % 2 else [leaf, tree])
    return tree


# ---- layout -------------------------------------------------------------------------------------------


@given(trees)
def test_nothing_overlaps(tree: Tree) -> None:
    boxes = lay_out(tree, lambda text, is_word: len(text), 2)
    assert min(box.left for box in boxes) >= 0
    for box in boxes:
        children = [boxes[child] for child in box.children]
        text = max(len(box.label), len(box.word)) / 2
        assert box.left <= box.center - text + 1e-6
        assert box.center + text <= box.left + box.width + 1e-6
        for one, two in pairwise(children):
            assert one.left + one.width + 2 <= two.left + 1e-6
        for child in children:
            assert box.left <= child.left + 1e-6
            assert child.left + child.width <= box.left + box.width + 1e-6
            assert child.row < box.row
    for one, two in combinations(boxes, 2):
        if one.row == two.row:
            assert one.left + one.width <= two.left or two.left + two.width <= one.left


# ---- text ---------------------------------------------------------------------------------------------


def test_text() -> None:
    assert draw_text(parse_tree(DOG)).splitlines() == [
        "       S",
        "   ┌───┴────┐",
        "   NP      VP",
        " ┌─┴──┐     │",
        "DT   NN    VBZ",
        "the  dog  barks",
    ]


def test_text_with_wide_characters() -> None:
    assert draw_text(parse_tree("(IP (PP (NP (N 吾輩)) (P は)) (N 猫) (PU 。))")).splitlines() == [
        "        IP",
        "    ┌────┴┬───┐",
        "   PP     │   │",
        " ┌──┴─┐   │   │",
        " NP   │   │   │",
        " │    │   │   │",
        " N    P   N   PU",
        "吾輩  は  猫  。",
    ]


def test_text_of_odd_trees() -> None:
    assert draw_text(parse_tree("(NP the (NN dog) (EX))")).splitlines() == [
        "     NP",
        " ┌───┴┬───┐",
        " │   NN   EX",
        "the  dog",
    ]
    assert draw_text(parse_tree("(NN owl)")).splitlines() == ["NN", "owl"]
    assert draw_text(Tree("", [Tree("NN", ["owl"])])).splitlines() == [" ·", " │", "NN", "owl"]
    assert "␀␛<b>" in draw_text(STRANGE)
    assert "a␊b" in draw_text(STRANGE)


def test_wide_trees_are_indented() -> None:
    tree = parse_tree(DOG)
    assert draw_text(tree, 15) == draw_text(tree)
    assert draw_text(tree, 14).splitlines() == [
        "S",
        "├─ NP",
        "│  ├─ DT the",
        "│  └─ NN dog",
        "└─ VP",
        "   └─ VBZ barks",
    ]


@given(trees)
def test_text_has_every_word_in_order(tree: Tree) -> None:
    lines = draw_text(tree).splitlines()
    assert lines[-1].split() == tree.leaves()
    assert len(lines) == 2 * (tree.height() - 1)
    expected = [
        f"{node.label()} {node[0]}" if node.is_preterminal else node.label() or "·"
        for node in tree.subtrees()
    ]
    assert [line.lstrip("│├└─… ") for line in draw_indented(tree).splitlines()] == expected


def test_columns() -> None:
    assert [columns(text) for text in ("owl", "東京", "e\u0301", "ｱ", "👍", "👨‍👩‍👧", "")] == [
        3,
        4,
        1,
        1,
        2,
        2,
        0,
    ]


# ---- SVG ----------------------------------------------------------------------------------------------


def test_svg() -> None:
    tree = parse_tree(DOG)
    tree[0].score = 0.5
    root = ElementTree.fromstring(draw_svg(tree))
    assert root.find(f"{SVG}title").text == root.get("aria-label") == "the dog barks"  # type: ignore[union-attr]
    groups = root.findall(f"{SVG}g")
    assert [group.get("data-label") for group in groups] == ["S", "NP", "DT", "NN", "VP", "VBZ"]
    phrase = groups[1]
    assert (phrase.get("data-start"), phrase.get("data-end"), phrase.get("data-score")) == ("0", "2", "0.5")
    assert phrase.find(f"{SVG}title").text == "NP · words 1–2 · score 0.5"  # type: ignore[union-attr]
    assert groups[0].get("data-score") is None
    words = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "word"]
    assert words == ["the", "dog", "barks"]


def test_svg_stands_alone() -> None:
    text = draw_svg(parse_tree(DOG))
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert 'class="paper"' not in text
    assert 'class="paper"' in display_svg(parse_tree(DOG))
    assert "prefers-color-scheme:dark" in text


def test_svg_escapes() -> None:
    root = ElementTree.fromstring(draw_svg(STRANGE, title='a "<b>" & \x00').encode())
    assert root.get("aria-label") == 'a "<b>" & ␀'
    assert [text.text for text in root.iter(f"{SVG}text")] == [
        "S&<>", '"', "␀␛<b>", "\ufffd\ufffd", "alone", "EMPTY", "$", "a␊b",
    ]  # fmt: skip


@given(trees)
def test_svg_is_within_its_frame(tree: Tree) -> None:
    root = ElementTree.fromstring(draw_svg(tree))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x", -1)) < width
        assert 0 < float(text.get("y", -1)) < height


# ---- LaTeX --------------------------------------------------------------------------------------------


def test_forest() -> None:
    latex = draw_latex(parse_tree(DOG))
    assert "\\begin{forest}" in latex
    assert re.sub(r"\s+", " ", latex).endswith(
        "[S [NP [DT [the]] [NN [dog]]] [VP [VBZ [barks]]]] \\end{forest} "
    )


def test_qtree() -> None:
    latex = re.sub(r"\s+", " ", draw_latex(parse_tree(DOG), style="qtree"))
    assert latex.endswith("\\Tree [.S [.NP [.DT the ] [.NN dog ] ] [.VP [.VBZ barks ] ] ] ")


def test_latex_escapes() -> None:
    tree = Tree(
        "S^_", [Tree("$", ["100%"]), Tree("[,]", ["a&b#{}"]), Tree("X=Y", ["\\~--"]), Tree("P", ['<|>"'])]
    )
    forest = draw_latex(tree)
    for piece in (
        r"[{S\textasciicircum{}\_}", r"[{\$} [{100\%}]]", r"[{[,]} [{a\&b\#\{\}}]]",
        r"[{X=Y} [{\textbackslash{}\textasciitilde{}-{}-}]]",
        r"[P [{\textless{}\textbar{}\textgreater{}\symbol{34}}]]",
    ):  # fmt: skip
        assert piece in forest
    assert r"[.{[,]} {a\&b\#\{\}} ]" in draw_latex(tree, "qtree")


def test_unknown_style() -> None:
    with pytest.raises(InputError, match="no LaTeX style 'tikz': there are forest and qtree"):
        draw_latex(parse_tree(DOG), "tikz")


# ---- all ----------------------------------------------------------------------------------------------


def test_very_deep_trees() -> None:
    tree = deep(10_000)
    assert draw_text(tree).count("B y") == draw_text(tree, 80).count("B y") == 10_000
    assert max(map(len, draw_text(tree, 80).splitlines())) < 80
    assert draw_svg(tree).count("<g ") == 20_001
    for style in ("forest", "qtree"):
        latex = draw_latex(tree, style)
        assert latex.count("[") == latex.count("]")


def test_a_deep_chain_is_drawn() -> None:
    tree = Tree("A", ["x"])
    for _ in range(3000):
        tree = Tree("A", [tree])
    assert len(draw_text(tree).splitlines()) == 6002


def test_drawing_needs_no_torch() -> None:
    code = "import sys, nccp.trees.draw; print('torch' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
