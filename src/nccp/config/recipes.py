"""Configuration files: TOML with ``extends``, paths relative to the file, overrides ``section.key=value``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from nccp.config.run import Config, check_config
from nccp.errors import ConfigError
from nccp.sections import map_paths

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

Table = dict[str, Any]
"""A table of TOML."""
Overrides = Mapping[str, Any]
"""Keys with their sections (``train.seed``) and values."""


def load_config(
    path: str | Path, overrides: Iterable[str] = (), complete: Callable[[Table], Table] | None = None
) -> Config:
    """Read a configuration file; ``overrides`` are ``section.key=value``, as on a command line.

    Relative paths start from the file that they stand in; those of overrides from the working directory.
    ``complete`` fills in what the file and the overrides leave open.
    """
    tree = _load_tree(Path(path), ())
    given = dict(parse_override(text) for text in overrides)
    given = {key: resolve_value(key, value, Path.cwd()) for key, value in given.items()}
    tree = apply_overrides(tree, given, str(path))
    return check_config(complete(tree) if complete is not None else tree, str(path))


def _load_tree(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """A file on top of the one that it extends."""
    if path.resolve() in seen:
        raise ConfigError(f"{path}: extends itself, through {seen[-1]}")
    tree = read_toml(path)
    base = tree.pop("extends", None)
    tree = _resolve(tree, path.parent)
    if base is None:
        return tree
    if not isinstance(base, str):
        raise ConfigError(f'{path}: extends is {base!r}; expected a file: extends = "base.toml"')
    return merge_tables(_load_tree(path.parent / base, (*seen, path.resolve())), tree)


def read_toml(path: str | Path) -> dict[str, Any]:
    """A TOML file as it is, unchecked."""
    try:
        tree: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        _check_depth(tree)
        return tree
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: tables or lists are nested too deeply") from None


def _check_depth(tree: Any) -> None:
    """Raise RecursionError for values that are nested more deeply than any setting."""
    level = [tree]
    for _ in range(20):
        values = [value.values() if isinstance(value, dict) else value for value in level]
        level = [one for inner in values for one in inner if isinstance(one, dict | list)]
        if not level:
            return
    raise RecursionError


def parse_override(text: str) -> tuple[str, Any]:
    """``train.seed=1`` of a command line. The value is TOML; a bare word is a text."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"{text!r} is not an override; expected section.key=value, e.g. train.seed=1")
    try:
        read = tomllib.loads(f"value = {value}")["value"]
        _check_depth([read])
        return key.strip(), read
    except tomllib.TOMLDecodeError:
        return key.strip(), value
    except RecursionError:
        raise ConfigError(f"{key}: lists or tables are nested too deeply") from None


def apply_overrides(tree: dict[str, Any], overrides: Overrides, source: str) -> dict[str, Any]:
    """A configuration table with other values for some keys."""
    changes: dict[str, Any] = {}
    for key, value in overrides.items():
        _put(changes, key, value, source)
    return merge_tables(tree, changes)


def resolve_value(key: str, value: Any, folder: Path) -> Any:
    """The value of a key, made absolute if it is a path: relative ones start from ``folder``."""
    tree: Any = {}
    _put(tree, key, value, key)
    tree = _resolve(tree, folder)
    for name in key.split("."):
        tree = tree[name]
    return tree


def _put(tree: dict[str, Any], key: str, value: Any, source: str) -> None:
    *sections, last = key.split(".")
    for section in sections:
        tree = tree.setdefault(section, {})
        if not isinstance(tree, dict):
            raise ConfigError(f"{source}: {key}: {section} is not a section")
    tree[last] = value


def _resolve(tree: dict[str, Any], folder: Path) -> dict[str, Any]:
    def resolve(path: str, maybe_a_name: bool) -> str:
        full = folder / Path(path).expanduser()
        is_name = maybe_a_name and not path.startswith((".", "~")) and not full.exists()
        return path if is_name and not Path(path).is_absolute() else os.path.abspath(full)

    resolved: dict[str, Any] = map_paths(tree, Config, resolve)
    return resolved


def merge_tables(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced; another kind of input replaces the input as a whole."""
    merged = dict(base)
    for key, value in top.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict) and not _other_kind(key, below, value):
            value = merge_tables(below, value)
        merged[key] = value
    return merged


def _other_kind(key: str, below: dict[str, Any], value: dict[str, Any]) -> bool:
    return key == "input" and "kind" in value and value["kind"] != below.get("kind")
