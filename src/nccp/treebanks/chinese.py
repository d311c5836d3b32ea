"""The Penn Chinese Treebank: ``chtb_001.fid`` (trees among SGML lines) and ``chtb_0001.nw`` and its kin.

Older releases are in GB2312 (read as GB18030, which contains it), newer ones in UTF-8; each file is detected.
The split is the usual one by article: 001-270 and 440-1151 train, 301-325 dev, 271-300 test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nccp.errors import InputError
from nccp.treebanks.text_files import UTF8, read_text
from nccp.treebanks.treebank import Entry, Source, Treebank, check_unique, read_brackets
from nccp.trees import TreeReader

_NAME = re.compile(r"chtb_(\d+)\.(?:fid|nw|mz|bn|bc|wb|df|sc|cs|nws)", re.IGNORECASE)
_ARTICLES = {
    "train": (range(1, 271), range(440, 1152)),
    "dev": (range(301, 326),),
    "test": (range(271, 301),),
}
_CHINESE = re.compile(
    r"[\u3000-\u9fff\uff00-\uffef]"
)  # characters, and their punctuation and full-width forms
_SGML_LINE = re.compile(r"^[ \t]*<[^\n]*", re.MULTILINE)


class Chinese(Treebank):
    name = "chinese"
    looks_for = "chtb_NNN.fid or chtb_NNNN.nw"

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        return tuple(file for file in source.files if _NAME.fullmatch(file.name))

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        check_unique(files)
        return {
            split: tuple(file for file in files if any(_article(file) in numbers for numbers in ranges))
            for split, ranges in _ARTICLES.items()
        }

    def trees(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        text = read_text(file, (UTF8, "gb18030"), _is_likely)
        text = _SGML_LINE.sub("", text)  # blank lines, so that the line numbers stay
        reader = TreeReader([text], skip_bad=bad is not None, source=str(file))
        return read_brackets(reader, file, bad)


def _is_likely(text: str) -> bool:
    """Whether a decoded text is Chinese: a short GB2312 file can happen to be UTF-8, of odd Latin letters."""
    return text.isascii() or _CHINESE.search(text) is not None


def _article(file: Path) -> int:
    match = _NAME.fullmatch(file.name)
    assert match is not None
    return int(match[1])
