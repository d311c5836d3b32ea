import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nccp.cli.show import command
from nccp.errors import BracketError, InputError
from nccp.trees import parse_tree
from nccp.trees.draw import STYLES, draw_latex, draw_svg, draw_text

OWL, DOG = "(S (NP (NNS Owls)) (VP (VBP sleep)))", "(NP (DT the)\n  (NN dog))"


def run(*arguments: object, text: str | None = None) -> Result:
    result = CliRunner().invoke(
        command, [str(argument) for argument in arguments], text, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result


def test_text_from_standard_input() -> None:
    expected = f"{draw_text(parse_tree(OWL))}\n\n{draw_text(parse_tree(DOG))}\n\n"
    assert run(text=f"{OWL}\n{DOG}").stdout == expected
    assert run("-", text=f"{OWL}\n{DOG}").stdout == expected


def test_formats(tmp_path: Path) -> None:
    file = tmp_path / "trees.mrg"
    file.write_text(f"{OWL}\n{DOG}")
    assert run(file, "--format", "brackets").stdout == f"{OWL}\n(NP (DT the) (NN dog))\n"
    assert draw_svg(parse_tree(DOG)) in run(file, "--format", "svg").stdout
    for style in STYLES:
        assert draw_latex(parse_tree(OWL), style) in run(file, "--format", "latex", "--style", style).stdout


def test_width(tmp_path: Path) -> None:
    assert "└─ VP" in run("--width", 5, text=OWL).stdout
    assert "└─ VP" not in run("--width", 0, text=OWL).stdout


def test_files_in_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "wsj.mrg"
    file.write_text(f"{OWL}\n{DOG}")
    out = tmp_path / "new" / "drawings"
    assert run(file, "-", "--format", "svg", "--out", out, text=OWL).output == ""
    assert sorted(path.name for path in out.iterdir()) == ["tree-1.svg", "wsj-1.svg", "wsj-2.svg"]
    assert (out / "wsj-2.svg").read_text() == draw_svg(parse_tree(DOG))


def test_files_of_the_same_name_do_not_meet(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.mrg").write_text(OWL)
    run(tmp_path / "a/x.mrg", tmp_path / "b/x.mrg", "--out", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x-1.txt", "x-2.txt"]


def test_bad_trees() -> None:
    with pytest.raises(BracketError, match=r"<stdin>:2:1: "):
        run(text=f"{OWL}\n)")
    result = run("--skip-bad", "--format", "brackets", text=f"{OWL}\n)\n{OWL}")
    assert result.stdout == f"{OWL}\n{OWL}\n"
    assert "nccp: skipped: <stdin>:2:1: " in result.stderr


def test_missing_file_and_bad_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.mrg: No such file"):
        run(tmp_path / "none.mrg")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file/x"):
        run("--out", tmp_path / "file" / "x", text=OWL)


def test_program(tmp_path: Path) -> None:
    def program(*arguments: str, text: str = "") -> tuple[int, str]:
        call = [sys.executable, "-m", "nccp", "show", *arguments]
        done = subprocess.run(call, input=text, capture_output=True, text=True)
        return done.returncode, done.stderr

    assert program(text=OWL)[0] == 0
    assert program(text="(") == (1, "nccp: <stdin>:1:1: bracket never closed\n")
    assert program("--format", "jpeg")[0] == 2


def test_layers(tmp_path: Path) -> None:
    path = tmp_path / "tree.mrg"
    path.write_text("( (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (NP (-NONE- *)))))")
    text = run(path, "--layers", "left").stdout
    assert "NP→" in text
    assert "NONE" not in text
    assert run(path, "--layers", "triangle", "--format", "latex").stdout.startswith("% \\usepackage{tikz}")
    assert run(path, "--layers", "multi", "--format", "svg").stdout.startswith("<svg")
    made = CliRunner().invoke(command, [str(path), "--layers", "multi", "--format", "brackets"])
    assert made.exit_code == 2
