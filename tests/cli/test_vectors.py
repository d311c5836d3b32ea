"""The command ``nccp vectors``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from nccp.cli.vectors import command
from nccp.errors import InputError
from nccp.inputs.words.vectors import Vectors

TREE = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD slept) (-LRB- -LRB-))))\n"
SMALL = ["--dim", "4", "--epochs", "1", "--buckets", "50", "--min-count", "1"]


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    path = tmp_path / "v.vec"
    path.write_text("cat 1 0\ncats 1 0.1\ndog 0.8 0.4\ntax 0 1\n")
    return path


def test_train_on_text(tmp_path: Path) -> None:
    pytest.importorskip("floret")
    (tmp_path / "text").write_text("the cat slept ( well )\n" * 3)
    facts = json.loads(run("train", tmp_path / "text", tmp_path / "out", "--json", *SMALL))
    assert facts["words"] == 7
    assert facts["ngrams"] == 50
    assert "slept" in Vectors.load(tmp_path / "out")


@pytest.mark.parametrize("trees", [TREE, f"( {TREE})", "\n" + TREE.replace(" (", "\n  (")])
def test_train_on_trees(tmp_path: Path, trees: str) -> None:
    pytest.importorskip("floret")
    (tmp_path / "trees").write_text(trees * 3)
    assert "words" in run("train", tmp_path / "trees", tmp_path / "out", *SMALL)
    assert Vectors.load(tmp_path / "out").words == ["(", "</s>", "cat", "slept", "the"]


def test_train_on_the_training_part_of_a_treebank(tmp_path: Path) -> None:
    pytest.importorskip("floret")
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank" / "train.mrg").write_text(TREE)
    (tmp_path / "bank" / "dev.mrg").write_text(TREE.replace("cat", "dog"))
    run("train", tmp_path / "bank", tmp_path / "out", *SMALL)
    assert "cat" in Vectors.load(tmp_path / "out")
    assert "dog" not in Vectors.load(tmp_path / "out")
    run("train", tmp_path / "bank", tmp_path / "out", "--split", "dev", *SMALL)
    assert "cat" not in Vectors.load(tmp_path / "out")


def test_convert(tmp_path: Path, text_file: Path) -> None:
    (tmp_path / "words").write_text("cat\nCats\nzebra\n")
    facts = json.loads(run("convert", text_file, tmp_path / "out", "--words", tmp_path / "words", "--json"))
    assert facts == {"out": str(tmp_path / "out"), "words": 2, "rows": 2, "dim": 2, "bytes": 8 + 2 + 8}
    assert Vectors.load(tmp_path / "out").words == ["cat", "cats"]
    run("convert", text_file, tmp_path / "out", "--limit", "3", "--max-rows", "1", "--dtype", "int8")
    assert len(Vectors.load(tmp_path / "out")) == 3
    assert len(Vectors.load(tmp_path / "out").table) == 1


def test_convert_and_learn_ngrams(tmp_path: Path, text_file: Path) -> None:
    arguments: list[Any] = ["--fit-ngrams", "--buckets", "30", "--minn", "1", "--maxn", "2"]
    output = run("convert", text_file, tmp_path / "out", *arguments)
    assert "held out cosine" in output
    ngrams = Vectors.load(tmp_path / "out").ngrams
    assert ngrams is not None
    assert (len(ngrams.table), ngrams.minn, ngrams.maxn) == (30, 1, 2)


def test_show(text_file: Path) -> None:
    assert run("show", text_file).splitlines()[0].split() == ["words", "4"]
    assert run("show", text_file, "cat", "CAT", "-k", "2") == (
        "cat\n  0.995  cats\n  0.894  dog\nCAT  (not in the table)\n  1.000  cat\n  0.995  cats\n"
    )
    found = json.loads(run("show", text_file, "cat", "-k", "1", "--json"))
    assert found["known"] == {"cat": True}
    assert found["neighbours"]["cat"][0]["words"] == ["cats"]


def test_errors(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("the 1 2\ncat 1\n")
    with pytest.raises(InputError, match="bad:2: expected"):
        run("show", tmp_path / "bad")
    assert CliRunner().invoke(command, ["show", str(tmp_path / "none")]).exit_code == 2


def test_vectors_need_neither_torch_nor_safetensors() -> None:
    code = (
        "import sys, nccp.inputs.words.vector_files, nccp.inputs.words.train_vectors, nccp.cli.vectors;"
        "sys.exit(bool({'torch', 'safetensors', 'floret', 'onnxruntime'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
