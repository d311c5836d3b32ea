import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from nccp.cli.treebank import command
from nccp.errors import InputError

TREES = "(TOP (S (NP-SBJ (NNS Owls)) (VP (VBP sleep))))\n(TOP (NP (NML (NN sea) (NN owl)) (NNS maps)))\n"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "train.mrg").write_text(TREES)
    (folder / "dev.mrg").write_text(TREES)
    return folder


def run(*arguments: object) -> str:
    result = CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_check(bank: Path) -> None:
    output = run("check", bank)
    assert "brackets" in output
    assert "train" in output


def test_check_json(bank: Path) -> None:
    report = json.loads(
        run("check", bank, "--json", "--flatten", "NML, NX", "--keep-functions", "--keep-root")
    )
    assert report["splits"]["dev"]["trees"] == 2
    assert report["labels"] == {"NP": 2, "TOP": 4, "S": 2, "NP-SBJ": 2, "VP": 2}


def test_check_fails_on_bad_trees_unless_told(bank: Path) -> None:
    (bank / "dev.mrg").write_text(TREES + ")")
    with pytest.raises(InputError, match=r"1 bad tree; first .*dev\.mrg:3:1"):
        run("check", bank)
    assert "dev.mrg:3:1" in run("check", bank, "--skip-bad")


def test_check_of_nothing_but_bad_trees_says_the_first(bank: Path) -> None:
    (bank / "dev.mrg").write_text("(S (NN owl)")
    with pytest.raises(InputError, match=r"dev\.mrg:1:1: "):
        run("check", bank / "dev.mrg")


def test_convert(bank: Path, tmp_path: Path) -> None:
    output = run("convert", bank, tmp_path / "out", "--flatten", "NML")
    assert f"{tmp_path}/out/train.mrg: 2 trees" in output
    assert (tmp_path / "out/dev.mrg").read_text() == (
        "(S (NP (NNS Owls)) (VP (VBP sleep)))\n(NP (NN sea) (NN owl) (NNS maps))\n"
    )


def test_convert_skips_bad_trees_if_told(bank: Path, tmp_path: Path) -> None:
    (bank / "dev.mrg").write_text(TREES + ")")
    with pytest.raises(InputError, match=r"dev\.mrg:3:1"):
        run("convert", bank, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert "skipped 1 bad tree" in run("convert", bank, tmp_path / "out", "--skip-bad")


def test_exit_codes(bank: Path, tmp_path: Path) -> None:
    def code(*arguments: object) -> tuple[int, str]:
        program = "import sys; sys.argv[0] = 'nccp'; from nccp.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program, "treebank", *map(str, arguments)], capture_output=True, text=True
        )
        return done.returncode, done.stderr

    assert code("check", bank)[0] == 0
    status, error = code("check", tmp_path / "none")
    assert status == 1
    assert error == f"nccp: {tmp_path}/none: no such file or folder\n"
    assert code("check")[0] == 2
    assert code("convert", bank, tmp_path / "out", "--words", "shout")[0] == 2


def test_formats_are_those_of_the_room() -> None:
    from nccp.cli import treebank_options
    from nccp.treebanks import FORMATS

    assert tuple(FORMATS) == treebank_options.FORMATS


def test_check_says_what_cleaning_changed(bank: Path) -> None:
    output = run("check", bank, "--flatten", "NML")
    assert "NP-SBJ -> NP 2" in output
    assert "nodes flattened: 1 kinds, 2 in all" in output
    assert "no repairs" in output
    report = json.loads(run("check", bank, "--json", "--repairs"))
    assert report["changes"]["cleaning"]["repairs"] is True
    assert report["changes"]["roots_taken_off"] == {"TOP": 4}


def test_documents_can_be_left_out(bank: Path, tmp_path: Path) -> None:
    assert json.loads(run("check", bank, "--json", "--exclude", "d*"))["splits"]["dev"]["trees"] == 0
    run("convert", bank, tmp_path / "out", "--exclude", "dev")
    assert not (tmp_path / "out/dev.mrg").exists()


def test_compare(bank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.mrg"
    other.write_text("(S (NP (NNS Owls)) (VP (VBP sleep)))\n")
    assert "NML -> NN NN" in run("compare", bank, other)
    assert "NML" not in run("compare", bank, other, "--flatten", "NML", "--label", "S")
    report = json.loads(run("compare", bank, other, "--json"))
    assert [row["name"] for row in report["differences"]["label"]] == ["NML"]


def test_lemmas_and_missing_tags(tmp_path: Path) -> None:
    trees = tmp_path / "a.mrg"
    trees.write_text("(S (NP (da0 El el)) (VP (vm duerme dormir)))\n")
    assert json.loads(run("check", trees, "--json", "--lemmas", "second"))["splits"]["all"]["words"] == 2
    assert json.loads(run("check", trees, "--json", "--lemmas", "keep"))["splits"]["all"]["words"] == 4
    trees.write_text("(S (NP the owl) (VP sleeps))\n")
    assert json.loads(run("check", trees, "--json"))["untagged"] == [f"{trees}:1"]
    assert json.loads(run("check", trees, "--json", "--add-tags"))["tags"] == {"XX": 3}


def test_get_lists_treebanks_with_their_licences() -> None:
    output = run("get")
    assert "licence: CC BY 3.0" in output
    assert "keyaki" in output


def test_get_of_an_unknown_treebank() -> None:
    with pytest.raises(InputError, match="no treebank 'owls' to download; there are gum, craft"):
        run("get", "owls")


def test_get_says_licence_and_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zipfile

    from nccp.treebanks import SOURCES, DownloadSource

    with zipfile.ZipFile(tmp_path / "owls.zip", "w") as zipped:
        zipped.writestr("owls-1/train.mrg", TREES)
    url = (tmp_path / "owls.zip").as_uri()
    monkeypatch.setitem(
        SOURCES,
        "owls",
        DownloadSource("owls", "Owls", url, "1", "CC0", ((r".*\.mrg", r"\g<0>"),), pinned=False),
    )
    output = run("get", "owls", "--out", tmp_path / "out")
    assert "licence: CC0" in output
    assert "unverified" in output
    assert (tmp_path / "out/train.mrg").read_text() == TREES
