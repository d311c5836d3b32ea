"""Two trees side by side, and files of them."""

from __future__ import annotations

GOLD = "(S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))"
OTHER = "(S (NP (DT The) (NN cat)) (VBD saw) (NP (DT a) (JJ bird)) (. .))"
FILE = f"""\
( {GOLD} )
(S (NP (PRP We)) (VP (MD can) (VP (VB stay))) (. .))
(S (NP (PRP We)) (VP (MD can)
(S (NP (DT The) (JJ old) (NN lamp)) (VP (VBD went) (PRT (RP out))) (. .))
(FRAG (NP (JJ Good) (NN morning)) (. .))
"""


def test_two_bracketings(site, expect):
    page = site.open(view="compare", against="brackets")
    page.locator("#gold").fill(GOLD)
    page.locator("#brackets").fill(OTHER)
    numbers = page.locator("#compare-work .numbers")
    expect(numbers).to_contain_text("F1")
    expect(numbers).to_contain_text("85.7")  # 3 of 4 and 3 of 3
    figures = page.locator("#compare-work figure")
    expect(figures.nth(0).locator(".node.missed")).to_have_attribute("data-label", "VP")
    expect(figures.nth(0).locator(".node.missed .phrase")).to_have_text("− VP")
    expect(figures.nth(0).locator(".node.leaf.tag .tag").last).to_have_text("≠ NN")
    expect(figures.nth(1).locator(".node.extra")).to_have_count(0)
    page.locator(".differences summary").click()
    expect(page.locator(".differences li")).to_have_count(2)
    site.shoot("compare")


def test_model_against_gold(site, expect):
    page = site.open(view="compare")
    page.locator("#gold").fill(GOLD + "\n" + GOLD)
    expect(page.locator("#compare-sentences button")).to_have_count(2)
    expect(page.locator("#compare-total")).to_contain_text("precision")
    expect(page.locator("#compare-work figcaption").nth(1)).to_contain_text("en")
    page.locator("#compare-model").select_option("tiny")
    expect(page.locator("#compare-work figcaption").nth(1)).to_contain_text("tiny")


def test_two_models(site, expect):
    page = site.open(view="compare", against="model", text="The cat saw a bird.", other="multi")
    captions = page.locator("#compare-work figcaption span")
    expect(captions).to_have_text(["en (left)", "multi (right)"])
    signs = page.locator("#compare-work .missed, #compare-work .extra")
    expect(signs.first).to_be_visible()


def test_bad_brackets_are_explained(site, expect):
    site.expected = ["422"]
    page = site.open(view="compare")
    page.locator("#gold").fill("(S (NP (DT The)")
    expect(page.locator("#notice")).to_contain_text("bracket never closed")
    expect(page.locator("#gold")).to_have_value("(S (NP (DT The)")
    page.locator("#gold").fill(GOLD)
    expect(page.locator("#compare-work .numbers")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()


def test_open_a_file(site, expect, tmp_path):
    (tmp_path / "some.mrg").write_text(FILE, "utf-8")
    page = site.open(view="treebank", model="tiny")
    page.locator("#file").set_input_files(tmp_path / "some.mrg")
    expect(page.locator("#status")).to_have_text("some.mrg: 5 trees, parsed with tiny; 1 could not be read.")
    rows = page.locator("#file-report tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.nth(2)).to_contain_text("line 3: bracket never closed")
    expect(page.locator("svg.chart")).to_have_attribute("role", "img")
    page.get_by_role("button", name="Words").click()
    expect(rows.nth(1).locator("td").nth(2)).to_have_text("3")
    page.get_by_label("Find words").fill("lamp")
    expect(rows).to_have_count(1)
    page.get_by_label("Find words").fill("")
    page.get_by_label("Which trees").select_option("unread")
    expect(rows).to_have_count(1)
    page.get_by_label("Which trees").select_option("wrong")
    wrong = rows.count()
    assert 1 <= wrong <= 4
    page.locator("#main").focus()
    page.keyboard.press("n")
    expect(rows.first).to_have_attribute("aria-current", "true")
    expect(page.locator("#file-work .numbers")).to_contain_text("F1")
    for _ in range(wrong):
        page.keyboard.press("n")
    expect(page.locator("#status")).to_have_text("That was the last error.")
    page.keyboard.press("p")
    site.shoot("treebank")


def test_open_a_file_without_a_model(site, expect, tmp_path):
    (tmp_path / "some.mrg").write_text(FILE, "utf-8")
    page = site.open(view="treebank", model="-")
    page.locator("#file").set_input_files(tmp_path / "some.mrg")
    rows = page.locator("#file-report tbody tr")
    expect(rows).to_have_count(5)
    rows.nth(3).locator("button").click()
    expect(page.locator("#file-work figure").first.locator(".word").last).to_have_text(".")
    expect(page.locator("#file-work figure").nth(1)).to_be_hidden()


def test_drop_a_file_anywhere(site, expect):
    page = site.open()
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.mrg"));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        FILE,
    )
    expect(page.locator("#file-report tbody tr")).to_have_count(5)
    expect(page.locator("#status")).to_contain_text("dropped.mrg")


def test_a_file_without_trees(site, expect, tmp_path):
    (tmp_path / "empty.txt").write_text("\n", "utf-8")
    page = site.open(view="treebank")
    page.locator("#file").set_input_files(tmp_path / "empty.txt")
    expect(page.locator("#notice")).to_contain_text("empty.txt: It has no trees.")
