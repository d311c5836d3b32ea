"""``nccp train``: train a model, from a configuration or from a treebank alone."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import json_option
from nccp.errors import need

if TYPE_CHECKING:
    from nccp.config.run import Config

_EPILOG = """\b
Examples:
  nccp train --trees mybank
  nccp train --trees mybank train.start=en train.minutes=30 -o runs/mine
  nccp train --trees mybank --write-config mine.toml
  nccp train mine.toml model.kind=multi train.seed=1 -o runs/multi
  nccp train mine.toml --resume
  nccp train --keys
  torchrun --nproc-per-node 2 -m nccp train mine.toml
"""
_TEMPLATE: dict[str, Any] = {
    "input": {"kind": "words", "words": 100, "ngrams": 150},
    "data": {"treebanks": [{"path": "mybank"}]},
    "train": {"epochs": 20, "schedule": "linear"},
}


@click.command("train", epilog=_EPILOG)
@click.argument("arguments", nargs=-1, metavar="[CONFIG] [SECTION.KEY=VALUE]...")
@click.option(
    "--trees",
    metavar="TREEBANK",
    help="Train on this treebank with settings that suit its size, without CONFIG. If it has no development "
    "split, one is made by document and written into the run's folder.",
)
@click.option("--format", "form", metavar="NAME", help="Format of --trees.  [default: detected]")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the run.  [default: runs/NAME, after the configuration or the treebank]",
)
@click.option("--resume", is_flag=True, help="Continue the run in that folder from its last checkpoint.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; the run's log.txt is still written.")
@click.option(
    "--write-config",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the settings to FILE as commented TOML, with every other key and its default; do not train.",
)
@click.option("--keys", is_flag=True, help="List every key with default, allowed values and meaning.")
@json_option
def command(
    arguments: tuple[str, ...],
    trees: str | None,
    form: str | None,
    out: Path | None,
    resume: bool,
    quiet: bool,
    write_config: Path | None,
    keys: bool,
    as_json: bool,
) -> None:
    """Train a model with the settings of the TOML file CONFIG, or on --trees with settings chosen for it.

    SECTION.KEY=VALUE changes a setting, e.g. train.seed=1; with --trees also how its trees are cleaned, e.g.
    cleaning.add_tags=true for trees without tags. To fine-tune a model, set train.start to its name
    (train.start=en), to the folder of a bundle, or to the folder of a run: keys of [model] and [input] that
    are not set are then those of the start.
    """
    if keys:
        _print_keys(as_json)
        return
    config, overrides = _divide(arguments)
    if write_config is not None and config is None and trees is None:
        from nccp.config import apply_overrides

        _write(write_config, apply_overrides(_TEMPLATE, dict(_parse(overrides)), "nccp train"))
        return
    if (config is None) == (trees is None):
        raise click.UsageError("name either a configuration file or --trees TREEBANK (see --help)")
    need("torch", "train", "nccp train")
    from nccp.training.run_folder import RunFolder
    from nccp.training.trainer import train

    if config is not None:
        settings, folder = _from_file(config, overrides, out, resume)
    else:
        assert trees is not None
        folder = out or Path("runs") / (Path(trees).stem or "run")
        if resume:
            settings = _from_run(RunFolder(folder), overrides)
        else:
            from nccp.training.defaults import plan_training

            plan = plan_training(trees, RunFolder(folder), form=form, overrides=dict(_parse(overrides)))
            if write_config is not None:
                plan.write_split(RunFolder(folder))
                _write(write_config, plan.table)
                return
            if not quiet:
                click.echo(plan.summary, err=True)
            if not RunFolder(folder).last.exists():
                plan.write_split(RunFolder(folder))
            settings = plan.config
    if write_config is not None:
        import msgspec

        _write(write_config, msgspec.to_builtins(settings))
        return
    train(settings, folder, resume=resume, quiet=quiet)
    if not quiet:
        click.echo(f"next: nccp export {folder} {folder / 'bundle'}", err=True)


def _divide(arguments: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """The configuration file, if the first argument is one, and the overrides."""
    if not arguments or "=" in arguments[0]:
        return None, arguments
    path = Path(arguments[0])
    if not path.is_file():
        raise click.UsageError(
            f"{path}: no such configuration file; to train on a treebank use --trees {path}"
        )
    return path, arguments[1:]


def _parse(overrides: tuple[str, ...]) -> list[tuple[str, Any]]:
    from nccp.config import parse_override, resolve_value

    return [(key, resolve_value(key, value, Path.cwd())) for key, value in map(parse_override, overrides)]


def _from_file(
    config: Path, overrides: tuple[str, ...], out: Path | None, resume: bool
) -> tuple[Config, Path]:
    from nccp.config import load_config
    from nccp.training.warm_start import complete_config

    def folder(name: str) -> Path:
        return out or Path("runs") / (name or config.stem)

    def complete(table: dict[str, Any]) -> dict[str, Any]:
        return complete_config(table, folder(table.get("name", "")) if resume else None)

    settings = load_config(config, overrides, complete)
    return settings, folder(settings.name)


def _from_run(folder: Any, overrides: tuple[str, ...]) -> Config:
    """The configuration of a run that was started with --trees, with other values for some keys."""
    import msgspec

    from nccp.config import apply_overrides, check_config
    from nccp.errors import ConfigError
    from nccp.training.defaults import CLEANING

    if fixed := [one for one in overrides if one.startswith(CLEANING)]:
        raise ConfigError(f"{fixed[0]}: the trees of a run stay as they are; leave it out with --resume")
    table = msgspec.to_builtins(folder.read_config())
    return check_config(apply_overrides(table, dict(_parse(overrides)), "nccp train"), str(folder.config))


def _print_keys(as_json: bool) -> None:
    from nccp.cli.config_text import keys_text
    from nccp.config import describe_config

    keys = describe_config()
    if as_json:
        click.echo(json.dumps([asdict(key) for key in keys], indent=1, ensure_ascii=False))
    else:
        click.echo(keys_text(keys))


def _write(path: Path, table: dict[str, Any]) -> None:
    """Write a commented configuration."""
    from nccp.cli.config_text import commented_toml
    from nccp.cli.output_files import writing
    from nccp.config import describe_config
    from nccp.files import atomic_write

    with writing(path), atomic_write(path) as file:
        file.write(commented_toml(describe_config(), table))
