from __future__ import annotations

import base64
import bz2
import gzip
import json
import lzma
import os
import re
import struct
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nccp.characters import replace_surrogates
from nccp.cli import nccp
from nccp.trees import parse_tree, parse_trees
from tests.bundles import write_bundle

TEXT = "The cat sat. It (the cat) can't\nsleep 🙂!"
BINARY = re.compile(rb"\0|\A(?:%PDF-|PK\x03\x04|\{\\rtf)")
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
    assert run("--output", "svg", stdin="one").count("<svg") == 1
    assert run("--output", "pretty", "--input", "lines", stdin="\n") == "\n"
    assert "TOP" in run("--output", "pretty", "--root", "TOP", stdin=TEXT)
    rows = run("--output", "conll", stdin="The cat sat. It ran.").split("\n\n")
    assert [len(row.splitlines()) for row in rows] == [4, 3, 0]


def test_layers_of_the_model_instead_of_the_tree(run, model):
    """The lowest layer has a cell per word, and every cell but the root's points somewhere."""
    rows = run("--output", "pretty", "--layers", "--input", "lines", stdin="a b c d\n\n").splitlines()
    assert rows[-3].split() == ["a", "b", "c", "d"]
    lowest = next(row for row in rows if row.startswith("0 "))
    assert len(lowest.split()[1:]) == 4
    assert lowest.split()[1].endswith("→")
    assert lowest.split()[-1].startswith("←")
    assert "→" in run("--output", "svg", "--layers", stdin="a b c d")
    for wrong in (["--output", "json"], ["--output", "svg", "--root", "TOP"]):
        assert CliRunner().invoke(nccp, ["parse", "--layers", *wrong]).exit_code == 2


def test_k_best(run, model):
    lines = run("--k-best", "3", "--input", "lines", stdin="a b c\n\nd").split("\n")
    blocks = "\n".join(lines).split("\n\n")
    assert [len(block.splitlines()) for block in blocks] == [3, 1, 3, 0]
    first = [line.split("\t") for line in blocks[0].splitlines()]
    assert first[0] == ["1.000000", run("--input", "lines", stdin="a b c").strip()]
    assert all(parse_tree(tree).leaves() == ["a", "b", "c"] for _, tree in first)
    records = [
        json.loads(line) for line in run("--k-best", "2", "--output", "json", stdin="a b").splitlines()
    ]
    assert [(record["rank"], record["sentence"]) for record in records] == [(1, 1), (2, 1)]
    assert records[0]["relative_score"] == 1 >= records[1]["relative_score"]
    assert CliRunner().invoke(nccp, ["parse", "--k-best", "2", "--output", "svg"]).exit_code == 2


def test_conllu(run):
    first, second, end = run("--output", "conllu", stdin="The cat sat. It ran.").split("\n\n")
    assert first.splitlines()[0] == "# text = The cat sat."
    rows = [row.split("\t") for row in second.splitlines()[1:]]
    assert [row[1] for row in rows] == ["It", "ran", "."]
    assert [row[6] for row in rows].count("0") == 1
    assert end == ""


def test_nothing(run):
    assert run(stdin="") == run(stdin=" \n\n ") == ""


def test_what_is_wrong(run, model, tmp_path):
    def refused(*arguments, stdin=None):
        result = CliRunner().invoke(nccp, ["parse", "--model", model, *map(str, arguments)], input=stdin)
        assert (result.exit_code, result.stdout) == (2, "")
        return result.stderr

    assert refused(tmp_path) == f"nccp: {tmp_path}: no files in this folder\n"
    assert "unknown encoding 'utf-99'" in refused("--encoding", "utf-99", stdin="a")
    assert "<stdin>: binary data, not utf-8 text" in refused(stdin=b"a\0b")
    assert "damaged gzip data" in refused(stdin=gzip.compress(b"a" * 99)[:-9])
    assert CliRunner().invoke(nccp, ["parse", "--model", model, "--keep-tags"]).exit_code == 2
    assert CliRunner().invoke(nccp, ["parse", "--model", model, "--out", str(tmp_path)]).exit_code == 2
    assert "did you mean" in str(
        CliRunner().invoke(nccp, ["parse", "--model", "tin"], env=at(model)).exception
    )


def at(model):
    return {"NCCP_MODELS": os.path.dirname(model)}


def test_all_files_are_checked_before_the_first_is_parsed(model, tmp_path):
    (tmp_path / "good.txt").write_text("The cat sat.")
    (tmp_path / "binary.txt").write_bytes(b"a\0b")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "wide.txt").write_text("wide", encoding="utf-16")
    names = ["good.txt", "none.txt", "binary.txt", "paper.pdf", "wide.txt"]
    call = ["parse", "--model", model, *(str(tmp_path / name) for name in names)]
    result = CliRunner().invoke(nccp, call)
    assert (result.exit_code, result.stdout) == (2, "")
    none, binary, paper, wide = result.stderr.splitlines()
    assert none.endswith("none.txt: No such file or directory")
    assert "binary.txt: binary data, not utf-8 text" in binary
    assert "paper.pdf: a PDF document, not a text file" in paper
    assert wide.endswith("use --encoding utf-16")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("form", ["text", "lines", "brackets"])
def test_compressed_files(run, tmp_path, pack, form):
    text = GOLD if form == "brackets" else TEXT
    (tmp_path / "plain").write_text(text, encoding="utf-8")
    (tmp_path / "packed").write_bytes(pack(text.encode()))
    plain = run("--input", form, tmp_path / "plain")
    assert plain
    assert run("--input", form, tmp_path / "packed") == plain
    assert run("--input", form, stdin=pack(text.encode())) == plain


def test_folders(run, tmp_path):
    (tmp_path / "b").mkdir()
    for name in ("b/z.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_text(name[0] * 2)
    records = [json.loads(line) for line in run("--output", "json", tmp_path).splitlines()]
    assert [record["words"] for record in records] == [["aa"], ["bb"]]
    assert [record["source"] for record in records] == [str(tmp_path / "a.txt"), str(tmp_path / "b/z.txt")]


def test_json_is_valid_unicode(run, tmp_path):
    data = "café\n".encode("latin-1") + b"a b\n"
    (tmp_path / "lines").write_bytes(data)
    first, second = map(
        json.loads, run("--output", "json", "--input", "tokens", tmp_path / "lines").splitlines()
    )
    assert first["text"] == first["words"][0] == "caf\ufffd"
    assert base64.b64decode(first["bytes"]) == b"caf\xe9"
    assert (first["source"], first["sentence"]) == (str(tmp_path / "lines"), 1)
    assert (second["text"], second["sentence"], "bytes" in second) == ("a b", 2, False)


def test_json_of_trees_has_a_text(run):
    first, _ = map(json.loads, run("--output", "json", "--input", "brackets", stdin=GOLD).splitlines())
    assert (first["source"], first["text"]) == ("<stdin>", "the cat sat")


def test_several_drawings_are_one_document(run, tmp_path):
    document = ElementTree.fromstring(run("--output", "svg", stdin=TEXT))
    one, two = document.findall("{http://www.w3.org/2000/svg}svg")
    assert float(two.get("y")) >= float(one.get("height"))
    assert float(document.get("height")) == pytest.approx(float(two.get("y")) + float(two.get("height")))
    assert run("--output", "svg", "--out", tmp_path / "new", stdin=TEXT) == ""
    names = ["stdin-1.svg", "stdin-2.svg"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == names
    for name in names:
        ElementTree.parse(tmp_path / "new" / name)


def _read_terminal(descriptor):
    """What a program writes to a terminal, until it ends."""
    try:
        while part := os.read(descriptor, 1 << 16):
            yield part
    except OSError:  # so Linux says that the other end is closed
        pass
    finally:
        os.close(descriptor)


def test_the_bar_tells_the_share_done(model, tmp_path):
    fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
    (tmp_path / "text").write_text("The cat sat on it.\n" * 400)
    ours, theirs = pty.openpty()
    call = [sys.executable, "-m", "nccp", "parse", "--model", model, str(tmp_path / "text")]
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    at_once = {**os.environ, "TQDM_MININTERVAL": "0"}  # not after a tenth of a second, when all is done
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=theirs, env=at_once)
    os.close(theirs)
    shown = b"".join(_read_terminal(ours)).decode()
    assert process.wait() == 0
    assert re.search(r" \d+%\|.*\| \d+ sentences \[00:\d\d<", shown)


def test_model_names_are_completed(model, monkeypatch):
    monkeypatch.setenv("NCCP_MODELS", os.path.dirname(model))
    complete = BashComplete(nccp, {}, "nccp", "_NCCP_COMPLETE").get_completions
    assert [item.value for item in complete(["parse", "--model"], "ti")] == ["tiny"]
    assert "_NCCP_COMPLETE=bash_source" in CliRunner().invoke(nccp, ["--help"]).output


@settings(max_examples=150)
@given(data=st.binary(max_size=80).filter(lambda data: not BINARY.search(data)))
@example(data=b"\xef\xbb")  # half of a byte order mark
@example(data=b"\xc2\x85")  # ends a line for str.splitlines, not here
@pytest.mark.parametrize("form", ["text", "lines", "tokens"])
def test_random_bytes(model, form, data):
    call = ["parse", "--model", model, "--threads", "1", "--input", form, "--output", "json"]
    result = CliRunner().invoke(nccp, call, input=data)
    assert result.exit_code == 0
    words = [word for line in result.stdout_bytes.split(b"\n")[:-1] for word in json.loads(line)["words"]]
    text = replace_surrogates(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
    assert "".join("".join(words).split()) == "".join(text.split())
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


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no names for pipes")
def test_pipes_are_read_once(model, tmp_path):
    words = [f"w{number}" for number in range(3000)]  # more than is read ahead
    (tmp_path / "words").write_text("\n".join(words))
    os.mkfifo(tmp_path / "pipe")
    read = f"cat {tmp_path / 'words'}"
    for name, before in ((f"<({read})", ""), (tmp_path / "pipe", f"{read} > {tmp_path / 'pipe'} &")):
        call = f"{before} {sys.executable} -m nccp parse --model {model} --input tokens {name}"
        done = subprocess.run(["bash", "-c", call], capture_output=True, text=True)
        assert [tree.leaves() for tree in parse_trees(done.stdout)] == [[word] for word in words]


@pytest.mark.parametrize(("closed", "what"), [(">&-", "output"), ("<&-", "input")])
def test_closed_streams(model, closed, what):
    call = f"{sys.executable} -m nccp parse --model {model} {closed}"
    done = subprocess.run(["bash", "-c", call], input="a", capture_output=True, text=True)
    assert done.returncode == 2
    assert re.fullmatch(f"nccp: standard {what} is closed; .*\n", done.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk(model):
    call = f"{sys.executable} -m nccp parse --model {model} > /dev/full"
    done = subprocess.run(["bash", "-c", call], input="The cat sat.", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        1,
        "nccp: standard output: No space left on device; once this is solved, give the same command again\n",
    )


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
