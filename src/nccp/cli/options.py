"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Option = Callable[[Callable[..., Any]], Callable[..., Any]]


batch_size_option: Option = click.option(
    "--batch-size", type=click.IntRange(1), metavar="N", help="Sentences at a time."
)
threads_option: Option = click.option(
    "--threads", type=click.IntRange(1), metavar="N", help="[default: one a core]"
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
