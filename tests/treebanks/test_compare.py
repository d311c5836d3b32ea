from pathlib import Path

import pytest

from nccp.treebanks.compare import KINDS, comparison_dict, comparison_lines, differences, take_inventory
from nccp.treebanks.treebank import Entry
from nccp.trees import parse_tree

WH = "(SBAR (NP (WDT that)) (S (VP (VBD ran))))"
PENN = "(SBAR (WHNP (WDT that)) (S (VP (VBD ran))))"


def entries(*texts: str) -> list[Entry]:
    return [Entry(parse_tree(text), f"d#{n}", Path("d.mrg"), n) for n, text in enumerate(texts, 1)]


@pytest.fixture
def inventories():  # type: ignore[no-untyped-def]
    return take_inventory("one", entries(WH, PENN, WH)), take_inventory("two", entries(PENN))


def test_inventory(inventories) -> None:  # type: ignore[no-untyped-def]
    one, _ = inventories
    assert one.trees == 3
    assert one.counts["production"]["SBAR -> NP S"] == 2
    assert one.counts["label over tag"] == {"NP over WDT": 2, "WHNP over WDT": 1, "VP over VBD": 3}
    assert one.counts["tag"] == {"WDT": 3, "VBD": 3}
    assert one.examples["label over tag", "WHNP over WDT"] == "d#2: that"


def test_differences(inventories) -> None:  # type: ignore[no-untyped-def]
    found = differences(*inventories)
    assert list(found) == list(KINDS)
    assert [row.name for row in found["production"]] == ["NP -> WDT", "SBAR -> NP S"]
    row = found["production"][1]
    assert (row.count, row.other_count, row.other_rate) == (2, 0, 0.0)
    assert row.rate == round(100_000 * 2 / 12, 2)
    assert [row.name for row in found["label"]] == ["NP"]
    assert found["tag"] == []
    assert [row.name for row in differences(*inventories, label="SBAR")["production"]] == ["SBAR -> NP S"]
    assert not any(differences(*inventories, least=50_000).values())


def test_equal_treebanks_have_none() -> None:
    one, two = (take_inventory(name, entries(WH, PENN)) for name in ("a", "b"))
    assert not any(differences(one, two, times=1.1).values())


def test_reports(inventories) -> None:  # type: ignore[no-untyped-def]
    first, second = inventories
    found = differences(first, second)
    report = comparison_dict(first, second, found)
    assert report["first"] == {"path": "one", "trees": 3}
    assert report["differences"]["label"][0]["example"] == "d#1: that"
    text = "\n".join(comparison_lines(first, second, found, 1))
    assert "SBAR -> NP S" not in text
    assert "and 1 more" in text
