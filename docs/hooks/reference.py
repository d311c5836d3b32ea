"""Fills pages from the code and from stored results, so that no table is written by hand.

{{ configuration }}    every key of the configuration
{{ model scores }}     the scores that each shipped bundle was measured with, out of its bundle.json
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    for name, make in (("configuration", _configuration), ("model scores", _scores)):
        if f"{{{{ {name} }}}}" in markdown:
            markdown = markdown.replace(f"{{{{ {name} }}}}", make())
    return markdown


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
