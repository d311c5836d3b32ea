"""The results of a sweep: one record per finished trial, as JSON lines and as tables.

Neither torch nor Optuna is needed to read it.

    SWEEP/
      sweep.json        what is varied: the base configuration and the trials, with the version of nccp
      journal.log       Optuna's journal: which trial is waiting, running, finished
      lock              held briefly while a process takes or ends a trial
      results.jsonl     one line per finished trial, in order
      results.tsv       the same as a table with one column per key, the best first
      trials/NNN/       the run of a trial, as `nccp train` writes it; its `lock` is held while it is trained
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from nccp.errors import InputError
from nccp.files import atomic_write
from nccp.sections import Section


class Result(Section, frozen=True, kw_only=True):
    """A finished trial; one that failed has an error and no scores."""

    trial: int
    name: str
    overrides: dict[str, Any]
    run: str
    """The run's folder, inside the sweep's."""
    f1: float | None = None
    """The best on the development set, and at that evaluation:"""
    tags: float | None = None
    epoch: float | None = None
    minutes: float | None = None
    """Of the whole training."""
    invalid_layers: int | None = None
    parameters: int | None = None
    """Weights that are trained."""
    test: dict[str, float] | None = None
    """Scores of the best weights on the test splits of the treebanks that have one: sentences, f1, precision,
    recall, tags, fallbacks, invalid_layers, sentences_per_second (torch, on the threads of the training)."""
    error: str = ""

    @property
    def failed(self) -> bool:
        return self.f1 is None


@dataclass(frozen=True)
class SweepFolder:
    """The files of a sweep by name."""

    path: Path

    @property
    def sweep(self) -> Path:
        return self.path / "sweep.json"

    @property
    def journal(self) -> Path:
        return self.path / "journal.log"

    @property
    def lock(self) -> Path:
        return self.path / "lock"

    @property
    def jsonl(self) -> Path:
        return self.path / "results.jsonl"

    @property
    def tsv(self) -> Path:
        return self.path / "results.tsv"

    def run(self, name: str) -> Path:
        return self.path / "trials" / name

    def read_sweep(self) -> dict[str, Any]:
        """`sweep.json` as it is: the version, and under "sweep" the base, the points and the search."""
        try:
            tree: dict[str, Any] = json.loads(self.sweep.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{self.sweep}: {error.strerror}: is this the folder of a sweep?") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.sweep}: damaged: {error}; delete it to write it again") from None
        if not isinstance(tree, dict) or not isinstance(tree.get("sweep"), dict):
            raise InputError(f"{self.sweep}: not the definition of a sweep; delete it to write it again")
        return tree

    @property
    def total(self) -> int:
        """How many trials there are, finished or not."""
        sweep = self.read_sweep()["sweep"]
        return int(sweep["search"]["trials"]) if sweep["search"] else len(sweep["points"])

    def write_results(self, results: Iterable[Result]) -> None:
        results = sorted(results, key=lambda result: result.trial)
        with atomic_write(self.jsonl) as file:
            file.writelines(msgspec.json.encode(result).decode() + "\n" for result in results)
        with atomic_write(self.tsv) as file:
            _write_table(file, best_first(results))

    def read_results(self) -> list[Result]:
        """All finished trials, the best first."""
        if not self.jsonl.exists():
            return []
        lines = self.jsonl.read_bytes().splitlines()
        try:
            return best_first(msgspec.json.decode(line, type=Result) for line in lines)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise InputError(f"{self.jsonl}: {error}") from None


def best_first(results: Iterable[Result]) -> list[Result]:
    """Sorted by development F1; ties in order, failed trials last."""
    return sorted(results, key=lambda result: (-_or(result.f1, -math.inf), result.trial))


def varied_keys(results: Iterable[Result]) -> list[str]:
    """All keys that any trial overrides, in the order they are met."""
    return list(dict.fromkeys(key for result in results for key in result.overrides))


def _write_table(file: Any, results: list[Result]) -> None:
    keys = varied_keys(sorted(results, key=lambda result: result.trial))
    table = csv.writer(file, dialect="excel-tab", lineterminator="\n")
    table.writerow(["trial", "name", "f1", "test_f1", "tags", "epoch", "minutes", *keys, "run", "error"])
    for result in results:
        numbers = (result.f1, (result.test or {}).get("f1"), result.tags, result.epoch, result.minutes)
        values = [_cell(result.overrides.get(key, "")) for key in keys]
        error = " ".join(result.error.split())
        table.writerow([result.trial, result.name, *map(_number, numbers), *values, result.run, error])


def format_results(results: list[Result], total: int) -> str:
    """A table for a terminal: the best first, failed trials with their errors below."""
    done = [result for result in results if not result.failed]
    failed = [result for result in results if result.failed]
    heading = f"{len(results)} of {total} trials finished" + (f", {len(failed)} failed" if failed else "")
    lines = [heading]
    if done:
        width = max(len("trial"), *(len(result.name) for result in done))
        lines += ["", f"   F1    tags  minutes  {'trial':<{width}}  run"]
        lines += [
            f"{_or(r.f1):6.2f}  {_or(r.tags):6.2f}  {_or(r.minutes):7.1f}  {r.name:<{width}}  {r.run}"
            for r in done
        ]
    if failed:
        lines += ["", "failed", *(f"  {result.name} ({result.run}): {result.error}" for result in failed)]
    return "\n".join(lines)


def _or(value: float | None, default: float = 0.0) -> float:
    return default if value is None else value


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
