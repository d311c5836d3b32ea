"""The page as a whole: errors in words, keys, phones, colours, screen readers."""

from __future__ import annotations

import re

import pytest

from nccp.web.guard import Limits

GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))"
LONG = "The cat on the roof of the old house by the sea saw a bird that sang, and it listened until dawn."
PLACES = [  # what shows that a view stands, and its address
    ("#empty button", {}),
    ("#drawing .node", {"text": LONG}),
    ("#drawing .pill", {"text": LONG, "view": "layers"}),
    ("#drawing .weight", {"text": LONG, "view": "layers", "model": "multi"}),
    ("#compare-work .node", {"gold": GOLD, "view": "compare"}),
    ("#file", {"view": "treebank"}),
]


def test_no_input_is_lost_when_the_server_is_away(site, expect):
    site.expected = ["ERR_FAILED"]
    page = site.open()
    page.route("**/api/parse/stream", lambda route: route.abort())
    page.locator("#text").fill("The cat sat.")
    expect(page.locator("#notice")).to_contain_text("The server does not respond")
    expect(page.locator("#text")).to_have_value("The cat sat.")
    site.shoot("error")
    page.unroute("**/api/parse/stream")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#drawing .word")).to_have_count(4)
    expect(page.locator("#notice")).to_be_hidden()


def test_what_the_server_refuses_is_said(site, expect):
    site.expected = ["413"]
    page = site.open(tokens="1")
    page.locator("#text").fill("word " * (Limits().words + 1))
    expect(page.locator("#notice")).to_contain_text(f"the limit is {Limits().words:,}")
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_long_text_comes_back_on_reload(site, expect):
    text = "It sang. " * 700
    page = site.open()
    page.locator("#text").fill(text)
    expect(page.locator("#status")).to_have_text("700 sentences parsed with en.")
    assert len(page.url) < 200
    page.reload()
    expect(page.locator("#text")).to_have_value(text)


def test_back_returns_to_the_text_of_then(site, expect):
    page = site.open(text="It sang.", tokens="1")
    page.keyboard.press("l")
    page.locator("#text").fill("It flew away.")
    expect(page.locator("#drawing .word")).to_have_text(["It", "flew", "away."])
    page.go_back()
    expect(page.locator("#text")).to_have_value("It sang.")
    expect(page.locator("#drawing .word")).to_have_text(["It", "sang."])


def test_a_model_that_is_gone(site, expect):
    page = site.open(text="The cat sat.", model="gone")
    expect(page.locator("#status")).to_have_text("1 sentence parsed with en.")


def test_keys(site, expect):
    page = site.open(text="It sang. It flew.")
    expect(page.locator("#sentences button")).to_have_count(2)
    page.locator("#main").focus()
    page.keyboard.press("n")
    expect(page.locator("#drawing .word").nth(1)).to_have_text("flew")
    page.keyboard.press("l")
    expect(page.locator("header a[aria-current]")).to_have_text("Layers")
    page.keyboard.press("c")
    expect(page.locator("#compare-view")).to_be_visible()
    page.go_back()
    expect(page.locator("header a[aria-current]")).to_have_text("Layers")
    page.keyboard.press("t")
    page.keyboard.press("/")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("l")  # into the text
    expect(page.locator("header a[aria-current]")).to_have_text("Tree")
    page.locator("#main").focus()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.get_by_label("single-letter keys are on").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator("header a[aria-current]")).to_have_text("Tree")


def test_tab_reaches_all(site, expect):
    """From the top to the tree, each stop with a visible mark."""
    page = site.open(text="The cat sat.")
    expect(page.locator("#drawing .word").first).to_be_visible()
    seen = []
    for _ in range(25):
        page.keyboard.press("Tab")
        name, marked = page.evaluate(
            """() => {
                const at = document.activeElement;
                const outline = getComputedStyle(at).outlineStyle !== "none";
                const hit = at.querySelector?.(".hit");
                const stroke = hit && getComputedStyle(hit).stroke !== "none";
                return [at.id || at.getAttribute("aria-label") || at.textContent, outline || Boolean(stroke)];
            }"""
        )
        seen.append(name)
        assert marked, name
        if page.locator("#drawing .node:focus").count():
            break
    assert seen[0] == "To the content"
    assert "text" in seen
    assert page.locator("#drawing .node:focus").count() == 1


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}])
def test_phone(site, expect):
    for number, (shows, place) in enumerate(PLACES):
        page = site.open(**place)
        expect(page.locator(shows).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, place
        site.shoot(f"phone-{number}")


@pytest.mark.parametrize("context_options", [{"color_scheme": "light"}, {"color_scheme": "dark"}])
def test_contrast(site, expect, context_options):
    """WCAG AA: 4.5 for text, 3 for lines that mean something."""
    page = site.open(text="The cat sat.")
    theme = context_options["color_scheme"]
    expect(page.locator("html")).to_have_attribute("data-theme", theme)

    def colour(name):
        return page.evaluate(
            "name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()", name
        )

    inks = ("ink", "muted", "accent", "phrase", "tag", "missed", "extra")
    text = [(name, ground) for name in inks for ground in ("paper", "ground", "tint")]
    text += [("on-accent", "accent"), ("warn", "warn-ground"), ("error", "error-ground")]
    for name, ground in text:
        assert _contrast(colour(name), colour(ground)) >= 4.5, (name, ground)
    for name in ("line", "join", "arrow", "bar"):
        assert _contrast(colour(name), colour("paper")) >= 3, name
    site.shoot(f"theme-{theme}")


def test_the_switch_of_colours_is_remembered(site, expect):
    page = site.open()
    button = page.locator("#theme-button")
    expect(button).to_have_attribute("aria-label", "Colours: as the system")
    button.click()
    button.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("context_options", [{"reduced_motion": "reduce"}])
def test_reduced_motion(site, expect):
    page = site.open(text="The cat sat", view="layers")
    page.locator("#drawing .layer").first.wait_for()
    duration = page.evaluate("getComputedStyle(document.querySelector('.layer')).transitionDuration")
    assert duration == "0s"


def test_names_for_screen_readers(site, expect):
    page = site.open(text="The cat sat.")
    expect(page.get_by_role("tree")).to_have_attribute("aria-label", re.compile(r"^Tree: \(\w.*sat"))
    expect(page.get_by_role("treeitem").first).to_have_attribute("aria-level", "1")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, select, textarea, input")].filter((field) =>
            !field.textContent.trim() && !field.getAttribute("aria-label") && !field.labels?.length
        ).map((field) => field.outerHTML)"""
    )
    assert unnamed == []


def _contrast(one: str, two: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
