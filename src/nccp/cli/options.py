"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def _complete_model(context: click.Context, option: click.Parameter, incomplete: str) -> list[str]:
    from nccp.runtime import list_models

    return [model.name for model in list_models() if model.name.startswith(incomplete)]


model_option: Option = click.option(
    "--model",
    default="en",
    show_default=True,
    metavar="NAME|PATH",
    shell_complete=_complete_model,
    help="Name of a model (nccp models lists them) or its folder.",
)
batch_size_option: Option = click.option(
    "--batch-size", type=click.IntRange(1), metavar="N", help="Sentences per batch."
)
threads_option: Option = click.option(
    "--threads", type=click.IntRange(1), metavar="N", help="Number of threads.  [default: one per core]"
)
json_option: Option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def input_option(help: str) -> Option:
    """In what form sentences come."""
    forms = click.Choice(["text", "lines", "tokens", "brackets"])
    return click.option("--input", "form", type=forms, default="text", show_default=True, help=help)


def prm_option(built_in: Any) -> Option:
    """EVALB's parameters."""
    help = f"EVALB parameter file, or a built-in set: {', '.join(built_in)}."
    return click.option("--prm", default="collins", show_default=True, metavar="FILE|NAME", help=help)


def named_paths(arguments: Iterable[str]) -> dict[str, str]:
    """Paths by name: ``NAME=PATH``, or the path itself as its name."""
    named: dict[str, str] = {}
    for argument in arguments:
        name, mark, path = argument.partition("=")
        if not mark or Path(argument).exists():
            name = path = argument
        if name in named:
            raise click.UsageError(f"two paths are named {name!r}: write NAME=PATH with different names")
        named[name] = path
    return named
