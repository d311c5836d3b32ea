"""CRAFT, English biomedical articles: Penn-style ``*.tree`` files and ``ids-{train,dev,test}.txt``.

The published corpus calls the lists ``craft-ids-train.txt`` and so on; both names are read.
"""

from __future__ import annotations

from pathlib import Path

from nccp.treebanks.text_files import read_text
from nccp.treebanks.treebank import Source, Treebank, by_document

_SPLITS = ("train", "dev", "test")


class Craft(Treebank):
    """One file per article, named by its number in PubMed; each list has one number per line."""

    name = "craft"
    looks_for = "*.tree with ids-train.txt, ids-dev.txt, ids-test.txt"

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        if source.is_folder and not _lists(source):
            return ()
        return tuple(file for file in source.files if file.suffix == ".tree")

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        documents = {split: read_text(file).split() for split, file in _lists(source).items()}
        plan, self.missing = by_document(documents, files)
        return plan


def _lists(source: Source) -> dict[str, Path]:
    """The file that lists the articles of each split."""
    named = {file.name: file for file in source.files}
    names = ((split, f"{prefix}ids-{split}.txt") for split in _SPLITS for prefix in ("", "craft-"))
    return {split: named[name] for split, name in names if name in named}
