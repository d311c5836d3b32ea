"""The layers, step by step."""

from __future__ import annotations

TEXT = "The cat on the roof saw a bird ."


def layer_nodes(page, layer):
    return page.locator(f"#drawing .layer[data-layer='{layer}'] .pill")


def test_binary(site, expect):
    page = site.open(view="layers", text=TEXT, tokens="1", model="tiny")
    expect(layer_nodes(page, 0)).to_have_count(9)
    last = page.locator("#drawing .layer").count() - 1
    expect(layer_nodes(page, last)).to_have_count(1)
    expect(page.locator("#drawing .layer[data-layer='0'] .arrow")).to_have_count(9)
    expect(page.locator(f"#drawing .layer[data-layer='{last}'] .arrow")).to_have_count(0)
    combined = page.locator("#drawing .pill.combined").count()
    expect(page.locator("#drawing .weight")).to_have_count(combined)
    assert combined == 8
    widths = page.locator("#drawing .shaft").evaluate_all(
        "all => all.map(e => +e.getAttribute('stroke-width'))"
    )
    assert min(widths) >= 1
    assert max(widths) > min(widths)
    site.shoot("layers")


def test_step_by_buttons_and_keys(site, expect):
    page = site.open(view="layers", text=TEXT, tokens="1", model="tiny")
    caption = page.locator(".caption")
    layer_nodes(page, 0).first.wait_for()
    last = page.locator("#drawing .layer").count() - 1
    expect(caption).to_contain_text(f"Layer {last} of {last}")
    page.get_by_role("button", name="Words only").click()
    expect(caption).to_contain_text("Layer 0")
    expect(page.locator("#drawing .layer.later")).to_have_count(last)
    page.get_by_role("button", name="One layer up").click()
    expect(caption).to_contain_text("Layer 1")
    assert "layer=1" in page.url
    page.locator("#drawing .stage > svg").focus()
    page.keyboard.press("ArrowUp")
    expect(caption).to_contain_text("Layer 2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#details")).to_contain_text("points right")
    expect(page.locator("#drawing .looked-at")).to_have_count(1)
    page.reload()
    expect(caption).to_contain_text("Layer 1")
    page.locator("#drawing .stage > svg").focus()
    page.keyboard.press("End")
    expect(page.locator("#drawing .layer.later")).to_have_count(0)


def test_play_ends_at_the_root(site, expect):
    page = site.open(view="layers", text="The cat sat", tokens="1", model="tiny")
    layer_nodes(page, 0).first.wait_for()
    page.locator("#drawing .stage > svg").focus()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#drawing .layer.later")).to_have_count(0)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_multi(site, expect):
    page = site.open(view="layers", text=TEXT, tokens="1", model="multi")
    layer_nodes(page, 0).first.wait_for()
    combined = page.locator("#drawing .pill.combined").count()
    heads = page.locator("#drawing .weight.head")
    expect(heads).to_have_count(combined)
    assert all(text.startswith("◆ ") and text.endswith("%") for text in heads.all_text_contents())
    assert page.locator("#drawing .boundary").count() >= 2
    page.locator("#drawing .pill.combined text").first.hover()
    expect(page.locator("#details")).to_contain_text("(head)")
    site.shoot("layers-multi")


def test_in_words(site, expect):
    page = site.open(view="layers", text="The cat sat", tokens="1", model="tiny")
    page.get_by_text("The layers in words").click()
    expect(page.locator(".layer-text li").first).to_contain_text("Words, 3 nodes")
    expect(page.locator("#drawing .stage > svg")).to_have_attribute("role", "img")


def test_one_word(site, expect):
    page = site.open(view="layers", text="Yes", tokens="1")
    expect(layer_nodes(page, 0)).to_have_count(1)
    expect(page.locator(".caption")).to_have_text("Layer 0 of 0 · 1 word")
