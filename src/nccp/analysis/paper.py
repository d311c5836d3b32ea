"""The paper's tables and figures: what each claims, the commands that repeat it, and where results are kept.

The entries are data, in ``paper.toml`` beside this module. Results are small JSON files, so that the page of
the documentation (`nccp.analysis.paper_page`) can be written again at any time::

    docs/paper/
      results/    what commands printed, as JSON
      figures/    drawings, below 200 kB each
      examples/   the trees of the drawings
      verdicts.toml   written by a person: budget, and whether the claim holds
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from nccp.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TREEBANKS = {
    "penn": "ptb-sample/combined",
    "sinica": "sinica",
    "keyaki": "ktb/treebank",
    "craft": "craft",
    "gum": "gum",
    "icon": "icon",
    "greynir": "greynir",
}
"""Where the treebanks are in a folder of treebanks."""
REGISTRY = Path(__file__).with_name("paper.toml")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command of an entry."""

    args: tuple[str, ...]
    """The arguments of ``nccp``, with placeholders in braces."""
    save: str = ""
    """The file of results that takes what the command prints."""
    select: str = ""
    """The part of that JSON to keep."""
    draw: str = ""
    """The figure that takes what the command prints."""

    @property
    def trains(self) -> bool:
        """Whether it trains a model, and so takes long."""
        return self.args[:2] == ("sweep", "run") or self.args[0] == "train"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table or figure of the paper."""

    id: str
    title: str
    claim: str
    cost: str
    """"minutes", or "training"."""
    run: tuple[Step, ...]
    estimate: str = ""
    """Of training: how long all of it takes, for the page to tell while a part has not been run."""
    table: str = ""
    """The function of `nccp.analysis.paper_tables` that reads the results."""
    results: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    """Of sweeps, the variants to show; all if empty."""
    figures: tuple[str, ...] = ()
    paper: dict[str, list[str]] = {}
    """The paper's own numbers: rows under the columns of the table."""


@dataclass(frozen=True)
class PaperFolder:
    """Where results and figures are kept."""

    path: Path

    @property
    def results(self) -> Path:
        return self.path / "results"

    @property
    def figures(self) -> Path:
        return self.path / "figures"

    @property
    def examples(self) -> Path:
        return self.path / "examples"

    @property
    def verdicts(self) -> Path:
        return self.path / "verdicts.toml"


@cache
def read_entries() -> tuple[Entry, ...]:
    """All entries in the order of the paper."""
    return msgspec.convert(read_table(REGISTRY)["entry"], tuple[Entry, ...])


def find_entry(name: str) -> Entry:
    """The entry of this id."""
    for entry in read_entries():
        if entry.id == name:
            return entry
    known = ", ".join(entry.id for entry in read_entries())
    raise InputError(f"the paper has no table or figure {name!r} here; there are {known}")


def read_table(path: Path) -> dict[str, Any]:
    """A TOML file."""
    try:
        tree: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return tree
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: {error}") from None


def command_line(step: Step, places: Mapping[str, str]) -> str:
    """The command as one types it."""
    line = " ".join(["nccp", *(_quote(argument.format_map(places)) for argument in step.args)])
    target = f"{places['results']}/{step.save}" if step.save else ""
    target = target or (f"{places['figures']}/{step.draw}" if step.draw else "")
    if step.select:
        line += f" | jq .{step.select}"
    return f"{line} > {target}" if target else line


def _quote(argument: str) -> str:
    """For a shell; variables such as $T stay as they are."""
    return argument if argument.startswith("$") or "=$" in argument else shlex.quote(argument)


def shown_places(folder: str) -> dict[str, str]:
    """The placeholders as documentation writes them: ``$T`` is the folder of treebanks."""
    return _places(folder, {name: f"$T/{path}" for name, path in TREEBANKS.items()})


def real_places(folder: PaperFolder, treebanks: Path | None, named: Mapping[str, str]) -> dict[str, str]:
    """The placeholders for running: treebanks by name, or in a folder of treebanks."""
    unknown = set(named) - set(TREEBANKS)
    if unknown:
        raise InputError(f"no treebank {sorted(unknown)[0]!r} is used here; there are {', '.join(TREEBANKS)}")
    paths = {name: str(treebanks / path) for name, path in TREEBANKS.items()} if treebanks else {}
    return _places(str(folder.path), {**paths, **named})


def _places(folder: str, treebanks: Mapping[str, str]) -> dict[str, str]:
    own = {name: f"{folder}/{name}" for name in ("results", "figures", "examples")}
    return {**own, **treebanks}


def missing_places(entry: Entry, places: Mapping[str, str]) -> list[str]:
    """The treebanks that an entry needs and that were not given."""
    return [
        name
        for name in TREEBANKS
        if name not in places and any(f"{{{name}}}" in one for step in entry.run for one in step.args)
    ]
