"""``nccp models``: list the models at hand."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from nccp.cli.options import json_option

if TYPE_CHECKING:
    from nccp.runtime import Model

_EPILOG = """\b
Examples:
  nccp models
  nccp models --verify
  nccp models --json | jq -r '.[].name'
"""
_HEAD = ("name", "language", "size", "F1", "tags", "precision", "licence", "where")


@click.command("models", epilog=_EPILOG)
@click.option(
    "--verify", is_flag=True, help="Compare the checksums of all files; exit code 1 if any differs."
)
@json_option
def command(verify: bool, as_json: bool) -> None:
    """List the models that can be called by name.

    They are looked for in the folders of the environment variable NCCP_MODELS, in ~/.local/share/nccp/models
    and in the package. F1 and tag accuracy are those on the model's development set.
    """
    from nccp.runtime.models import list_models, model_folders

    models = list_models(verify=verify)
    if as_json:
        click.echo(json.dumps([model.to_dict() for model in models], indent=2, ensure_ascii=False))
    elif models:
        click.echo(_table([_HEAD, *map(_row, models)]))
    else:
        folders = "\n".join(f"  {folder}" for folder in model_folders())
        click.echo(f"no models; looked in\n{folders}")
    for model in models:
        if model.error:
            click.echo(f"nccp: {model.error}", err=True)
    if verify and any(model.error for model in models):
        sys.exit(1)


def _row(model: Model) -> tuple[str, ...]:
    if model.error:
        return (model.name, *["-"] * 5, "damaged", str(model.path))
    scores = model.scores or {}
    figures = (f"{scores[key]:.2f}" if key in scores else "-" for key in ("f1", "tag_accuracy"))
    where = "built in" if model.built_in else str(model.path)
    return (
        model.name,
        model.language or "-",
        f"{model.size / 1e6:.1f} MB",
        *figures,
        model.precision,
        model.licence or "not stated",
        where,
    )


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
