"""Typing text and looking at its trees."""

from __future__ import annotations

import re

import pytest

TEXT = "The cat on the roof saw a bird. It sang."


def test_trees_appear_as_one_types(site, expect):
    page = site.open()
    expect(page.locator("#empty")).to_contain_text("Sentences into trees")
    page.locator("#text").press_sequentially(TEXT)
    expect(page.locator("#status")).to_have_text("2 sentences parsed with en.")
    expect(page.locator("#sentences button")).to_have_count(2)
    words = page.locator("#drawing .word").all_text_contents()
    assert words == ["The", "cat", "on", "the", "roof", "saw", "a", "bird", "."]
    page.locator("#sentences button").nth(1).click()
    expect(page.locator("#drawing .word")).to_have_text(["It", "sang", "."])
    site.shoot("tree")
    page.reload()
    expect(page.locator("#drawing .word")).to_have_text(["It", "sang", "."])
    expect(page.locator("#text")).to_have_value(TEXT)


def test_example(site, expect):
    page = site.open()
    page.locator("#empty button").first.click()
    expect(page.locator("#drawing [role=treeitem]").first).to_be_visible()
    expect(page.locator("#text")).not_to_have_value("")
    expect(page.locator("#empty")).to_be_hidden()


def test_an_answer_that_comes_late_is_dropped(site, expect):
    held = []

    def handle(route):
        if "slow" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page = site.open()
    page.route("**/api/parse/stream", handle)
    text = page.locator("#text")
    with page.expect_request("**/api/parse/stream"):
        text.fill("This one is slow.")
    text.fill("This one wins.")
    expect(page.locator("#drawing .word")).to_have_text(["This", "one", "wins", "."])
    for route in held:
        route.fulfill(body='{"words": ["slow"], "tags": ["X"], "tree": "(X slow)"}\n')
    expect(page.locator("#drawing .word")).to_have_text(["This", "one", "wins", "."])


def test_another_model(site, expect):
    page = site.open(text="The cat sat.")
    expect(page.locator("#model-note")).to_contain_text("English · binary")
    page.locator("#model").select_option("multi")
    expect(page.locator("#status")).to_have_text("1 sentence parsed with multi.")
    expect(page.locator("#model-note")).to_contain_text("multi-branching")
    assert "model=multi" in page.url


def test_own_tokens(site, expect):
    page = site.open(text="Don't split e.g. this")
    expect(page.locator("#drawing .word").first).to_have_text("Do")
    page.get_by_label("separated by spaces").check()
    expect(page.locator("#drawing .word")).to_have_text(["Don't", "split", "e.g.", "this"])


def test_fold_and_look(site, expect):
    page = site.open(text="The cat on the roof saw a bird.")
    node = page.locator("#drawing .node.inner[data-start='0'][data-end='9']").first
    node.locator("text").first.hover()
    expect(page.locator("#details")).to_contain_text("words 1–9")
    expect(page.locator("#details")).to_contain_text("score")
    expect(page.locator("#drawing .word.in-span")).to_have_count(9)
    node.locator("text").first.click()
    expect(node).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#drawing .word")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#drawing .word")).to_have_count(9)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#drawing .node:focus")).to_have_attribute("data-start", "0")
    page.keyboard.press("End")
    expect(page.locator("#drawing .node:focus .word")).to_have_text(".")


def test_zoom_and_pan(site, expect):
    page = site.open(text="The cat sat.")
    content = page.locator("#drawing .stage > svg > g")
    expect(page.locator("#drawing .word").first).to_be_visible()
    states = [content.get_attribute("transform")]

    def changed():
        expect(content).not_to_have_attribute("transform", states[-1])
        states.append(content.get_attribute("transform"))

    page.get_by_role("button", name="Zoom in").click()
    changed()
    page.locator("#drawing .node").first.focus()
    page.keyboard.press("-")
    changed()
    box = page.locator("#drawing .stage").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] - 30)
    page.mouse.wheel(0, -300)
    changed()
    page.mouse.down()
    page.mouse.move(box["x"] + 130, box["y"] + 130, steps=4)
    page.mouse.up()
    changed()
    page.keyboard.press("0")
    changed()


def test_scores(site, expect):
    page = site.open(text="The cat sat.")
    expect(page.locator("#drawing .small")).to_have_count(0)
    page.get_by_label("scores").check()
    expect(page.locator("#drawing .small").first).to_have_text(re.compile(r"^1?\.\d\d$"))
    assert "scores=1" in page.url


def test_markup_stays_text(site, expect):
    nasty = "<img src=x onerror=alert(1)> & <script>alert(2)</script>"
    page = site.open(text=nasty, tokens="1")
    expect(page.locator("#drawing .word").first).to_have_text("<img")
    assert page.locator("main img, main script").count() == 0


@pytest.mark.parametrize(
    ("text", "language"), [("小さな 舟 を 見つけ た", "ja"), ("发现 了 小 船", "zh"), ("a boat", "en")]
)
def test_language(site, expect, text, language):
    page = site.open(text=text, tokens="1", model="en")
    expect(page.locator("#drawing .stage")).to_have_attribute("lang", language)
    expect(page.locator("#text")).to_have_attribute("lang", language)
    warned = page.locator("#model-note .badge")
    expect(warned).to_have_count(0 if language == "en" else 1)
    assert page.evaluate("getComputedStyle(document.querySelector('#drawing .word')).fontStyle") == "normal"


def test_han_is_japanese_with_a_japanese_model(site, expect):
    page = site.open(text="東京", tokens="1", model="japanese")
    expect(page.locator("#drawing .stage")).to_have_attribute("lang", "ja")


def test_nothing_is_sent_while_composing(site, expect):
    site.page.clock.install()
    page = site.open()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#text").focus()
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "とり", "selectionStart": 2, "selectionEnd": 2})
    expect(page.locator("#text")).to_have_value("とり")
    page.clock.run_for(5000)
    assert not [url for url in asked if "api/parse" in url]
    session.send("Input.insertText", {"text": "鳥"})
    page.clock.run_for(5000)
    expect(page.locator("#drawing .word")).to_have_text(["鳥"])
