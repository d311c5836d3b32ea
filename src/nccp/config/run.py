"""The whole configuration of a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from nccp.config.data import DataConfig
from nccp.config.model import ModelConfig
from nccp.config.train import TrainConfig
from nccp.inputs import InputConfig
from nccp.sections import Key, Section, check_section, describe_keys, map_paths


class Config(Section, frozen=True, kw_only=True):
    """A whole run."""

    name: str = ""
    """Name of the model; empty for the name of the configuration file."""
    language: str = "en"
    """Language of the model (ISO 639): which tokeniser splits raw text for it."""
    model: ModelConfig = ModelConfig()
    input: InputConfig
    data: DataConfig = DataConfig()
    train: TrainConfig = TrainConfig()

    def __post_init__(self) -> None:
        if self.data.explore and self.model.format != "stratified":
            raise ValueError('data.explore needs model.format = "stratified"')


def check_config(tree: dict[str, Any], source: str) -> Config:
    """The configuration that a table describes; an error begins with ``source`` and names the key."""
    return check_section(tree, Config, source)


def describe_config() -> list[Key]:
    """Every key of a configuration: its type, range, default and meaning."""
    return describe_keys(Config)


def config_changes(old: Config, new: Config) -> Iterator[tuple[str, Any, Any]]:
    """The keys of all sections whose values differ, with both values."""
    before, after = msgspec.to_builtins(old), msgspec.to_builtins(new)
    for section in ("model", "input", "data", "train"):
        for key in before[section] | after[section]:
            was, now = (tree[section].get(key) for tree in (before, after))
            if was != now:
                yield f"{section}.{key}", was, now


def portable_config(config: Config) -> dict[str, Any]:
    """The configuration as a table for others to read: paths without the folders of this machine."""

    def shorten(path: str, maybe_a_name: bool) -> str:
        return Path(path).name if Path(path).is_absolute() else path

    tree: dict[str, Any] = map_paths(msgspec.to_builtins(config), Config, shorten)
    return tree
