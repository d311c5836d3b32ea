"""Files, folders and patterns."""

from __future__ import annotations

import pytest

from nccp.bulk.inputs import find_inputs
from nccp.errors import InputError


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
