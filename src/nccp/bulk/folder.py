"""The output folder of a run.

    OUT/
      part-000000.parquet ...  the shards; each appears under its name when it is complete
      _manifest.json           what they hold; written last: a folder that has it is complete
      _plan.json               which sentences go into which shard
      _done/000000.json ...    records of finished shards, until the manifest has them
      _lock                    held by the run that is at work

Readers of Parquet folders leave out names that start with an underscore.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from nccp.bulk.writing import File
from nccp.errors import InputError
from nccp.files import FileLock, atomic_write

ATTEMPTS = 3
"""How many workers may die over one shard before the run stops."""

_TEMPORARY = (".part-", "._plan.json.", "._manifest.json.")


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A shard that is finished."""

    number: int
    files: tuple[File, ...]
    sentences: int
    words: int
    fallbacks: int
    """Sentences whose tree is a fallback: the model found no complete tree, or the sentence was too long."""


@dataclass(frozen=True)
class RunFolder:
    """The files of a run by name."""

    root: Path

    @property
    def plan(self) -> Path:
        return self.root / "_plan.json"

    @property
    def manifest(self) -> Path:
        return self.root / "_manifest.json"

    def record(self, number: int) -> Path:
        return self.root / "_done" / f"{number:06}.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder's lock; an error if another run has it, or if the folder is someone else's."""
        ours = ("_lock", "_plan.json", "._plan.json.")
        if self.root.exists() and not self.plan.exists():
            others = sorted(path.name for path in self.root.iterdir() if not path.name.startswith(ours))
            if others:
                raise InputError(
                    f"{self.root} holds other files ({others[0]}) and no run of nccp bulk: use another folder"
                )
        lock = FileLock(self.root / "_lock")
        if not lock.try_acquire():
            raise InputError(f"another run is at work in {self.root}: wait for it, or use another folder")
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def attempt(self, number: int, run: str) -> Iterator[None]:
        """Note that a worker begins with a shard: too many that die over it in one run are an error.

        An engine that repeats what was lost without counting, as Ray does, would go on for ever.
        """
        path = self.root / "_done" / f".{number:06}.{run}"
        path.parent.mkdir(exist_ok=True)
        try:
            with open(path, "ab") as file:
                file.write(b".")
                tries = file.tell()
            if tries > ATTEMPTS:
                raise InputError(
                    f"{ATTEMPTS} workers died over shard {number}; if memory is short, use fewer --workers"
                )
            yield
        finally:
            path.unlink(missing_ok=True)

    @contextmanager
    def cleaned(self) -> Iterator[None]:
        """Remove temporary files that killed runs and workers have left behind, before and after."""
        self._remove_temporary()
        try:
            yield
        finally:
            self._remove_temporary()

    def _remove_temporary(self) -> None:
        for path in (*self.root.glob(".*"), *(self.root / "_done").glob(".*")):
            if path.parent != self.root or path.name.startswith(_TEMPORARY):
                path.unlink(missing_ok=True)

    def remove_records(self) -> None:
        """Once the manifest is written, it has all of them."""
        shutil.rmtree(self.root / "_done", ignore_errors=True)

    def write_record(self, record: Record) -> None:
        """Note that a shard is finished."""
        with atomic_write(self.record(record.number), binary=True) as file:
            file.write(msgspec.json.encode(record) + b"\n")

    def read_record(self, number: int) -> Record | None:
        """The record of a finished shard whose files are all there; None for one that is yet to be made."""
        try:
            record = msgspec.json.decode(self.record(number).read_bytes(), type=Record)
            whole = all((self.root / file.name).stat().st_size == file.size for file in record.files)
        except (OSError, msgspec.MsgspecError):
            return None
        return record if whole else None
