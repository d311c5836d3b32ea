"""The configuration of a training run: TOML by hand, JSON in run folders and bundles.

Parsing needs only `ModelConfig`. The parts that name treebanks are imported when they are first used, so that
parsing a sentence imports no treebank reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nccp.config.model import Compose, ModelConfig
from nccp.config.train import TrainConfig

if TYPE_CHECKING:
    from nccp.config.data import DataConfig, TreebankConfig
    from nccp.config.recipes import (
        apply_overrides,
        load_config,
        merge_tables,
        parse_override,
        read_toml,
        resolve_value,
    )
    from nccp.config.run import Config, check_config, config_changes, describe_config, portable_config

_LAZY = {
    "DataConfig": "data",
    "TreebankConfig": "data",
    "Config": "run",
    "check_config": "run",
    "config_changes": "run",
    "describe_config": "run",
    "portable_config": "run",
    "apply_overrides": "recipes",
    "load_config": "recipes",
    "merge_tables": "recipes",
    "parse_override": "recipes",
    "read_toml": "recipes",
    "resolve_value": "recipes",
}

__all__ = [
    "Compose",
    "Config",
    "DataConfig",
    "ModelConfig",
    "TrainConfig",
    "TreebankConfig",
    "apply_overrides",
    "check_config",
    "config_changes",
    "describe_config",
    "load_config",
    "merge_tables",
    "parse_override",
    "portable_config",
    "read_toml",
    "resolve_value",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
