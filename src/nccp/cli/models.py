"""``nccp models``: list the models that are installed, and those that could be."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import json_option

if TYPE_CHECKING:
    from nccp.runtime import Model
    from nccp.runtime.catalogue import Offer

_EPILOG = """\b
Examples:
  nccp models
  nccp models --verify
  nccp models --json | jq -r '.[] | select(.installed) | .name'
"""
_HEAD = ("name", "language", "size", "F1", "tags", "precision", "commercial use", "licence", "where")
_OFFER_HEAD = ("name", "language", "commercial use", "licence", "install in a checkout of nccp with")
_ALLOWED = {True: "yes", False: "no", None: "see licence"}


@click.command("models", epilog=_EPILOG)
@click.option(
    "--verify", is_flag=True, help="Compare the checksums of all files; exit code 1 if any differs."
)
@json_option
def command(verify: bool, as_json: bool) -> None:
    """List the models that can be loaded by name, and the model packages that could be installed.

    Models are looked up in the folders of the environment variable NCCP_MODELS, in
    ~/.local/share/nccp/models, in the nccp package, and in installed model packages (nccp-model-...). F1 and
    tag accuracy are those on the model's development set. With --json, the key "installed" distinguishes the
    models that can be loaded from those that could be installed.
    """
    from nccp.runtime.models import list_models, model_folders, not_installed

    models, offers = list_models(verify=verify), not_installed()
    if as_json:
        click.echo(json.dumps(_values(models, offers), indent=2, ensure_ascii=False))
    else:
        if models:
            click.echo(_table([_HEAD, *map(_row, models)]))
        else:
            folders = "\n".join(f"  {folder}" for folder in model_folders())
            click.echo(f"No model is installed. Folders searched:\n{folders}")
        if offers:
            click.echo(f"\nNot installed:\n{_table([_OFFER_HEAD, *map(_offer_row, offers)])}")
    for model in models:
        if model.error:
            click.echo(f"nccp: {model.error}", err=True)
    if verify and any(model.error for model in models):
        sys.exit(1)


def _values(models: list[Model], offers: list[Offer]) -> list[dict[str, Any]]:
    return [
        *({"installed": True, **model.to_dict()} for model in models),
        *(
            {
                "installed": False,
                "name": offer.name,
                "language": offer.language,
                "licence": offer.licence,
                "commercial_use": offer.commercial_use,
                "package": offer.distribution,
                "install": offer.install,
            }
            for offer in offers
        ),
    ]


def _row(model: Model) -> tuple[str, ...]:
    where = "built in" if model.built_in else model.package or str(model.path)
    if model.error:
        return (model.name, *["-"] * (len(_HEAD) - 3), "damaged", where)
    scores = model.scores or {}
    figures = (f"{scores[key]:.2f}" if key in scores else "-" for key in ("f1", "tag_accuracy"))
    return (
        model.name,
        model.language or "-",
        f"{model.size / 1e6:.1f} MB",
        *figures,
        model.precision,
        _ALLOWED[model.commercial_use],
        model.licence or "not stated",
        where,
    )


def _offer_row(offer: Offer) -> tuple[str, ...]:
    return (offer.name, offer.language, _ALLOWED[offer.commercial_use], offer.licence, offer.install)


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
