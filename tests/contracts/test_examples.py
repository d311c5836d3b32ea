"""The examples are complete: the treebank sample reads, and the configuration finds it."""

from pathlib import Path

import pytest

from nccp.config import load_config
from nccp.treebanks import check_treebank, open_treebank

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="examples/ is in the repository only")


def test_the_treebank_sample() -> None:
    report = check_treebank(open_treebank(EXAMPLES / "craft-sample"))
    sizes = {name: split.trees for name, split in report.splits.items()}
    assert sizes == {"train": 400, "dev": 60, "test": 60}
    assert not report.bad
    assert not report.untagged
    assert not report.changes.cut  # it is clean


def test_its_licence_is_stated() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert "CC BY 3.0" in text
    assert "Changes:" in text


def test_the_configuration_finds_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (treebank,) = load_config(EXAMPLES / "train.toml").data.treebanks
    assert Path(treebank.path) == EXAMPLES / "craft-sample"
