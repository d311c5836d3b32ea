"""Any file, glob or folder of bracketed trees, with any file names; ICON (Indonesian) is one of them.

Files named train, dev (valid, development), test or test2, or in folders of these names, are the splits:
``train.mrg``, ``ja.dev.txt``, ``test/part-1.ptb``. Without such names, and for a single file, there is one
split, "all".
"""

from __future__ import annotations

import re
from pathlib import Path

from nccp.treebanks.text_files import first_line
from nccp.treebanks.treebank import ALL, Source, Treebank

_WORD = re.compile(r"[a-z]+\d*")
_SUFFIXES = frozenset({".mrg", ".ptb", ".tree", ".psd"})  # so that a damaged file is an error, not overlooked
_SPLITS = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("dev", "devel", "development", "val", "valid", "validation"), "dev"),
    "test": "test",
    "test2": "test2",
}


class Brackets(Treebank):
    """Bracket files of any name; in a folder, those that start with a bracket or end in .mrg and the like."""

    name = "brackets"
    looks_for = "*.mrg, *.ptb, *.tree, *.psd, or files that start with a bracket"
    splits_files = True
    lemmas = None

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        if not source.is_folder:
            return source.files
        return tuple(
            file for file in source.files if file.suffix in _SUFFIXES or first_line(file).startswith("(")
        )

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        named: dict[str, list[Path]] = {"train": [], "dev": [], "test": [], "test2": []}
        for file in files if source.is_folder or len(files) > 1 else ():
            name = file.relative_to(source.path).as_posix() if source.is_folder else file.name
            split = next((_SPLITS[word] for word in _WORD.findall(name.lower()) if word in _SPLITS), None)
            if split:
                named[split].append(file)
        if not any(named.values()):
            return {ALL: files}
        return {split: tuple(members) for split, members in named.items()}
