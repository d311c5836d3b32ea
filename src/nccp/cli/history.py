"""``nccp history``: scores and invalid layers of training runs by epoch."""

from __future__ import annotations

import json
from pathlib import Path

import click

from nccp.cli.options import json_option, named_paths

_EPILOG = """\b
Examples:
  nccp history runs/mine
  nccp history B=runs/penn-b M=runs/penn-m --plot history.svg
  nccp history runs/mine --json | jq '.runs[].late.invalid_layers'
"""


@click.command("history", epilog=_EPILOG)
@click.argument("runs", nargs=-1, required=True, metavar="[NAME=]RUN...")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw F1 and invalid layers by epoch as .pdf, .svg or .png (needs matplotlib).",
)
@json_option
def command(runs: tuple[str, ...], plot: Path | None, as_json: bool) -> None:
    """Show the evaluations of the training runs in the folders RUN: losses, scores and invalid layers.

    An invalid layer is one whose scores alone would break the tree's frame or combine nothing. The paper
    finds such layers early in training and very few in "the late 90 %". Train with
    train.evaluate_every=0.25, for example, to see the first epoch in detail.
    """
    from nccp.analysis.figure_style import figure_format
    from nccp.analysis.training_history import draw_histories, format_history, summarise
    from nccp.cli.output_files import writing
    from nccp.errors import InputError, need
    from nccp.training.run_folder import RunFolder

    if plot is not None:
        figure_format(plot)
        need("matplotlib", "plots", "nccp history --plot")  # before the work, not after it
    found = {name: RunFolder(Path(path)).read_history() for name, path in named_paths(runs).items()}
    for name, path in named_paths(runs).items():
        if not found[name]:
            raise InputError(f"{path}: no evaluation here; is this the folder of a training run?")
    if plot is not None:
        with writing(plot):
            draw_histories(found, plot)
    if as_json:
        made = {name: {**summarise(one), "evaluations": one} for name, one in found.items()}
        click.echo(json.dumps({"runs": made}, indent=1))
        return
    blocks = [format_history(one) for one in found.values()]
    click.echo("\n\n".join(f"{name}\n{block}" for name, block in zip(found, blocks)))
