"""nccp train"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from nccp.config import load_config
from nccp.errors import need


@click.command()
@click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("overrides", nargs=-1)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The run's folder [runs/NAME of the configuration]."
)
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in that folder.")
@click.option("-q", "--quiet", is_flag=True, help="No bar and no lines on the terminal; the log is written.")
def command(config: Path, overrides: tuple[str, ...], out: Path | None, resume: bool, quiet: bool) -> None:
    """Train a model as CONFIG (TOML) says; OVERRIDES are section.key=value.

    \b
    nccp train recipes/gum.toml
    nccp train recipes/gum.toml model.kind=multi train.seed=1 -o runs/gum-multi
    nccp train recipes/gum.toml --resume
    torchrun --nproc-per-node 2 -m nccp train recipes/gum.toml
    """
    need("torch", "train", "nccp train")
    from nccp.training.trainer import train
    from nccp.training.warm_start import complete_config

    def complete(tree: dict[str, Any]) -> dict[str, Any]:
        return complete_config(tree, folder(tree) if resume else None)

    def folder(tree: dict[str, Any]) -> Path:
        return out or Path("runs") / (tree.get("name") or config.stem)

    settings = load_config(config, overrides, complete)
    train(settings, folder({"name": settings.name}), resume=resume, quiet=quiet)
