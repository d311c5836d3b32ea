from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nccp.cli import nccp
from nccp.errors import InputError
from nccp.trees import parse_tree, parse_trees
from tests.bundles import write_bundle

TEXT = "The cat sat. It (the cat) can't\nsleep 🙂!"
GOLD = "(TOP (S (NP (X the) (Y cat)) (VB sat)))\n(S (-LRB- -LRB-) (NN a))\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(write_bundle(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture
def run(model):
    def run(*arguments, stdin=None):
        call = ["parse", "--model", model, "--threads", "1", *map(str, arguments)]
        result = CliRunner().invoke(nccp, call, input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.stdout_bytes.decode("utf-8", "surrogateescape")

    return run


def test_text(run):
    first, second = parse_trees(run(stdin=TEXT))
    assert first.leaves() == ["The", "cat", "sat", "."]
    assert second.leaves()[:8] == ["It", "-LRB-", "the", "cat", "-RRB-", "ca", "n't", "sleep"]


def test_lines_match_lines(run):
    lines = run("--input", "lines", stdin="The cat sat. It ran.\n\n \r\n東京").split("\n")
    assert parse_tree(lines[0]).leaves()[3:5] == [".", "It"]
    assert lines[1:3] == ["(())", "(())"]
    assert parse_tree(lines[3]).leaves() == ["東京"]
    assert lines[4:] == [""]


def test_tokens_are_not_touched(run):
    (tree,) = parse_trees(run("--input", "tokens", stdin="can't \t U.S.-based, a\xa0b 1/2\r\n"))
    assert tree.leaves() == ["can't", "U.S.-based,", "a\xa0b", "1/2"]


def test_brackets_are_parsed_anew(run, tmp_path):
    gold = tmp_path / "gold.mrg"
    gold.write_text(GOLD)
    trees = parse_trees(run("--input", "brackets", gold))
    assert [tree.leaves() for tree in trees] == [["the", "cat", "sat"], ["-LRB-", "a"]]
    trees = parse_trees(run("--input", "brackets", "--keep-tags", stdin=GOLD))
    assert [tree.tags() for tree in trees] == [["X", "Y", "VB"], ["-LRB-", "NN"]]


def test_files_come_in_order(run, tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(f"\ufeff{name} {name}", encoding="utf-8")
    trees = parse_trees(run(tmp_path / "a", "-", tmp_path / "b", "-", stdin="c"))
    assert [tree.leaves() for tree in trees] == [["a", "a"], ["c"], ["b", "b"]]


def test_root(run):
    (tree,) = parse_trees(run("--root", "TOP", "--input", "tokens", stdin="a b c"))
    assert tree.label() == "TOP"


def test_json(run):
    one, two = map(json.loads, run("--output", "json", stdin=TEXT).splitlines())
    for parse in (one, two):
        assert [TEXT[start:end] for start, end in parse["offsets"]] == parse["words"]
        assert 0 < parse["score"] <= 1
        assert len(parse["tags"]) == len(parse["words"])
        assert parse["spans"][0]["end"] == len(parse["words"])
    assert two["words"][-2] == "🙂"


def test_drawings(run):
    assert "┌" in run("--output", "pretty", stdin=TEXT)
    assert run("--output", "svg", stdin=TEXT).count("<svg") == 2
    assert run("--output", "pretty", "--input", "lines", stdin="\n") == "\n"
    assert "TOP" in run("--output", "pretty", "--root", "TOP", stdin=TEXT)
    rows = run("--output", "conll", stdin="The cat sat. It ran.").split("\n\n")
    assert [len(row.splitlines()) for row in rows] == [4, 3, 0]


def test_nothing(run):
    assert run(stdin="") == run(stdin=" \n\n ") == ""


def test_what_is_wrong(run, model, tmp_path):
    with pytest.raises(InputError, match="none: No such file"):
        run(tmp_path / "none")
    with pytest.raises(InputError, match="Is a directory"):
        run(tmp_path)
    with pytest.raises(InputError, match="unknown encoding 'utf-99'"):
        run("--encoding", "utf-99", stdin="a")
    assert CliRunner().invoke(nccp, ["parse", "--model", model, "--keep-tags"]).exit_code == 2
    assert "did you mean" in str(
        CliRunner().invoke(nccp, ["parse", "--model", "tin"], env=at(model)).exception
    )


def at(model):
    return {"NCCP_MODELS": os.path.dirname(model)}


@settings(max_examples=150)
@given(data=st.binary(max_size=80))
@example(data=b"\xef\xbb")  # half of a byte order mark
@pytest.mark.parametrize("form", ["text", "lines", "tokens"])
def test_random_bytes(model, form, data):
    call = ["parse", "--model", model, "--threads", "1", "--input", form, "--output", "json"]
    result = CliRunner().invoke(nccp, call, input=data)
    assert result.exit_code == 0
    words = [word for line in result.stdout_bytes.splitlines() for word in json.loads(line)["words"]]
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    assert ascii("".join("".join(words).split())) == ascii("".join(text.split()))  # a report must be UTF-8
    plain = CliRunner().invoke(nccp, [*call[:-1], "brackets"], input=data)
    assert plain.exit_code == 0
    assert plain.stdout_bytes.count(b"\n") == result.stdout_bytes.count(b"\n")


def test_bytes_of_another_encoding_go_through(model):
    data = "caf\xe9 noir\n".encode("latin-1")
    call = [sys.executable, "-m", "nccp", "parse", "--model", model, "--input", "tokens"]
    done = subprocess.run(call, input=data, capture_output=True)
    assert done.returncode == 0
    assert b"caf\xe9)" in done.stdout
    done = subprocess.run([*call, "--encoding", "latin-1"], input=data, capture_output=True)
    assert "café)".encode() in done.stdout


def test_a_closed_pipe_is_quiet(model, tmp_path):
    (tmp_path / "text").write_text("The cat sat on it.\n" * 3000)
    call = f"{sys.executable} -m nccp parse --model {model} --input lines {tmp_path / 'text'} | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", call], capture_output=True, text=True)
    assert done.stdout.startswith("(")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_person_gets_an_answer_to_each_line(model):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    call = [sys.executable, "-m", "nccp", "parse", "--model", model, "--threads", "1"]
    with subprocess.Popen(call, stdin=theirs, stdout=subprocess.PIPE) as process:
        for word in ("one", "two"):
            os.write(ours, f"{word} {word}\n".encode())
        os.close(theirs)
        os.write(ours, b"\x04")
        out, _ = process.communicate()
    os.close(ours)
    assert [tree.leaves() for tree in parse_trees(out.decode())] == [["one"] * 2, ["two"] * 2]


def test_known_errors_are_one_line():
    call = [sys.executable, "-m", "nccp", "parse", "--model", "./nowhere"]
    done = subprocess.run(call, input="a", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "nccp: nowhere: there is no model bundle here\n"
