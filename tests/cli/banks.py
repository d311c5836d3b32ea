"""A treebank made for a model."""

from __future__ import annotations

from pathlib import Path

from nccp import load


def write_bank(folder: Path, model: str, sentences: list[list[str]], wrong: str) -> Path:
    """A treebank on which the model is always right in its test split, and wrong in train."""
    folder.mkdir()
    trees = [parse.brackets("TOP") for parse in load(model, threads=1).parse_many(sentences)]
    (folder / "test.mrg").write_text("\n".join(trees))
    (folder / "train.mrg").write_text(wrong)
    return folder
