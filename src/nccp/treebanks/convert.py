"""Writing a treebank as clean trees, one per line, in one file per split."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from nccp.errors import InputError, TreeError
from nccp.files import atomic_write
from nccp.treebanks.cleaning import Cleaning
from nccp.treebanks.treebank import Entry, Treebank
from nccp.trees import Tree, format_tree


def convert_treebank(
    bank: Treebank,
    out: str | Path,
    cleaning: Cleaning = Cleaning(),  # noqa: B008 -- frozen
    *,
    exclude: Collection[str] = (),
    bad: list[InputError] | None = None,
    watch: Callable[[Iterable[Entry]], Iterable[Entry]] = iter,
) -> dict[str, int]:
    """Write ``out/train.mrg``, ``out/dev.mrg`` and so on; return how many trees went into each.

    The same treebank gives the same bytes on every machine. Either all files are written or, after an error,
    none. Brackets in words stay escaped even with plain words, since the files could not be read otherwise.
    ``exclude`` names documents to leave out, as in `Treebank.read`. A tree that cannot be read raises an
    error, or is added to ``bad`` and skipped. ``watch`` wraps the entries, e.g. to show progress.
    """
    out = Path(out)
    targets = {split: out / f"{split}.mrg" for split in bank.splits}
    sources = {file.resolve() for file in bank.files()}
    for target in targets.values():
        if target.resolve() in sources:
            raise InputError(f"{target}: this is a file of the treebank itself; write to another folder")
    is_new = not out.exists()
    counts = dict.fromkeys(bank.splits, 0)
    try:
        with ExitStack() as stack:
            files: dict[str, IO[str]] = {}
            for entry in watch(bank.read(cleaning=cleaning, exclude=exclude, bad=bad)):
                if cleaning.words == "unescape":
                    _guard_brackets(entry.tree)
                try:
                    text = format_tree(entry.tree)
                except TreeError as error:
                    placed = TreeError(f"{entry.file}:{entry.line}: {error}")
                    if bad is None:
                        raise placed from None
                    bad.append(placed)
                    continue
                if entry.split not in files:
                    files[entry.split] = stack.enter_context(atomic_write(targets[entry.split]))
                files[entry.split].write(text + "\n")
                counts[entry.split] += 1
            if not files:
                raise InputError(f"{bank.path}: no tree is left to write")
    except BaseException as error:
        if is_new and out.is_dir() and not os.listdir(out):
            out.rmdir()
        if isinstance(error, OSError):
            raise InputError(f"{error.filename or out}: {error.strerror}") from None
        raise
    return counts


def _guard_brackets(tree: Tree) -> None:
    """Escape the brackets in words, in place."""
    for node in tree.subtrees():
        for i, child in enumerate(node):
            if isinstance(child, str):
                node[i] = child.replace("(", "-LRB-").replace(")", "-RRB-")
