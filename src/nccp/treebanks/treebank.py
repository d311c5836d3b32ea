"""What all treebanks have in common: files, splits, and trees with their positions."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import ClassVar

import msgspec

from nccp.errors import BracketError, InputError, NccpWarning
from nccp.treebanks.cleaning import Cleaning, clean
from nccp.treebanks.lemmas import EXAMPLES, Form, recognise
from nccp.trees import Tree, TreeReader

ALL = "all"
"""The only split of a treebank without splits."""
NON_COMMERCIAL = "non-commercial"
"""Stands, among the documents to exclude, for those whose licence forbids commercial use."""


_LOOK = 200  # trees to look at for the form of leaves


@dataclass(frozen=True)
class Source:
    """What the user named: a folder, a file or a glob, and the files in it, sorted by name."""

    path: str
    files: tuple[Path, ...]
    is_folder: bool
    encoding: str | None = None


@dataclass(frozen=True)
class Entry:
    """A tree of a treebank and its position."""

    tree: Tree
    id: str
    file: Path
    line: int
    split: str = ALL


class Treebank:
    """A treebank in some format. A subclass defines its files, its splits and how trees are read.

    ::

        bank = open_treebank("wsj")
        bank.splits                        # ("train", "dev", "test")
        for entry in bank.read("dev"):     # Entry(tree, id, file, line, split), cleaned
            ...
    """

    name: ClassVar[str]
    """The format's name."""
    looks_for: ClassVar[str]
    """What in a folder makes it a treebank of this format, in words."""
    stars: ClassVar[bool] = False
    """Whether words that start with ``*`` are empty elements."""
    repairs: ClassVar[bool] = False
    """Whether the trees are a parser's, and repaired unless asked otherwise."""
    lemmas: ClassVar[Form | None] = "keep"
    """How leaves carry lemmas; None: to be found out."""

    splits_files: ClassVar[bool] = False
    """Files and globs have splits too; in the other formats only a folder has."""

    def __init__(self, source: Source) -> None:
        self.path = source.path
        self.encoding = source.encoding or "utf-8"
        self.missing: tuple[str, ...] = ()
        """Documents that are listed in the splits but missing."""
        own = self.own_files(source)
        plan = self.plan(source, own) if source.is_folder or self.splits_files else {ALL: own}
        self._plan = {split: files for split, files in plan.items() if files}
        self._split_of = {file: split for split, files in self._plan.items() for file in files}
        self.unused = tuple(file for file in own if file not in self._split_of)
        """Files that belong to no split."""
        if not self._plan:
            raise InputError(f"{source.path}: no {self.name} treebank: looked for {self.looks_for}")

    # ---- what a format says about itself --------------------------------------------------------------

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        """The files of the source in this format; empty if the source has another format."""
        raise NotImplementedError

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        """The files of each split of a folder."""
        return {ALL: files}

    def trees(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        """The trees of one file, not cleaned. Bad ones raise an error, or are collected in ``bad``."""
        return read_brackets(TreeReader(file, encoding=self.encoding, skip_bad=bad is not None), file, bad)

    def is_non_commercial(self, file: Path) -> bool:
        """Whether the licence of this document is known to forbid commercial use."""
        return False

    def prepare(self, *, skip_bad: bool) -> None:
        """Do what is needed before `split_of` can be called, if anything."""

    def split_of(self, entry: Entry) -> str:
        """The split that a tree belongs to."""
        return self._split_of[entry.file]

    # ---- what users call ------------------------------------------------------------------------------

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits, train first."""
        return tuple(self._plan)

    def files(self, split: str | None = None) -> tuple[Path, ...]:
        """The files that hold trees of a split, or of any."""
        if split is None:
            return tuple(self._split_of)
        self._check(split)
        return self._plan[split]

    def settle(self, cleaning: Cleaning) -> Cleaning:
        """The cleaning with the defaults of this format filled in.

        In trees without tags, ``(NP the owl)``, a second word is no lemma.
        """
        lemmas = cleaning.lemmas or ("keep" if cleaning.add_tags else self._lemma_form)
        return msgspec.structs.replace(
            cleaning,
            lemmas=lemmas,
            stars=self.stars if cleaning.stars is None else cleaning.stars,
            repairs=self.repairs if cleaning.repairs is None else cleaning.repairs,
        )

    def read(
        self,
        split: str | None = None,
        *,
        cleaning: Cleaning = Cleaning(),  # noqa: B008 -- frozen
        exclude: Collection[str] = (),
        bad: list[InputError] | None = None,
    ) -> Iterator[Entry]:
        """The trees of a split (None: of all splits, file by file), cleaned.

        ``exclude`` names documents to leave out: the names of files without their endings, with ``*`` and
        ``?`` as wildcards (``GUM_fiction_*``), or "non-commercial".

        A tree that cannot be read raises an error; with a list as ``bad``, the error is added to it and
        reading continues. Trees without words after cleaning are left out.
        """
        if split is not None:
            self._check(split)
        return self._read(split, self.settle(cleaning), self.excluded(exclude), bad)

    def excluded(self, exclude: Collection[str]) -> frozenset[Path]:
        """The files that ``exclude`` names; a name that fits none is an error."""
        files: set[Path] = set()
        for pattern in exclude:
            if pattern == NON_COMMERCIAL:
                found = {file for file in self.files() if self.is_non_commercial(file)}
            else:
                found = {file for file in self.files() if fnmatchcase(file.stem, pattern)}
            if not found and pattern != NON_COMMERCIAL:
                raise InputError(f"{self.path}: no document here is called {pattern!r}, so none is excluded")
            files |= found
        return frozenset(files)

    @cached_property
    def _lemma_form(self) -> Form:
        """How leaves carry lemmas: by the format, or as the first trees show, with a warning."""
        if self.lemmas is not None:
            return self.lemmas
        bad: list[InputError] = []  # reading reports them
        entries = (entry for file in self.files() for entry in self.guarded(file, bad))
        form = recognise(entry.tree for entry in islice(entries, _LOOK))
        if form != "keep":
            warnings.warn(
                f"{self.path}: most leaves carry a lemma, {EXAMPLES[form]}; lemmas are dropped. To read them"
                " as words, set cleaning.lemmas (--lemmas) to keep",
                NccpWarning,
                stacklevel=2,
            )
        return form

    # ---- behind them ----------------------------------------------------------------------------------

    def _read(
        self,
        split: str | None,
        cleaning: Cleaning,
        excluded: frozenset[Path],
        bad: list[InputError] | None,
    ) -> Iterator[Entry]:
        self.prepare(skip_bad=bad is not None)
        for file in self.files(split):
            if file in excluded:
                continue
            for entry in self.guarded(file, bad):
                home = self.split_of(entry)
                if split is not None and home != split:
                    continue
                tree = clean(entry.tree, cleaning)
                if tree is not None:
                    yield Entry(tree, entry.id, entry.file, entry.line, home)

    def guarded(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        """As :meth:`trees`; a file that cannot be read, or has no tree, is one of the bad ones."""
        try:
            yield from self.trees(file, bad)
        except InputError as error:
            if bad is None:
                raise
            bad.append(error)

    def _check(self, split: str) -> None:
        if split not in self._plan:
            raise InputError(f"{self.path}: no split {split!r} here, only {', '.join(self.splits)}")


def read_brackets(reader: TreeReader, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
    """The trees of a bracket reader as entries, called ``wsj_0001#1``, ``wsj_0001#2``, ...

    A file without any tree is an error in itself.
    """
    number = 0
    try:
        for number, tree in enumerate(reader, 1):
            yield Entry(tree, f"{file.stem}#{number}", file, reader.line)
    finally:
        if bad is not None:
            bad.extend(reader.errors)
    if not number and not reader.errors:
        raise BracketError("no tree in this file", str(file))


def check_unique(files: tuple[Path, ...]) -> None:
    """Refuse a folder that has the same part of a treebank twice, for example in two encodings."""
    named: dict[str, Path] = {}
    for file in files:
        if (twin := named.setdefault(file.stem.lower(), file)) is not file:
            raise InputError(f"{file}: is here twice, also as {twin}; give the folder of one of them")


def by_document(
    documents: dict[str, list[str]], files: tuple[Path, ...]
) -> tuple[dict[str, tuple[Path, ...]], tuple[str, ...]]:
    """The files of each split, found by document name, and the documents that have no file."""
    named = {file.stem: file for file in files}
    plan = {
        split: tuple(sorted(named[name] for name in names if name in named))
        for split, names in documents.items()
    }
    missing = tuple(name for names in documents.values() for name in names if name not in named)
    return plan, missing
