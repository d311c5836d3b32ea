"""Files, folders and patterns."""

from __future__ import annotations

import json
import os
import sys

import pytest

from nccp.bulk import parse_corpus
from nccp.bulk.inputs import find_inputs
from nccp.bulk.options import Options
from nccp.errors import ConfigError, InputError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("in/b.txt", "in/a.txt", "in/deep/c.txt", "in/.hidden", "in/_log", "in/.git/x", "x[1].txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Text.")
    return tmp_path


def names(*inputs, out="out"):
    return [source.name for source in find_inputs(inputs, out)]


def test_order(folder):
    assert names("in") == ["in/a.txt", "in/b.txt", "in/deep/c.txt"]
    assert names("in/b.txt", "in") == ["in/b.txt", "in/a.txt", "in/deep/c.txt"]
    assert names("in/**/*.txt") == ["in/a.txt", "in/b.txt", "in/deep/c.txt"]
    assert names("in/*", "x[1].txt") == ["in/_log", "in/a.txt", "in/b.txt", "x[1].txt"]
    assert names("none.txt") == ["none.txt"]
    assert find_inputs(["in"], folder / "out")[0].path == str(folder / "in" / "a.txt")


def test_errors(folder):
    with pytest.raises(InputError, match="no file matches"):
        names("in/*.gz")
    with pytest.raises(InputError, match="nccp parse"):
        names("-")
    with pytest.raises(InputError, match=r"in/a\.txt is in the output folder"):
        names("in", out="in")
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="no input files: empty"):
        names("empty")


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems refuse such names")
def test_names_that_are_invalid_unicode(folder, bundle):
    for name in (b"a\xff.txt", b"a\xfe.txt"):
        (folder / os.fsdecode(name)).write_text("One is here.")
    options = {"model": bundle, "format": "jsonl", "compression": "none", "workers": 1}
    for _ in range(2):  # the second time from the plan
        summary = parse_corpus(["a*.txt"], "out", **options)
        assert summary.sentences == 2
    rows = [json.loads(line) for line in (folder / "out" / "part-000000.jsonl").read_text().splitlines()]
    assert [row["source"] for row in rows] == ["a\\udcfe.txt", "a\\udcff.txt"]
    (folder / "a\\udcff.txt").write_text("Two.")
    with pytest.raises(InputError, match="differ only in bytes that are invalid Unicode"):
        names("a*.txt")


@pytest.mark.parametrize("option", ["model", "column", "id_column", "root"])
def test_options_that_are_invalid_unicode(option):
    with pytest.raises(ConfigError, match=rf"{option} is 'x.udcff', which is not valid Unicode"):
        Options(**{option: "x\udcff"})
