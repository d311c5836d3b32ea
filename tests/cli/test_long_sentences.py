"""Lines that are parsed in pieces: one tree, every word in it, in bounded memory."""

from __future__ import annotations

import base64
import json
import re

import pytest
from click.testing import CliRunner

from nccp.cli import nccp
from nccp.errors import NccpWarning
from nccp.languages import lines
from nccp.trees import parse_tree
from tests.bundles import write_bundle

LINE = 'It\'s "so" (very) long, 東京 🙂\\ ' * 20


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(write_bundle(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture
def run(model, monkeypatch):
    def run(*arguments, stdin, longest=60):
        monkeypatch.setattr(lines, "LONGEST_LINE", longest)
        call = ["parse", "--model", model, "--threads", "1", *arguments]
        return CliRunner().invoke(nccp, call, input=stdin)

    return run


@pytest.mark.parametrize("form", ["lines", "tokens"])
def test_brackets(run, form):
    with pytest.warns(NccpWarning, match="<stdin>: line 2 has more than .* joined under one root"):
        result = run("--input", form, stdin=f"a b\n{LINE}\n\nc")
    first, long, empty, last = result.stdout.splitlines()
    whole = run("--input", form, stdin=LINE, longest=10_000).stdout
    assert parse_tree(long).leaves() == parse_tree(whole).leaves()
    assert parse_tree(long).label() == ""
    assert [parse_tree(first).leaves(), empty, parse_tree(last).leaves()] == [["a", "b"], "(())", ["c"]]


def test_a_root(run):
    with pytest.warns(NccpWarning):
        tree = parse_tree(run("--input", "lines", "--root", "TOP", stdin=LINE).stdout)
    assert (tree.label(), len(tree) > 5) == ("TOP", True)


@pytest.mark.parametrize("form", ["lines", "tokens"])
def test_json(run, form):
    with pytest.warns(NccpWarning):
        before, record, after = map(
            json.loads, run("--input", form, "--output", "json", stdin=f"a\n{LINE}\r\nb").stdout.splitlines()
        )
    (whole,) = map(
        json.loads,
        run("--input", form, "--output", "json", stdin=LINE + "\r\n", longest=10_000).stdout.splitlines(),
    )
    assert (before["sentence"], record["sentence"], after["sentence"]) == (1, 2, 3)
    assert [key for key in whole if key != "weights"] == list(record)
    for key in ("text", "words", "offsets"):
        assert record.get(key) == whole.get(key)
    assert record["joined"]
    assert 0 < record["score"] < 1
    tree = parse_tree(record["tree"])
    tree.set_spans()
    nodes = [node for node in tree.subtrees() if not node.is_preterminal]
    assert [(span["label"], (span["start"], span["end"])) for span in record["spans"]] == [
        (node.label(), node.span) for node in nodes
    ]
    assert tree.tags() == [tag.replace("(", "-LRB-") for tag in record["tags"]]
    if form == "lines":
        for span in record["spans"]:
            assert span["start_char"] == record["offsets"][span["start"]][0]
            assert span["end_char"] == record["offsets"][span["end"] - 1][1]


def test_the_score_is_that_of_all_decisions(run, monkeypatch):
    """Joined here or by the parser, the pieces are the same and so is the score."""
    line = "a b c d " * 8
    call = ("--input", "tokens", "--output", "json")
    with pytest.warns(NccpWarning):
        record = run(*call, stdin=line, longest=16).stdout
    monkeypatch.setattr("nccp.decoding.stream.LONGEST", 8)
    assert json.loads(record) == json.loads(run(*call, stdin=line, longest=1000).stdout)


def test_blanks_alone(run):
    for form in ("lines", "tokens"):
        with pytest.warns(NccpWarning):
            assert run("--input", form, stdin=" " * 200 + "\n").stdout == "(())\n"
        with pytest.warns(NccpWarning):
            record = json.loads(run("--input", form, "--output", "json", stdin=" " * 200).stdout)
        assert (record["words"], record["tree"], record["spans"]) == ([], "(())", [])
        assert (record["score"], record["joined"]) == (None, False)


def test_bytes_that_are_no_text(run):
    data = b"caf\xe9 " * 40
    with pytest.warns(NccpWarning):
        record = json.loads(run("--input", "tokens", "--output", "json", stdin=data).stdout)
    assert base64.b64decode(record["bytes"]) == data
    assert record["words"] == ["caf\ufffd"] * 40


@pytest.mark.parametrize("option", ["--output=conll", "--output=pretty", "--output=svg", "--k-best=2"])
def test_what_needs_the_whole_sentence(run, option):
    result = run("--input", "tokens", option, stdin="a\n" + LINE)
    assert result.exit_code == 2
    assert re.fullmatch(
        rf"nccp: <stdin>: line 2: more than .* too long for {option.replace('=', '.')[:6]}.*\n", result.stderr
    )


def test_a_word_that_is_too_long(run, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST_WORD", 100)
    result = run("--input", "tokens", stdin="a\n" + "b" * 101)
    assert (result.exit_code, result.stderr) == (
        2,
        "nccp: <stdin>: line 2: a word of more than 100 characters, the limit\n",
    )
