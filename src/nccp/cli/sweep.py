"""``nccp sweep``: train over a grid, named variants or a search space."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nccp.cli.options import named_paths
from nccp.errors import need

if TYPE_CHECKING:
    from nccp.sweeps.results import Result

_folder = click.Path(file_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Train over a grid, named variants or a search space, and compare."""


@command.command(
    epilog="""\b
Examples:
  nccp sweep run recipes/sweeps/depth.toml
  nccp sweep run recipes/sweeps/ablations.toml train.minutes=2 -o runs/quick
  nccp sweep run recipes/sweeps/left-right.toml --base my.toml --dry-run
"""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("overrides", nargs=-1)
@click.option("-o", "--out", type=_folder, help="Folder of the sweep.  [default: runs/NAME, after FILE]")
@click.option(
    "--base",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Recipe to use instead of the one that FILE names.",
)
@click.option("--retry", is_flag=True, help="Repeat trials that failed before.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Train at most N trials, then stop.")
@click.option("--dry-run", is_flag=True, help="List the trials without training.")
@click.option("-v", "--verbose", is_flag=True, help="Show the progress of each run.")
def run(
    file: Path,
    overrides: tuple[str, ...],
    out: Path | None,
    base: Path | None,
    retry: bool,
    limit: int | None,
    dry_run: bool,
    verbose: bool,
) -> None:
    """Train the trials of the sweep FILE (TOML); OVERRIDES are section.key=value for every trial.

    The same command continues a sweep that was stopped, or that has gained trials. Several processes, also
    on several machines that share the folder, divide the trials among themselves.
    """
    from nccp.sweeps.definition import load_sweep
    from nccp.sweeps.results import format_results

    sweep = load_sweep(file, overrides, base)
    if dry_run:
        click.echo(f"{sweep.trials} trials")
        for point in sweep.points:
            click.echo(f"  {point.name}")
        return
    need("torch", "train", "nccp sweep")
    need("optuna", "train", "nccp sweep")
    from nccp.sweeps.run import run_sweep

    folder = out or Path("runs") / file.stem
    results = run_sweep(sweep, folder, retry=retry, verbose=verbose, limit=limit, tell=_tell)
    click.echo(format_results(results, sweep.trials))


def _tell(result: Result) -> None:
    """A line for a trial that has just ended, above the bar."""
    from tqdm import tqdm

    score = "failed" if result.f1 is None else f"F1 {result.f1:.2f}"
    with tqdm.external_write_mode():
        click.echo(f"{result.name}: {result.error or score}", err=True)


@command.command(
    epilog="""\b
Examples:
  nccp sweep show runs/depth
  nccp sweep show runs/loss-weights --plot figures
  nccp sweep show Penn=runs/cnf-penn Keyaki=runs/cnf-keyaki --plot figures
  nccp sweep show runs/ablations --json | jq -r '.[0].run'
"""
)
@click.argument("folders", nargs=-1, required=True, metavar="[NAME=]FOLDER...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--plot", type=_folder, metavar="DIR", help="Draw into DIR as .pdf, .svg and .png (needs matplotlib)."
)
def show(folders: tuple[str, ...], as_json: bool, plot: Path | None) -> None:
    """Print the finished trials of the sweeps in FOLDERs, the best development F1 first.

    Several sweeps of the same keys, over different treebanks for example, are drawn in one figure with a
    panel each; NAME= sets their names.
    """
    import msgspec

    from nccp.sweeps.results import SweepFolder, format_results

    sweeps = {name: SweepFolder(Path(path)) for name, path in named_paths(folders).items()}
    totals = {name: sweep.total for name, sweep in sweeps.items()}
    found = {name: sweep.read_results() for name, sweep in sweeps.items()}
    if as_json:
        (first, *others) = found.values()
        click.echo(msgspec.json.format(msgspec.json.encode(found if others else first), indent=2).decode())
    else:
        blocks = [format_results(results, totals[name]) for name, results in found.items()]
        named = [f"{name}: {block}" for name, block in zip(found, blocks)] if len(found) > 1 else blocks
        click.echo("\n\n".join(named))
    if plot is not None:
        from nccp.analysis.sweep_figures import draw_sweeps

        for path in draw_sweeps(found, plot):
            click.echo(f"wrote {path}", err=True)
