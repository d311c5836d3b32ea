from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

from nccp.cli import nccp
from nccp.errors import InputError, MissingExtra
from tests.bundles import write_bundle

TREES = """\
(S (NP (DT the) (NN cat)) (VP (VBD sat)))
(S (NP (DT the) (JJ old) (NN cat)) (VP (VBD sat) (NP (X y))))
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    write_bundle(folder / "flat", {"kind": "multi"})
    write_bundle(folder / "pairs")
    return folder


@pytest.fixture
def bank(tmp_path):
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "test.mrg").write_text(TREES)
    (folder / "train.mrg").write_text(TREES * 3)
    return folder


def run(*arguments, **options):
    result = CliRunner().invoke(nccp, ["heads", *map(str, arguments), "--threads", "1"], **options)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_test_split_is_the_default(models, bank):
    made = json.loads(run(models / "flat", bank, "--json", "--min-count", 1).stdout)
    assert (made["model"], made["sentences"], made["language"]) == ("flat", 2, "en")
    assert made["split"] == "test"
    assert made["determiners"] == ["DT"]
    for parent in made["parents"].values():
        assert sum(child["heaviest"] for child in parent["children"].values()) == parent["nodes"]
    made = json.loads(run(models / "flat", bank, "--json", "--split", "train").stdout)
    assert made["sentences"] == 6


def test_table(models, bank):
    text = run(models / "flat", bank, "--min-count", 1).stdout
    assert "flat on " in text
    assert "heaviest child is" in text
    assert "Collins' head" in text
    assert "see --min-count" in run(models / "flat", bank, "--min-count", 999).stdout


@pytest.mark.parametrize(
    ("name", "text", "form", "count"),
    [
        ("a.txt", "The cat sat. The dog ran.", None, 2),
        ("a.txt", "The cat sat. The dog ran.", "lines", 1),
        ("a.tok", "The cat\nsat down\n\n", "tokens", 2),
        ("a.mrg", TREES, "brackets", 2),
        ("a.mrg", TREES, None, 2),
    ],
)
def test_all_kinds_of_input(models, tmp_path, name, text, form, count):
    path = tmp_path / name
    path.write_text(text)
    options = ["--input", form] if form else []
    assert json.loads(run(models / "flat", path, "--json", *options).stdout)["sentences"] == count


def test_standard_input_is_text(models):
    made = json.loads(run(models / "flat", "-", "--json", input="The cat sat. It ran.").stdout)
    assert made["sentences"] == 2


def test_examples(models, bank, tmp_path):
    text = run(models / "flat", bank, "--examples", 1).stdout
    assert "%◂" in text
    made = json.loads(run(models / "flat", bank, "--examples", 2, "--json").stdout)
    assert [len(one["words"]) for one in made["examples"]] == [3, 5]
    drawing = tmp_path / "new" / "trees.svg"
    result = run(models / "flat", bank, "--examples", 2, "--svg", drawing)
    assert drawing.read_text().count("<svg ") == 3
    assert "◂" not in result.stdout
    run(models / "flat", bank, "--svg", drawing)
    assert drawing.read_text().count("<svg ") == 2


def test_a_binary_model_has_no_weights(models, bank, monkeypatch):
    monkeypatch.setenv("NCCP_MODELS", str(models))
    with pytest.raises(InputError, match=r"multi-branching model, and pairs is binary; try .*\bflat\b"):
        run("pairs", bank)
    monkeypatch.setattr("nccp.runtime.list_models", list)
    with pytest.raises(InputError, match='none is at hand: train one with kind = "multi"'):
        run(models / "pairs", bank)


def test_figure(models, bank, tmp_path):
    pytest.importorskip("matplotlib", reason="the figure needs matplotlib: pip install 'nccp[plots]'")
    for name, start in (("a.svg", b"<?xml"), ("b.png", b"\x89PNG"), ("c.PDF", b"%PDF")):
        run(models / "flat", bank, "--figure", tmp_path / name, "--min-count", 1)
        assert (tmp_path / name).read_bytes().startswith(start)
    one, two = tmp_path / "a.svg", tmp_path / "again.svg"
    run(models / "flat", bank, "--figure", two, "--min-count", 1)
    assert one.read_bytes() == two.read_bytes()
    run(models / "flat", bank, "--figure", two, "--min-count", 999)  # nothing to draw, but no failure


def test_what_is_wrong(models, bank, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"must end in \.pdf"):
        run(models / "flat", bank, "--figure", "heads.gif")
    assert run(models / "flat", "a.txt", "--split", "dev").exit_code == 2
    with pytest.raises(InputError, match="nothing to parse"):
        run(models / "flat", "-", input="\n")
    with pytest.raises(InputError, match="no split 'dev'"):
        run(models / "flat", bank, "--split", "dev")
    with pytest.raises(InputError, match=r"trees\.svg: "):
        run(models / "flat", bank, "--svg", bank / "test.mrg" / "trees.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match="nccp heads --figure needs matplotlib"):
        run(models / "flat", bank, "--figure", tmp_path / "heads.svg")
