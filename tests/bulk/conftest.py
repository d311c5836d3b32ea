"""A tiny model and a corpus of every kind of file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from nccp.runtime.synthetic import make_sentences, typical_lengths
from tests.bundles import write_bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a model with random weights."""
    return str(write_bundle(tmp_path_factory.mktemp("bulk") / "small"))


def make_text(count: int, seed: int = 0) -> str:
    """Raw text of so many sentences."""
    sentences = [" ".join(words) for words in make_sentences(typical_lengths(count, 6, seed), seed)]
    return "\n".join(text[0].upper() + text[1:].replace(" .", ".") for text in sentences) + "\n"


def write_corpus(folder: Path) -> Path:
    """Some hundred sentences in files of every kind."""
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text(
        "\ufeff" + make_text(150, 1) + "東京 Größe “so”. Yes (no)?\n", encoding="utf-8"
    )
    (folder / "b.txt.gz").write_bytes(gzip.compress(make_text(80, 2).encode(), mtime=0))
    (folder / "deep" / "c.txt").write_text("")
    (folder / "deep" / "d.txt").write_bytes(b"One byte is \xff odd. " + make_text(30, 3).encode())
    rows = [{"id": f"doc-{i}", "text": make_text(i % 7, i)} for i in range(40)]
    (folder / "e.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder of input files."""
    return write_corpus(tmp_path / "corpus")


def contents(out: Path) -> dict[str, bytes]:
    """All files of a finished run by name."""
    return {
        str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()
    }
