"""GUM, the Georgetown University Multilayer corpus of English: ``const/*.ptb`` and ``splits.md``.

Besides train, dev and test there is test2, out-of-domain documents from the GENTLE corpus.

The trees are a parser's, over gold tags; repaired (``nccp.treebanks.repairs``) unless asked otherwise.
The annotation is CC BY 4.0; the texts have licences of their own, by genre, some of them non-commercial.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nccp.errors import InputError
from nccp.treebanks.text_files import read_text
from nccp.treebanks.treebank import Entry, Source, Treebank, by_document

_HEADING = re.compile(r"##\s+(\S+)")
_ITEM = re.compile(r"\s*\*\s+(\S+)")


LICENCES = {
    "academic": "CC BY 4.0",
    "bio": "CC BY-SA 3.0",
    "court": "CC BY 4.0",
    "essay": "CC BY-NC-SA 4.0",
    "fiction": "CC BY-NC-SA 3.0",
    "interview": "CC BY 2.5",
    "letter": "CC BY-NC-SA 4.0",
    "news": "CC BY 2.5",
    "podcast": "CC BY-NC-SA 4.0",
    "reddit": "Reddit user agreement, non-commercial",
    "voyage": "CC BY-SA 3.0",
    "whow": "CC BY-NC-SA 3.0",
}
"""The licence of each genre's texts, as in GUM's LICENSE.txt. That file does not name the licences of
conversation, speech, textbook and vlog, nor those of test2 (GENTLE)."""


class Gum(Treebank):
    """A file for each document, listed under a heading for each split."""

    name = "gum"
    looks_for = "*.ptb with splits.md"
    repairs = True

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        if _lists(source) is None:
            return ()
        return tuple(file for file in source.files if file.suffix == ".ptb")

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        lists = _lists(source)
        assert lists is not None
        plan, self.missing = by_document(parse_splits(read_text(lists)), files)
        return plan

    def is_non_commercial(self, file: Path) -> bool:
        licence = LICENCES.get(genre(file.stem), "")
        return "NC" in licence or "non-commercial" in licence

    def trees(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        """The trees of a document, but for those (reddit's) whose words have been replaced by ``_``."""
        for entry in super().trees(file, bad):
            if "".join(entry.tree.leaves()).strip("_"):
                yield entry


def genre(document: str) -> str:
    """``fiction`` for ``GUM_fiction_beast``."""
    parts = document.split("_")
    return parts[1] if len(parts) > 2 else ""


def parse_splits(text: str) -> dict[str, list[str]]:
    """The documents under each heading of ``splits.md``, train first.

    ::

        ## dev
          * GUM_academic_exposure        ->    {"train": [...], "dev": ["GUM_academic_exposure"], ...}
    """
    splits: dict[str, list[str]] = {"train": []}
    documents: list[str] = []
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            documents = splits.setdefault(heading[1], [])
        elif item := _ITEM.match(line):
            documents.append(item[1])
    return splits


def _lists(source: Source) -> Path | None:
    return next((file for file in source.files if file.name == "splits.md"), None)
