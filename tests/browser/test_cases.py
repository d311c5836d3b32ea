"""Cases where users got stuck: errors, long sentences, other languages, files that are no treebanks."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

WIDTHS = pytest.mark.parametrize(
    "context_options",
    [
        {"viewport": {"width": width, "height": height}}
        for width, height in ((1280, 800), (820, 1100), (360, 740))
    ],
    ids=["desktop", "tablet", "phone"],
)
LONG = (
    "The cat on the roof of the old house by the sea saw a bird that sang , and it listened until dawn , "
    "when the fishermen who had left the harbour at midnight came back with their boats full of fish "
    "and sold them to the people who were waiting for them on the shore with baskets and lamps in the rain ."
)
GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))"
JAPANESE = "小さな 舟 を 見つけ た"
NASTY = "<img/src=x/onerror=alert`1`>"
LABEL = "<img>"


@WIDTHS
def test_no_old_tree_under_the_name_of_a_model_that_failed(site, expect):
    site.expected = ["500"]
    page = site.open(text="The cat sat.")
    expect(page.locator("#drawing .word")).to_have_count(4)
    page.route(
        "**/api/parse/stream",
        lambda route: route.fulfill(status=500, json={"error": "The model 'multi' cannot be loaded."}),
    )
    page.locator("#model").select_option("multi")
    expect(page.locator("#notice")).to_contain_text("cannot be loaded")
    expect(page.locator("#drawing")).to_be_hidden()
    expect(page.locator("#summary")).to_be_empty()
    page.unroute("**/api/parse/stream")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#status")).to_have_text("1 sentence parsed with multi.")
    expect(page.locator("#drawing .word")).to_have_count(4)


def test_no_old_comparison_after_an_error(site, expect):
    site.expected = ["422"]
    page = site.open(view="compare", gold=GOLD)
    expect(page.locator("#compare-work .numbers")).to_be_visible()
    page.locator("#gold").fill("(S (NP")
    expect(page.locator("#notice")).to_contain_text("bracket never closed")
    expect(page.locator("#compare-work .numbers")).to_have_count(0)


def test_an_example_that_cannot_work_says_what_to_install(site, expect):
    def without_segmenter(route):
        answer = route.fetch()
        value = answer.json()
        for language in value["languages"]:
            language.pop("missing", None)
            if language["code"] == "ja":
                language["missing"] = "tokenising Japanese needs sudachipy: pip install it"
        route.fulfill(response=answer, json=value)

    site.page.route("**/api/models", without_segmenter)
    page = site.open()
    examples = page.locator("#empty .examples li")
    english, japanese = examples.filter(has_text="storm"), examples.filter(has_text="needs sudachipy")
    expect(english.get_by_role("button")).to_be_enabled()
    expect(japanese.get_by_role("button")).to_be_disabled()
    expect(japanese).to_contain_text("Not available: tokenising Japanese needs sudachipy")
    page.locator("#model").select_option("japanese")
    expect(page.locator("#model-note .badge")).to_contain_text("needs sudachipy")


@WIDTHS
def test_another_language_offers_its_model(site, expect):
    page = site.open(text=JAPANESE, tokens="1", model="en")
    expect(page.locator("#model-note")).to_contain_text("This text looks Japanese; en is for English.")
    page.get_by_role("button", name="Use japanese").click()
    expect(page.locator("#status")).to_have_text("1 sentence parsed with japanese.")
    expect(page.locator("#model-note .badge")).to_have_count(0)
    page.locator("#text").fill("发现 了 小 船")
    expect(page.locator("#drawing .word").first).to_have_text("发现")
    page.locator("#model").select_option("en")
    expect(page.locator("#model-note")).to_contain_text("No model for Chinese is installed.")


@WIDTHS
def test_wide_trees_scroll_and_can_be_indented(site, expect, request):
    page = site.open(text=LONG, tokens="1")
    content = page.locator("#drawing .stage > svg > g")
    bar = page.locator("#drawing .scroll.across > div")
    expect(bar).to_be_visible()
    bar.scroll_into_view_if_needed()
    before = content.get_attribute("transform")
    box = bar.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + 5, steps=3)
    page.mouse.up()
    expect(content).not_to_have_attribute("transform", before)
    assert bar.bounding_box()["x"] > box["x"] + 30
    width = page.context.pages[0].viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    site.shoot(f"wide-{width}")
    page.get_by_role("button", name="Wide tree: show it indented").click()
    items = page.locator("#drawing .indented li")
    expect(items.locator("> .word")).to_have_text(LONG.split())
    assert "shape=indented" in page.url
    top = items.first.locator("> details")
    top.locator("> summary").click()
    expect(top.locator("> summary > q")).to_be_visible()
    expect(top.locator("> ul")).to_be_hidden()
    site.shoot(f"indented-{width}")
    page.locator("#main").focus()
    page.keyboard.press("i")
    expect(page.locator("#drawing .stage .word").first).to_be_visible()
    if width == 1280:  # an export does not need the drawing
        page.keyboard.press("i")
        page.get_by_label("Export as").select_option("svg")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Save").click()
        assert waiting.value.path().read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("place", [{"text": "The cat sat."}, {"view": "compare", "gold": GOLD}])
def test_keys_without_a_focused_node(site, expect, place):
    page = site.open(**place)
    section = page.locator(".view:not([hidden])")
    expect(section.locator(".node").first).to_be_visible()
    content = section.locator(".stage > svg > g").first
    before = content.get_attribute("transform")
    page.keyboard.press("+")
    expect(content).not_to_have_attribute("transform", before)
    page.keyboard.press("ArrowDown")
    expect(section.locator(".node:focus")).to_have_attribute("aria-level", "1")
    page.keyboard.press("ArrowDown")
    expect(section.locator(".node:focus")).to_have_attribute("aria-level", "2")


@WIDTHS
def test_compare_says_where_the_trees_are(site, expect, context_options):
    page = site.open(view="compare", gold=GOLD)
    width = context_options["viewport"]["width"]
    names = ["gold (left)", "en (right)"] if width > 1000 else ["gold (above)", "en (below)"]
    expect(page.locator("#compare-work figcaption span")).to_have_text(names)
    expect(page.locator("#compare-work .details")).to_contain_text("only in gold. + solid: only in en.")
    expect(page.locator("#compare-work .numbers")).to_contain_text(re.compile(r"\d in gold, \d in en"))
    site.shoot(f"compare-{width}")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.txt", b"Just some notes, and (a remark).\nNo trees."),
        ("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("table.csv", b"a;b;c\n1;2;3\n"),
    ],
)
def test_a_file_that_is_no_treebank(site, expect, tmp_path, name, content):
    site.expected = ["422"]
    (tmp_path / name).write_bytes(content)
    page = site.open(view="treebank")
    page.locator("#file").set_input_files(tmp_path / name)
    expect(page.locator("#notice")).to_contain_text(
        re.compile(f"{name}: .*(not a file of bracketed trees|binary)")
    )
    expect(page.locator("#file-report tbody tr")).to_have_count(0)
    expect(page.locator("#file-work")).to_contain_text("A treebank, tree by tree")


@WIDTHS
def test_the_text_box_grows(site, expect):
    page = site.open()
    field = page.locator("#text")
    before = field.bounding_box()["height"]
    field.fill("A line of text. " * 30)
    assert field.bounding_box()["height"] > before + 40
    field.fill("A line of text. " * 3000)
    assert field.bounding_box()["height"] <= 0.5 * page.viewport_size["height"]


def test_why_an_edge_is_bold(site, expect):
    page = site.open(text="The cat sat.", model="multi", tokens="1")
    expect(page.locator("#details")).to_contain_text("A bold line leads to the child with the largest weight")
    expect(page.locator("#drawing .edge.head title").first).to_contain_text("largest weight")
    page.locator("#model").select_option("en")
    expect(page.locator("#details")).not_to_contain_text("bold")


def test_labels_are_explained(site, expect):
    page = site.open(text="The cat sat.", model="en")
    node = page.locator("#drawing .node[data-label='DT']").first
    expect(node).to_be_visible()
    page.wait_for_load_state("networkidle")
    node.locator(".tag").hover()
    expect(page.locator("#details")).to_contain_text("determiner")
    expect(node.locator("title")).to_contain_text("DT: determiner")


@WIDTHS
def test_layers_of_any_tree(site, expect, context_options):
    page = site.open(view="compare", gold=GOLD)
    page.locator("#compare-work figure").first.get_by_role("button", name="Layers").click()
    pills = page.locator("#drawing .pill")
    expect(page.locator("#drawing .layer[data-layer='0'] .pill")).to_have_count(6)
    expect(page.locator(".other-tree")).to_be_visible()
    page.get_by_label("Form of the layers").select_option("triangle")
    expect(pills).to_have_count(21)
    expect(page.locator("#drawing .pill.empty").first).to_contain_text("<0>")
    expect(page.locator(".legend")).to_contain_text("empty cell")
    site.shoot(f"triangle-{context_options['viewport']['width']}")
    page.reload()
    expect(pills).to_have_count(21)
    page.get_by_label("Form of the layers").select_option("multi")
    expect(page.locator("#drawing .boundary").first).to_be_attached()
    page.get_by_role("button", name="Back to the text").click()
    expect(page.locator("#empty")).to_be_visible()


def test_the_layers_of_a_parse_are_not_parsed_again(site, expect):
    page = site.open(text="The cat sat.", model="tiny")
    expect(page.locator("#drawing .word")).to_have_count(4)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("l")
    expect(page.locator("#drawing .layer[data-layer='0'] .pill")).to_have_count(4)
    assert [url for url in asked if "/api/parse" in url] == []


def test_markup_in_labels_and_file_names_stays_text(site, expect, tmp_path):
    dialogs = []
    site.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tree = f"(S{LABEL} ({LABEL} {NASTY}) (NN <script>alert`2`</script>))"
    page = site.open(view="compare", against="brackets", gold=tree, brackets=tree.replace("NN", "VB"))
    expect(page.locator("#compare-work .phrase").first).to_have_text(f"S{LABEL}")
    expect(page.locator("#compare-work .word").first).to_have_text(NASTY)
    page.locator("#compare-work .node .phrase").first.hover()
    page.locator(".differences summary").click()
    page.locator("#compare-work figure").first.get_by_role("button", name="Layers").click()
    expect(page.locator("#drawing .pill").last).to_contain_text("<img")
    path = tmp_path / "<img src=x onerror=alert(3)>.mrg"
    path.write_text(f"{tree}\n(S (NP", "utf-8")
    page = site.open(view="treebank", model="-")
    page.locator("#file").set_input_files(path)
    expect(page.locator("#status")).to_contain_text("<img src=x onerror=alert(3)>.mrg: 2 trees")
    page.locator("#file-report tbody button").first.click()
    expect(page.locator("#file-work .word").first).to_have_text(NASTY)
    assert page.locator("main img, main script, footer img, #notice img").count() == 0
    assert dialogs == []


def test_a_server_that_needs_a_token(site, expect):
    site.expected = ["401"]
    process = subprocess.Popen(
        [sys.executable, "-m", "nccp", "serve", "--port", "0", "--no-browser", "--model", "en-fast"],
        env={**os.environ, "NCCP_TOKEN": "sésame", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        page = site.page
        page.goto(f"{address}/#text=The+cat+sat.")
        page.get_by_role("textbox", name="Token").fill("wrong")
        page.get_by_role("button", name="Use").click()
        page.get_by_role("textbox", name="Token").fill("sésame")
        page.get_by_role("button", name="Use").click()
        expect(page.locator("#drawing .word")).to_have_count(4)
        page.reload()
        expect(page.locator("#drawing .word")).to_have_count(4)
    finally:
        process.terminate()
        process.wait()
