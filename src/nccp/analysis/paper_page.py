"""The page "The paper, reproduced": every table and figure with its command, our numbers and the paper's.

Nothing is copied by hand: tables come from stored results, and the paper's numbers from the registry. A
person writes the verdicts (``verdicts.toml``): what the budget was, and whether the claim holds::

    [ori]
    holds = "yes"            # yes, partly, no
    text = "Keyaki equals the paper to its printed digits."
    budget = "all trees, seed 0"
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from nccp.analysis.paper import Entry, PaperFolder, command_line, read_entries, read_table, shown_places
from nccp.analysis.paper_tables import SWEEP_TABLES, TABLES, finished_trials, treebank_of, variant_of
from nccp.errors import InputError, need
from nccp.files import atomic_write

_HEAD = """\
# The paper, reproduced

This page has every table and figure of "Neural Combinatory Constituency Parsing" (Chen, Zhang, Imankulova
and Komachi, Findings of ACL 2021) with the command that repeats it, our numbers and the paper's. The full
Penn and Chinese Treebanks are licensed and not used here: the Penn Treebank sample (3,914 trees) and the
Sinica sample (10,000 trees) stand in for them, so scores are not comparable with the paper's; what can be
compared are differences between variants. Keyaki is the paper's own third corpus. Statistics are also given
for four treebanks that the paper does not have: CRAFT and GUM (English), ICON (Indonesian) and GreynirCorpus
(Icelandic). `$T` is the folder of treebanks.

`nccp paper page` writes this page from the stored results in `docs/paper/results`; it is not edited by hand.
`nccp paper list` lists the entries, `nccp paper run ID` runs the commands of one of them again, and
`nccp paper run ID --collect` keeps the results of trainings that have finished. Where something has not been
run, the page says so and estimates its cost. The trainings need word vectors, which the comments of their
recipes (`recipes/penn-sample.toml`, `recipes/sinica-sample.toml`, `recipes/sweeps/ablations.toml`) say how to
make.
"""
_HOLDS = {
    "yes": "The claim holds here.",
    "partly": "The claim holds in part.",
    "no": "The claim does not hold here.",
}


def write_page(folder: PaperFolder, page: Path) -> Path:
    """Write the page for the results in ``folder``; links in it are relative to the page."""
    with atomic_write(page) as file:
        file.write(page_text(folder, page))
    return page


def page_text(folder: PaperFolder, page: Path) -> str:
    """The page in Markdown."""
    return "\n".join(_page(folder, page)).rstrip("\n") + "\n"


def draw_stored_sweeps(folder: PaperFolder) -> list[Path]:
    """Draw the figures of sweeps from their stored results; the paths written."""
    from nccp.analysis.figure_style import STYLE, save_figure
    from nccp.analysis.sweep_figures import sweep_figure
    from nccp.sweeps.results import Result

    matplotlib = need("matplotlib", "plots", "drawing the figures of sweeps")
    written = []
    for entry in read_entries():
        stored = _stored(entry, folder) if entry.table in SWEEP_TABLES else {}
        sweeps: dict[str, list[Result]] = {}
        for file, found in stored.items():
            trials = msgspec.convert(finished_trials(found), list[Result])
            sweeps.setdefault(treebank_of(file), []).extend(trials)
        if any(sweeps.values()):
            with matplotlib.rc_context(STYLE):
                figure = sweep_figure(sweeps)[1]
            written.append(save_figure(figure, folder.figures / entry.figures[0]))
    return written


def _page(folder: PaperFolder, page: Path) -> Iterator[str]:
    verdicts = read_table(folder.verdicts) if folder.verdicts.exists() else {}
    unknown = set(verdicts) - {entry.id for entry in read_entries()}
    if unknown:
        raise InputError(f"{folder.verdicts}: no table or figure is called {', '.join(sorted(unknown))}")
    yield _HEAD
    yield "| table or figure | holds here |\n|---|---|"
    for entry in read_entries():
        state = verdicts.get(entry.id, {}).get("holds") or (
            "not judged" if _stored(entry, folder) else "not run"
        )
        yield f"| [{entry.title}](#{entry.id}) | {state} |"
    for entry in read_entries():
        yield from _section(entry, folder, page, verdicts.get(entry.id, {}))


def _section(entry: Entry, folder: PaperFolder, page: Path, verdict: dict[str, Any]) -> Iterator[str]:
    places = shown_places(_relative(folder.path, page.parent.parent))
    yield f"\n## {entry.title} {{ #{entry.id} }}\n"
    yield f"{entry.claim}\n"
    if verdict.get("text"):
        holds = _HOLDS.get(verdict.get("holds", ""), "")
        yield f"**{holds}** {verdict['text']}\n" if holds else f"{verdict['text']}\n"
    yield "```sh"
    yield from (command_line(step, places) for step in entry.run)
    yield "```\n"
    if verdict.get("budget"):
        yield f"Budget: {verdict['budget']}\n"
    yield from _table(entry, _stored(entry, folder))
    yield from _missing(entry, folder)
    for name in entry.figures:
        path = folder.figures / name
        if path.exists():
            yield f"\n![{name.rpartition('.')[0]}]({_relative(path, page.parent)})"


def _stored(entry: Entry, folder: PaperFolder) -> dict[str, Any]:
    """The results of an entry that are there, by file name."""
    found = {}
    for name in entry.results:
        path = folder.results / name
        if path.exists():
            try:
                found[name] = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise InputError(f"{path}: {error}") from None
            if entry.rows:
                found[name] = [one for one in finished_trials(found[name]) if variant_of(one) in entry.rows]
    return {name: one for name, one in found.items() if one}


def _table(entry: Entry, results: dict[str, Any]) -> Iterator[str]:
    if not entry.table:
        return
    table = TABLES[entry.table](results)
    yield "| | | " + " | ".join(table.head) + " |"
    yield "|---|---|" + "---|" * len(table.head)
    for source, rows in (("nccp", table.rows), ("paper", entry.paper)):
        for name, cells in rows.items():
            filled = [*cells, *[""] * (len(table.head) - len(cells))]
            yield f"| {source} | {_cell(name)} | " + " | ".join(map(_cell, filled)) + " |"


def _missing(entry: Entry, folder: PaperFolder) -> Iterator[str]:
    """What has not been run, and what it would cost: rows of sweeps, treebanks, or drawings."""
    results = _stored(entry, folder)
    drawn = [name for name in entry.figures if (folder.figures / name).exists()]
    if not (results if entry.table else drawn):
        yield "\nNot run yet."
    else:
        trials = results.values() if entry.rows else ()
        trained = {variant_of(trial) for found in trials for trial in finished_trials(found)}
        parts = [name for name in entry.rows if name not in trained]
        there = {treebank_of(file) for file in results}
        for file in entry.results:
            if treebank_of(file) not in there:
                parts.append(treebank_of(file))
            elif file not in results and not entry.rows:
                parts.append(file.removesuffix(".json"))
        parts += [] if entry.table else [name for name in entry.figures if name not in drawn]
        if not parts:
            return
        yield f"\nNot run yet: {'; '.join(parts)}."
    if entry.estimate:
        yield f"Estimated cost of the whole entry: {entry.estimate}."


def _cell(text: str) -> str:
    """Text that Markdown leaves as it is."""
    for mark in "\\*_|#":
        text = text.replace(mark, "\\" + mark)
    return text


def _relative(path: Path, start: Path) -> str:
    try:
        return path.resolve().relative_to(start.resolve()).as_posix()
    except ValueError:
        return path.as_posix()
