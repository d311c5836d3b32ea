"""Configuration keys as text: a list for people, and a commented TOML file."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nccp.sections.describe import to_toml

if TYPE_CHECKING:
    from nccp.sections import Key

_WIDTH = 100


def keys_text(keys: Iterable[Key]) -> str:
    """Every key with its default, what is allowed, and its meaning."""
    lines = []
    for key in keys:
        kind = f'  (kind = "{key.kind}")' if key.kind else ""
        default = f"default {key.default}" if key.default else "required"
        lines.append(f"{key.name}{kind}  [{_what(key)}; {default}]")
        lines += textwrap.wrap(key.meaning, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def commented_toml(keys: Iterable[Key], table: Mapping[str, Any]) -> str:
    """A configuration file with the values of ``table``; all other keys stand in it as comments."""
    kind = str(table.get("input", {}).get("kind", "words"))
    lines = ["# Configuration of nccp train. Commented keys have their default values.", ""]
    section = ""
    chosen = [key for key in keys if key.kind in ("", kind)]
    sections = list(dict.fromkeys(key.name.split(".")[0] for key in chosen))
    chosen.sort(key=lambda key: (sections.index(key.name.split(".")[0]), "[]" in key.name))
    for key in chosen:
        path, _, name = key.name.rpartition(".")
        if path != section:
            section = path
            lines += ["", _header(path)]
        lines += textwrap.wrap(
            f"{key.meaning} [{_what(key)}]", _WIDTH, initial_indent="# ", subsequent_indent="# "
        )
        value = _find(table, key.name)
        if value is not None:
            lines.append(f"{name} = {to_toml(value)}")
        elif key.default and key.default != "unset":
            lines.append(f"#{name} = {key.default}")
        else:
            lines.append(f"#{name} =")
    return "\n".join(lines) + "\n"


def _what(key: Key) -> str:
    return key.allowed or key.type


def _header(path: str) -> str:
    if "[]" not in path:
        return f"[{path}]"
    plain = path.replace("[]", "")
    return f"[[{plain}]]" if path.endswith("[]") else f"[{plain}]"


def _find(table: Any, name: str) -> Any:
    """The value of a key such as ``data.treebanks[].path``, of the first item of a list."""
    for part in name.split("."):
        if not isinstance(table, Mapping):
            return None
        table = table.get(part.removesuffix("[]"))
        if part.endswith("[]"):
            table = table[0] if table else None
    return table
