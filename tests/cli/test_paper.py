"""``nccp paper``: the registry is sound, cheap entries run, and the page is made of stored results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nccp.analysis import paper_run
from nccp.analysis.paper import TREEBANKS, PaperFolder, command_line, find_entry, read_entries, shown_places
from nccp.analysis.paper_page import page_text
from nccp.analysis.paper_tables import TABLES, trials
from nccp.cli import VERBS, nccp
from nccp.errors import InputError
from nccp.sweeps.results import Result as Trial
from nccp.sweeps.results import SweepFolder

ROOT = Path(__file__).parents[2]
TREES = """\
( (S (NP (DT the) (JJ old) (NN cat)) (VP (VBD sat))))
( (S (NP (NN it)) (VP (VBZ is) (ADJP (JJ so)))))
"""
VERDICTS = """\
[ori]
holds = "yes"
text = "As printed."
budget = "two trees"
"""


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(nccp, ["paper", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def treebanks(tmp_path: Path) -> list[str]:
    options = []
    for name in TREEBANKS:
        (tmp_path / f"{name}.mrg").write_text(TREES)
        options += ["--treebank", f"{name}={tmp_path / name}.mrg"]
    return options


def test_every_entry_names_commands_tables_and_columns_that_exist() -> None:
    assert len({entry.id for entry in read_entries()}) == len(read_entries()) >= 17
    for entry in read_entries():
        assert entry.cost in ("minutes", "training")
        assert all(step.args[0] in VERBS for step in entry.run)
        recipes = [one for step in entry.run for one in step.args if one.startswith("recipes/")]
        assert all((ROOT / one).exists() for one in recipes), entry.id
        assert {step.save for step in entry.run if step.save} or entry.figures
        if entry.table:
            width = len(TABLES[entry.table]({}).head)
            assert all(len(cells) <= width for cells in entry.paper.values()), entry.id


def test_list() -> None:
    text = run("list").stdout
    assert 'ori  (minutes)  Table "ori"' in text
    assert "nccp stats Penn=$T/ptb-sample/combined" in text
    made = {one["id"]: one for one in json.loads(run("list", "--json").stdout)}
    assert made["ori"]["paper"]["KTB"][:2] == ["4.5", "0.9"]


def test_run_and_page(tmp_path: Path, treebanks: list[str]) -> None:
    folder, page = tmp_path / "docs" / "paper", tmp_path / "docs" / "paper.md"
    result = run("run", "ori", "label", *treebanks, "--folder", folder)
    assert f"wrote {folder / 'results' / 'orientation.json'}" in result.stderr
    stored = json.loads((folder / "results" / "label-penn.json").read_text())
    assert stored["original"]["types"] == 4  # S, NP, VP, ADJP
    counted = json.loads((folder / "results" / "orientation.json").read_text())["treebanks"]
    assert counted["Penn"]["path"] == "$T/ptb-sample/combined"  # no path of this machine
    (folder / "verdicts.toml").write_text(
        '[ori]\nholds = "yes"\ntext = "As printed."\nbudget = "two trees"\n'
    )
    run("page", "--folder", folder, "--out", page)
    text = page.read_text()
    assert "**The claim holds here.** As printed." in text
    assert "Budget: two trees" in text
    assert "| nccp | Penn sample |" in text
    assert "| paper | KTB | 4.5 | 0.9 |" in text
    assert "Not run yet.\nEstimated cost of the whole entry: twelve trials" in text  # the ablations
    (folder / "verdicts.toml").write_text("[oir]\n")
    with pytest.raises(InputError, match="no table or figure is called oir"):
        run("page", "--folder", folder, "--out", page)


def test_drawings(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "sentence.mrg").write_text(TREES.splitlines()[0])
    run("run", "data", "--folder", tmp_path)
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == [
        "data-left.svg",
        "data-multi.svg",
    ]


def test_sweeps_are_drawn_from_their_results(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the figures need matplotlib: pip install 'nccp[plots]'")
    folder = tmp_path / "paper"
    (folder / "results").mkdir(parents=True)
    test = {"f1": 90.0, "precision": 91.0, "recall": 89.0, "fallbacks": 1, "invalid_layers": 2}
    test["sentences_per_second"] = 100.0
    found = [
        {
            "trial": number,
            "name": f"B/F, seed {seed}",
            "overrides": {"model.orientation": "ffnn", "train.seed": seed},
            "run": "trials/000",
            "f1": 88.0 + seed,
            "test": test,
        }
        for number, seed in enumerate((1, 2))
    ]
    (folder / "results" / "ablations.json").write_text(json.dumps(found))
    run("page", "--folder", folder, "--out", tmp_path / "paper.md")
    assert (folder / "figures" / "abl.svg").exists()
    assert not (folder / "figures" / "bin.svg").exists()  # B/F is none of its variants
    text = (tmp_path / "paper.md").read_text()
    assert "| nccp | B/F | 89.50 ±0.71 | 91.00 ±0.00 |" in text
    assert "| 1, 1 | 2, 2 |  | 2 |" in text  # invalid parses, invalid layers, unknown size, seeds
    assert "Not run yet: B; B/e; B/ε; B/E; B/L.\nEstimated cost of the whole entry: twelve" in text
    assert trials({"ablations.json": []}).rows == {}


def test_results_of_unfinished_training_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = SweepFolder(Path("runs/ablations"))
    folder.path.mkdir(parents=True)
    folder.sweep.write_text(json.dumps({"sweep": {"search": None, "points": [{}, {}]}}))
    overrides = {"input.vectors": f"{Path.cwd()}/runs/penn.vectors"}
    folder.write_results([Trial(trial=0, name="B/E", overrides=overrides, run="trials/000-B-E", f1=70.0)])
    with pytest.raises(InputError, match="add --training"):
        run("run", "abl", "--folder", "paper")
    result = run("run", "abl", "ovr", "--collect", "--folder", "paper")
    assert "sweep run" not in result.stderr
    assert "overall-keyaki" not in result.stderr  # not begun
    (stored,) = json.loads(Path("paper/results/ablations.json").read_text())
    assert stored["f1"] == 70.0
    assert stored["overrides"] == {"input.vectors": "runs/penn.vectors"}  # no path of this machine


def test_tables_of_histories_and_of_the_order_of_combination() -> None:
    records = [
        {"step": 10 * epoch, "epoch": epoch, "invalid_layers": 2000 // epoch, "f1": 70 + epoch / 3}
        for epoch in range(1, 21)
    ]
    table = TABLES["histories"]({"late-b.json": {"runs": {"B": {"evaluations": records}}}})
    assert table.rows == {"B": ["1,000", "400", "200", "133", "100", "20", "76.67"]}
    assert len(table.head) == 7
    children = {"DT": {"count": 8, "first": 6, "last": 0}}
    assert TABLES["combination_order"]({"i.json": {"children": children}}).rows == {"DT": ["8", "75%", "0%"]}


def test_a_large_figure_becomes_smaller_and_keeps_its_thin_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("PIL", reason="comes with matplotlib: pip install 'nccp[plots]'")
    from PIL import Image

    path = tmp_path / "figure.png"
    image = Image.effect_noise((2600, 400), 60).convert("RGB")  # grey, and large as a file
    for x in range(2600):
        for y in range(4):
            image.putpixel((x, 200 + y), (0xD5, 0x5E, 0x00))
    image.save(path)
    before = path.stat().st_size
    monkeypatch.setattr(paper_run, "LARGEST", 100_000)
    paper_run.shrink(path)
    assert path.stat().st_size < before / 2
    small = Image.open(path).convert("RGB")
    assert small.width == 1300
    bands = [band.getpixel((650, 101)) for band in small.split()]
    assert isinstance(bands[0], int)
    assert isinstance(bands[2], int)
    assert bands[0] - bands[2] > 100  # still red


def test_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NCCP_TREEBANKS", raising=False)
    with pytest.raises(InputError, match="no table or figure 'orl'"):
        run("run", "orl", "--folder", tmp_path)
    with pytest.raises(InputError, match="ori needs the treebank penn: --treebank penn=PATH"):
        run("run", "ori", "--folder", tmp_path)
    with pytest.raises(InputError, match="abl trains models for hours: add --training"):
        run("run", "abl", "--folder", tmp_path)
    with pytest.raises(InputError, match="no treebank 'wsj' is used here"):
        run("run", "ori", "--treebank", "wsj=wsj", "--folder", tmp_path)


def test_a_command_line_can_be_pasted() -> None:
    step = find_entry("label").run[0]
    line = command_line(step, shown_places("docs/paper"))
    assert line == (
        "nccp treebank check $T/ptb-sample/combined --json | jq .label_categories "
        "> docs/paper/results/label-penn.json"
    )


def test_the_page_of_the_documentation_is_up_to_date() -> None:
    page = ROOT / "docs" / "paper.md"
    if not page.exists():
        pytest.skip("the documentation is not beside the tests")
    assert page.read_text(encoding="utf-8") == page_text(PaperFolder(ROOT / "docs" / "paper"), page)
