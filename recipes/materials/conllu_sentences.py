"""Sentences of CoNLL-U files, as far as the materials need them: words, tags and heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path


@dataclass
class DependencySentence:
    """A sentence with its dependencies."""

    document: int
    """The number of its document in the file, from 0."""
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    """The place of each word's head, from 0; -1 for the root."""

    @property
    def is_plain(self) -> bool:
        """Whether every word is one without spaces, as a line of tokens needs it."""
        return bool(self.words) and not any(" " in word for word in self.words)


def read_conllu(path: Path) -> Iterator[DependencySentence]:
    """All sentences of a file. Ranges (``3-4``) and empty words (``3.1``) are skipped."""
    document, sentence = -1, DependencySentence(0)
    for line in chain(path.open(encoding="utf-8"), ["\n"]):
        columns = line.rstrip("\n").split("\t")
        if line.startswith("# newdoc"):
            document += 1
            sentence.document = document
        elif columns[0].isdigit():
            sentence.words.append(columns[1])
            sentence.tags.append(columns[4])
            sentence.heads.append(int(columns[6]) - 1)
        elif not line.strip() and sentence.words:
            yield sentence
            sentence = DependencySentence(max(document, 0))
