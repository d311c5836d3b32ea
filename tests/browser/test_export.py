"""What can be taken along."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from nccp.trees import parse_tree
from nccp.trees.draw import draw_latex

TEXT = "The cat costs 5 % & _more_ ."


def save(page, kind):
    page.get_by_label("Export as").select_option(kind)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save").click()
    return waiting.value


@pytest.fixture
def page(site, expect):
    page = site.open(text=TEXT, tokens="1", model="tiny")
    expect(page.locator("#drawing .word").first).to_be_visible()
    return page


def test_svg_stands_alone(page):
    download = save(page, "svg")
    assert download.suggested_filename == "The-cat-costs-5.svg"
    root = ElementTree.parse(download.path()).getroot()
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [word for word in texts if word in TEXT.split()] == TEXT.split()
    style = root.find("{http://www.w3.org/2000/svg}style").text
    assert "var(" not in style
    assert "#1d4ed8" in style


def test_png(page):
    assert save(page, "png").path().read_bytes().startswith(b"\x89PNG")


def test_layers_as_svg(site, expect):
    page = site.open(view="layers", text=TEXT, tokens="1", model="multi")
    page.locator("#drawing .pill").first.wait_for()
    assert "◆" in save(page, "svg").path().read_text("utf-8")


@pytest.mark.parametrize("style", ["forest", "qtree"])
def test_latex_is_that_of_the_package(page, style):
    tree = parse_tree(save(page, "brackets").path().read_text("utf-8"))
    assert save(page, style).path().read_text("utf-8") == draw_latex(tree, style)


def test_json(page):
    value = json.loads(save(page, "json").path().read_text("utf-8"))
    assert value["words"] == TEXT.split()


def test_copy(site, page, expect):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("Export as").select_option("brackets")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#status")).to_have_text("Brackets copied.")
    assert parse_tree(page.evaluate("navigator.clipboard.readText()")).leaves() == TEXT.split()
