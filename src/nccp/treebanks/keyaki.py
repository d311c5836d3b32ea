"""The Keyaki Treebank of Japanese: ``*.psd``, the format of CorpusSearch.

Each tree has its name in an ID node beside it. Trees whose words are masked (licensed text that has not been
restored) are left out. There is no published split. Ours orders the trees by the SHA-1 of their IDs, which is
as good as a random order, the same on every machine, and stable when trees are added or corrected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from nccp.errors import BracketError, InputError
from nccp.treebanks.treebank import ALL, Entry, Source, Treebank
from nccp.trees import Tree

# Of 37,233 trees, 2,075 are dev and 1,863 test; a Keyaki of another size is split in the same proportions.
_DEV, _TEST, _SIZE = 2075, 1863, 37233

_START = 1 << 16  # bytes in which the first tree ends
_MASKS = frozenset("_＊⛔")  # characters that stand for those of a word that was taken out


class Keyaki(Treebank):
    name = "keyaki"
    looks_for = "*.psd with (ID ...) nodes"
    stars = True
    lemmas = None  # historical corpora of the same format have them

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._held_out: dict[tuple[Path, int, str], str] | None = None

    @classmethod
    def own_files(cls, source: Source) -> tuple[Path, ...]:
        files = tuple(file for file in source.files if file.suffix == ".psd")
        return files if any(map(_has_id, files)) else ()

    def plan(self, source: Source, files: tuple[Path, ...]) -> dict[str, tuple[Path, ...]]:
        return {"train": files, "dev": files, "test": files}

    def trees(self, file: Path, bad: list[InputError] | None) -> Iterator[Entry]:
        """The trees of a file without their ID nodes.

        ::

            ( (IP-MAT (NP-SBJ *pro*) (VB 眠る))         ( (IP-MAT (NP-SBJ *pro*)
              (ID 7_dream;JP))                   ->                (VB 眠る)))      id 7_dream;JP
        """
        for entry in super().trees(file, bad):
            ids = [child for child in entry.tree if isinstance(child, Tree) and child.label() == "ID"]
            if len(ids) != 1 or not ids[0].is_preterminal:
                error = BracketError("a Keyaki tree needs one (ID ...) node", str(file), entry.line)
                if bad is None:
                    raise error
                bad.append(error)
                continue
            name = ids[0][0]
            tree = Tree(entry.tree.label(), [child for child in entry.tree if child is not ids[0]])
            if not _is_masked(tree):
                yield Entry(tree, name, file, entry.line)

    def prepare(self, *, skip_bad: bool) -> None:
        if self._held_out is None and ALL not in self.splits:
            self._held_out = self._draw(skip_bad)

    def split_of(self, entry: Entry) -> str:
        return ALL if self._held_out is None else self._held_out.get(_key(entry), "train")

    def _draw(self, skip_bad: bool) -> dict[tuple[Path, int, str], str]:
        """Choose dev and test: the first trees and the next by the hash of their IDs.

        Trees that share an ID stand in the order of the corpus.
        """
        bad: list[InputError] | None = [] if skip_bad else None  # the reading itself reports them
        keys = [_key(entry) for file in self.files() for entry in self.guarded(file, bad)]
        keys.sort(key=lambda key: hashlib.sha1(key[2].encode()).digest())  # stable
        dev = len(keys) * _DEV // _SIZE
        test = len(keys) * _TEST // _SIZE
        return {key: "dev" if place < dev else "test" for place, key in enumerate(keys[: dev + test])}


def _has_id(file: Path) -> bool:
    """Whether the file starts as one of Keyaki, not as plain brackets that are called .psd, too."""
    try:
        with file.open("rb") as stream:
            return b"(ID " in stream.read(_START)
    except OSError:
        return False


def _key(entry: Entry) -> tuple[Path, int, str]:
    return entry.file, entry.line, entry.id


def _is_masked(tree: Tree) -> bool:
    """Whether the tree holds a masked word, or no word at all but empty elements."""
    words = [leaf for leaf in tree.leaves() if not leaf.startswith("*")]
    return not words or any(_MASKS.issuperset(word) for word in words)
