"""Fills pages from the code and from stored results, so that no table is written by hand.

{{ configuration }}    every key of the configuration
{{ model scores }}     the scores that each shipped bundle was measured with, out of its bundle.json
{{ promises NAME }}    the result of a benchmark, stored as docs/results/data/NAME.json
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    for name, make in (("configuration", _configuration), ("model scores", _scores)):
        if f"{{{{ {name} }}}}" in markdown:
            markdown = markdown.replace(f"{{{{ {name} }}}}", make())
    return re.sub(r"{{ promises (\w+) }}", lambda found: _measured(found[1]), markdown)


def _measured(name: str) -> str:
    """The tables of a stored result; the samples and rounds of a long run are left out."""
    path = ROOT / "docs" / "results" / "data" / f"{name}.json"
    if not path.exists():
        return "*Not measured yet.*"
    parts, single = [], {}
    for key, value in json.loads(path.read_text(encoding="utf-8")).items():
        rows = {"": value} if isinstance(value, list) else value
        if key in ("samples", "rounds") or value in (None, "", [], {}):
            continue
        if key == "about":
            parts.append(str(value))
        elif isinstance(value, list) and isinstance(value[0], dict):
            parts.append(_table([{head: row[head] for head in value[0]} for row in value]))
        elif isinstance(rows, dict) and isinstance(next(iter(rows.values())), dict):
            parts.append(f"{_words(key)}:\n\n" + _table([{"": who, **row} for who, row in rows.items()]))
        elif isinstance(value, dict):
            single |= {f"{_words(key)}, {inner}": one for inner, one in value.items()}
        else:
            single[_words(key)] = value
    if single:
        parts.append(_table([{"figure": key, "value": value} for key, value in single.items()]))
    return "\n\n".join(parts)


def _words(key: str) -> str:
    return key.replace("_", " ")


def _table(rows: list[dict[str, Any]]) -> str:
    def cell(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float):
            return f"{value:,.4g}" if isinstance(value, float) and abs(value) < 1000 else f"{value:,.0f}"
        return "" if value is None else _cell(str(value))

    heads = list(dict.fromkeys(head for row in rows for head in row))
    lines = [heads, ["---"] * len(heads), *([cell(row.get(head, "")) for head in heads] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _scores() -> str:
    """A row for each treebank that a shipped model was scored on."""
    lines = [
        "| model | treebank | sentences | dev F1 | test F1 | P | R | tags | complete match | fallbacks |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    paths = [*ROOT.glob("src/nccp/models/*/bundle.json"), *ROOT.glob("models/*/src/*/*/bundle.json")]
    for path in sorted(paths, key=lambda path: path.parent.name):
        bundle = json.loads(path.read_text(encoding="utf-8"))
        results = {(one["treebank"], one["split"]): one for one in bundle["results"]}
        for treebank in dict.fromkeys(name for name, _ in results):
            dev, test = results.get((treebank, "dev")), results.get((treebank, "test"))
            shown = test or dev
            figures = ("precision", "recall", "tag_accuracy", "complete_match")
            cells = [f"`{bundle['name']}`", treebank, f"{shown['sentences']:,}"]
            cells += [f"{one['f1']:.2f}" if one else "" for one in (dev, test)]
            cells += [*(f"{shown[name]:.2f}" for name in figures), str(shown["fallbacks"])]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _configuration() -> str:
    """Every key with its type, default, allowed values and meaning, a table per section."""
    from nccp.config import describe_config

    sections: dict[str, list[str]] = {}
    for key in describe_config():
        section, _, name = key.name.rpartition(".")
        title = f"[{section}]".replace("[]", "") if section else "Top level"
        allowed = f"<br>{_cell(key.allowed)}" if key.allowed else ""
        default = "required" if key.required else f"`{key.default}`"
        row = f"| `{name}` | {_cell(key.type)}{allowed} | {default} | {_cell(key.meaning)} |"
        sections.setdefault(title + (f", kind {key.kind}" if key.kind else ""), []).append(row)
    lines: list[str] = []
    for title, rows in sections.items():
        lines += [f"## {title}", "", "| key | type | default | meaning |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that stands in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
