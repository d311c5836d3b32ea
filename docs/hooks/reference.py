"""Fills the reference pages from the code: ``{{ configuration }}`` becomes a table of every key."""

from __future__ import annotations

from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    if "{{ configuration }}" in markdown:
        markdown = markdown.replace("{{ configuration }}", _configuration())
    return markdown


def _configuration() -> str:
    """Every key with its type, default, allowed values and meaning, a table per section."""
    from nccp.config import describe_keys

    sections: dict[str, list[str]] = {}
    for key in describe_keys():
        section, _, name = key.name.rpartition(".")
        allowed = f"<br>{key.allowed}" if key.allowed else ""
        row = f"| `{name}` | {_cell(key.type)}{_cell(allowed)} | `{key.default}` | {_cell(key.meaning)} |"
        sections.setdefault(section, []).append(row)
    lines: list[str] = []
    for section, rows in sections.items():
        lines += [f"## [{section}]" if section else "## Top level", ""]
        lines += ["| key | type | default | meaning |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that stands in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
