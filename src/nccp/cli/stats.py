"""``nccp stats``: orientation, compression and complexity of a treebank (paper, sections 3.1 and A.1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from tqdm import tqdm

from nccp.analysis import FactorStatistics, Regression, Statistics, draw_figures, treebank_statistics
from nccp.analysis.statistics import LONG
from nccp.errors import InputError, TreeError, need
from nccp.treebanks import FORMATS, Cleaning, Entry, open_treebank
from nccp.trees import Gaps, Symbols, to_gaps

_EPILOG = """\b
Examples:
  nccp stats wsj
  nccp stats keyaki/treebank --keep-empty --split train
  nccp stats wsj --group --plot figures
  nccp stats wsj --json | jq .factors.left.ratio.all.mean
"""
_LABEL, _COLUMN = 16, 13


@click.command("stats", epilog=_EPILOG)
@click.argument("path")
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), help="Of the treebank; found out if not given."
)
@click.option("--encoding", help="Of brackets that are not in UTF-8.")
@click.option("--split", metavar="NAME", help="Only this split: train, dev, test, ...")
@click.option(
    "--keep-empty/--remove-empty",
    default=False,
    help="Keep traces and other empty elements as words, or remove them (the default).",
)
@click.option(
    "--group", is_flag=True, help="Also multi-branching with flat structure grouped (appendix A.1)."
)
@click.option("--seed", default=0, show_default=True, help="For the coins of midin and midout.")
@click.option("--skip-bad", is_flag=True, help="Leave out trees that cannot be read, and say how many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--plot",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Draw ratios and nodes into DIR as .pdf, .svg and .png (needs matplotlib).",
)
def command(
    path: str,
    form: str | None,
    encoding: str | None,
    split: str | None,
    keep_empty: bool,
    group: bool,
    seed: int,
    skip_bad: bool,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Count orientations, compression ratios and nodes of the treebank at PATH.

    For each binarizing factor and for multi-branching: how many nodes point left and right, how much shorter
    each layer is than the one below (mean ± standard deviation), and how the nodes of a tree grow with its
    words (linear and quadratic regression).
    """
    if plot is not None:
        need("matplotlib", "plots", "nccp stats --plot")  # before the work, not after it
    bank = open_treebank(path, form, encoding=encoding)
    bad: list[InputError] | None = [] if skip_bad else None
    entries = bank.read(split, cleaning=Cleaning(remove_empty=not keep_empty), bad=bad)
    statistics = treebank_statistics(_compact(entries, bad), group=group, seed=seed)
    if bad:
        trees = "tree" if len(bad) == 1 else "trees"
        click.echo(f"nccp: {len(bad):,} bad {trees} left out, the first: {bad[0]}", err=True)
    if not statistics.trees:
        raise InputError(f"{path}: no trees to count")
    if plot is not None:
        for file in draw_figures(statistics, plot):
            click.echo(f"wrote {file}", err=True)
    if as_json:
        about = {"path": path, "split": split, "empty": "kept" if keep_empty else "removed", "seed": seed}
        click.echo(json.dumps({**about, **statistics.to_dict()}, indent=2))
    else:
        of = f"{path}, {split}" if split else path
        empty = "kept" if keep_empty else "removed"
        click.echo(f"{of}: {statistics.trees:,} trees, {statistics.words:,} words, empty elements {empty}\n")
        click.echo(format_table(statistics))


def _compact(entries: Iterable[Entry], bad: list[InputError] | None) -> Iterator[Gaps]:
    """The trees in compact form, under a progress bar; one that has none raises, or goes into ``bad``."""
    symbols = Symbols()
    for entry in tqdm(entries, unit=" trees", disable=None, leave=False):
        try:
            gaps = to_gaps(entry.tree, symbols)
        except TreeError as error:
            located = TreeError(f"{entry.file}:{entry.line}: {error}")
            if bad is None:
                raise located from None
            bad.append(located)
        else:
            yield gaps


def format_table(statistics: Statistics) -> str:
    """The statistics as the paper's tables have them: a column a factor."""

    def row(label: str, cell: Callable[[FactorStatistics], str | None]) -> str:
        cells = (cell(one) or "-" for one in statistics.factors.values())
        return f"  {label:<{_LABEL}}" + "".join(f"{text:>{_COLUMN}}" for text in cells)

    def count(value: int | None) -> str | None:
        return None if value is None else f"{value:,}"

    def share(one: FactorStatistics) -> str | None:
        if one.left is None or one.right is None or not one.left + one.right:
            return None
        return f"{one.right / (one.left + one.right):.1%}"

    def term(degree: int, place: int, digits: int) -> Callable[[FactorStatistics], str | None]:
        return lambda one: _coefficient(one.regression(degree), place, digits)

    def fit(degree: int) -> Callable[[FactorStatistics], str | None]:
        return lambda one: f"{found.r2:.3f}" if (found := one.regression(degree)) else None

    return "\n".join(
        [
            " " * (_LABEL + 2) + "".join(f"{name:>{_COLUMN}}" for name in statistics.factors),
            "orientation",
            row("left", lambda one: count(one.left)),
            row("right", lambda one: count(one.right)),
            row("right, share", share),
            "compression ratio",
            row("all layers", lambda one: str(one.ratio() or "")),
            row(f"longer than {LONG}", lambda one: str(one.ratio(LONG) or "")),
            "nodes of a tree of n words",
            row("in all trees", lambda one: count(one.nodes)),
            row("linear     n", term(1, 0, 2)),
            row("           1", term(1, 1, 2)),
            row("          R²", fit(1)),
            row("quadratic n²", term(2, 0, 4)),
            row("           n", term(2, 1, 2)),
            row("           1", term(2, 2, 2)),
            row("          R²", fit(2)),
        ]
    )


def _coefficient(regression: Regression | None, place: int, digits: int) -> str | None:
    return None if regression is None else f"{regression.coefficients[place]:.{digits}f}"
