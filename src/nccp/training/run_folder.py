"""The folder of a training run.

RUN/
  config.json          the full configuration and the version of nccp
  symbols.json         labels, tags and learned words
  splits.json          which documents are in which split, if `nccp train --trees` made the split
  log.txt              progress, for people
  history.jsonl        one line per evaluation, for programs
  events/              TensorBoard events
  last.safetensors     the last checkpoint: weights, optimiser and random states
  best.safetensors     the weights with the best development F1
  train.lock           held by the process that trains in the folder
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from nccp import __version__
from nccp.config import Config, check_config
from nccp.disk import append, explain_disk_errors
from nccp.errors import DiskError, InputError, TrainingError
from nccp.files import FileLock, atomic_write, drop_partial_line
from nccp.trees import Symbols

_FIGURES = ("epoch", "minutes", "f1", "words_per_second")
_COPY = "copy the run again from where it was made, or train again"


@dataclass(frozen=True)
class RunFolder:
    """The files of a run by name."""

    path: Path

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def symbols(self) -> Path:
        return self.path / "symbols.json"

    @property
    def splits(self) -> Path:
        return self.path / "splits.json"

    @property
    def log(self) -> Path:
        return self.path / "log.txt"

    @property
    def history(self) -> Path:
        return self.path / "history.jsonl"

    @property
    def events(self) -> Path:
        return self.path / "events"

    @property
    def last(self) -> Path:
        return self.path / "last.safetensors"

    @property
    def best(self) -> Path:
        return self.path / "best.safetensors"

    @property
    def lock(self) -> Path:
        return self.path / "train.lock"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the folder. It is released when the process ends, however it ends."""
        lock = FileLock(self.lock)
        if not lock.try_acquire():
            raise TrainingError(
                f"{self.path}: another process is training in this folder; wait for it, stop it, or choose "
                "another folder with -o"
            )
        try:
            yield
        finally:
            if list(self.path.iterdir()) == [self.lock]:  # training never began: leave nothing behind
                self.lock.unlink()
                self.path.rmdir()
            lock.release()

    @contextmanager
    def explained_errors(self) -> Iterator[None]:
        """Errors of the operating system as a `DiskError`, with what to do about the run."""
        begun = self.last.exists()
        try:
            with explain_disk_errors(self.path):
                yield
        except DiskError as error:
            if begun or not self.last.exists():
                raise
            what_to_do = "once this is solved, continue the run with --resume"
            raise DiskError(error.path, error.reason, what_to_do) from None

    def write_config(self, config: Config) -> None:
        """Write the configuration with all defaults filled in."""
        tree = {"version": __version__, "config": msgspec.to_builtins(config)}
        with atomic_write(self.config) as file:
            json.dump(tree, file, indent=2)

    def read_config(self) -> Config:
        tree = _read_json(self.config)
        if not isinstance(tree, dict) or "config" not in tree:
            raise InputError(f"{self.config}: not the configuration of a training run")
        return check_config(tree["config"], str(self.config))

    def write_symbols(self, symbols: Symbols, words: list[str]) -> None:
        tree: dict[str, Any] = {"labels": symbols.labels.names, "tags": symbols.tags.names, "words": words}
        tree["sha256"] = _checksum(tree)
        with atomic_write(self.symbols) as file:
            json.dump(tree, file, ensure_ascii=False)

    def read_symbols(self) -> tuple[Symbols, list[str]]:
        """The symbols, frozen, and the words that have a learned vector."""
        tree = _read_json(self.symbols)
        try:
            if tree.get("sha256", "") not in ("", _checksum(tree)):
                raise InputError(f"{self.symbols}: damaged: its checksum differs; {_COPY}")
            return Symbols(tree["labels"], tree["tags"], frozen=True), tree["words"]
        except (KeyError, TypeError, AttributeError, ValueError):
            raise InputError(f"{self.symbols}: not the symbols of a training run; {_COPY}") from None

    def add_history(self, record: dict[str, Any]) -> None:
        """Append one line, in place of a last line that a crash cut short."""
        drop_partial_line(self.history)
        append(self.history, f"{json.dumps(record)}\n".encode())

    def read_history(self) -> list[dict[str, Any]]:
        """The evaluations by step. If a resumed run repeated one, the later record counts.

        A last line that was cut short (full disk, kill -9) is ignored; a damaged line elsewhere is an error.
        """
        if not self.history.exists():
            return []
        *lines, _partial = self.history.read_text(encoding="utf-8", errors="replace").split("\n")
        records = {}
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                records[record["step"]] = record
                if not all(isinstance(record[key], int | float) for key in _FIGURES):
                    raise TypeError
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError(
                    f"{self.history}:{number}: damaged line; delete this line to continue without it"
                ) from None
        return [records[step] for step in sorted(records)]

    def summary(self) -> dict[str, Any]:
        """The length of the run and its best evaluation; empty without a history."""
        rows = self.read_history()
        if not rows:
            return {}
        best = max(rows, key=lambda row: row["f1"])
        return {
            "epochs": round(rows[-1]["epoch"], 2),
            "minutes": round(rows[-1]["minutes"], 1),
            "best_epoch": round(best["epoch"], 2),
            "words_per_second": round(sum(row["words_per_second"] for row in rows) / len(rows)),
        }


def _checksum(symbols: dict[str, Any]) -> str:
    parts = [list(symbols[key]) for key in ("labels", "tags", "words")]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; is this the folder of a training run?") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: damaged: {error}; {_COPY}") from None
