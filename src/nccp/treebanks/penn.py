"""The Penn Treebank, Wall Street Journal part: ``wsj_*.mrg``, in section folders or flat.

The full treebank is split by section: 02-21 train, 22 dev, 23 test. The sample that NLTK distributes has
sections 00 and 01 only. There is no published split of it; ours goes by the last digit of the file's number:
8 dev, 9 test, the rest train.
"""

from __future__ import annotations

import re
from pathlib import Path

from nccp.treebanks.treebank import Source, Treebank, check_unique

_NAME = re.compile(r"wsj_(\d\d)(\d\d)\.mrg", re.IGNORECASE)
_SECTIONS = {**dict.fromkeys(range(2, 22), "train"), 22: "dev", 23: "test"}
_SAMPLE_SECTIONS = {0, 1}
_SAMPLE_DIGITS = {8: "dev", 9: "test"}


class Penn(Treebank):
    name = "penn"
    looks_for = "wsj_NNNN.mrg"

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        return tuple(file for file in source.files if _NAME.fullmatch(file.name))

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        check_unique(files)
        is_sample = {_number(file) // 100 for file in files} <= _SAMPLE_SECTIONS
        split_of = _split_in_sample if is_sample else _split_by_section
        return {
            split: tuple(file for file in files if split_of(_number(file)) == split)
            for split in ("train", "dev", "test")
        }


def _number(file: Path) -> int:
    """2142 for wsj_2142.mrg: file 42 of section 21."""
    match = _NAME.fullmatch(file.name)
    assert match is not None
    return int(match[1] + match[2])


def _split_by_section(number: int) -> str | None:
    return _SECTIONS.get(number // 100)


def _split_in_sample(number: int) -> str:
    return _SAMPLE_DIGITS.get(number % 10, "train")
