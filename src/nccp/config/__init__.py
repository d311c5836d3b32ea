"""The configuration of a training run: TOML by hand, JSON in run folders and bundles.

Parsing needs only `ModelConfig`. The parts that name treebanks are imported when they are first used, so that
parsing a sentence imports no treebank reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nccp.config.model import Compose, ModelConfig
from nccp.config.train import TrainConfig
from nccp.lazy import import_later

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

__getattr__ = import_later(
    __name__,
    {
        "DataConfig": "nccp.config.data",
        "TreebankConfig": "nccp.config.data",
        "Config": "nccp.config.run",
        "check_config": "nccp.config.run",
        "config_changes": "nccp.config.run",
        "describe_config": "nccp.config.run",
        "portable_config": "nccp.config.run",
        "apply_overrides": "nccp.config.recipes",
        "load_config": "nccp.config.recipes",
        "merge_tables": "nccp.config.recipes",
        "parse_override": "nccp.config.recipes",
        "read_toml": "nccp.config.recipes",
        "resolve_value": "nccp.config.recipes",
    },
)
