"""``nccp stats``: orientation, compression and complexity of treebanks (paper, sections 3.1 and A.1)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from tqdm import tqdm

from nccp.analysis import Statistics, draw_figures, treebank_statistics
from nccp.cli.options import json_option, named_paths
from nccp.errors import InputError, TreeError, need
from nccp.treebanks import FORMATS, Cleaning, Entry, open_treebank
from nccp.trees import Gaps, Symbols, to_gaps

_EPILOG = """\b
Examples:
  nccp stats wsj
  nccp stats keyaki/treebank --keep-empty --split train
  nccp stats wsj --group --plot figures
  nccp stats Penn=wsj Keyaki=keyaki/treebank --group --keep-empty-of Keyaki --plot figures
  nccp stats wsj --json | jq .factors.left.ratio.all.mean
"""


@click.command("stats", epilog=_EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="[NAME=]PATH...")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    help="Format of the treebanks.  [default: detect]",
)
@click.option("--encoding", help="Encoding of bracket files that are not in UTF-8.")
@click.option("--split", metavar="NAME", help="Only this split: train, dev, test, ...")
@click.option(
    "--keep-empty/--remove-empty",
    default=False,
    help="Keep traces and other empty elements as words, or remove them (the default).",
)
@click.option(
    "--keep-empty-of",
    multiple=True,
    metavar="NAME",
    help="Keep the empty elements of this treebank only. May be repeated.",
)
@click.option(
    "--group",
    is_flag=True,
    help="Count again with flat structure grouped before binarizing (appendix A.1).",
)
@click.option("--seed", default=0, show_default=True, help="Seed for the random choices of midin and midout.")
@click.option("--skip-bad", is_flag=True, help="Leave out trees that cannot be read, and say how many.")
@json_option
@click.option(
    "--plot",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Draw ratios and nodes into DIR as .pdf, .svg and .png (needs matplotlib).",
)
def command(
    paths: tuple[str, ...],
    form: str | None,
    encoding: str | None,
    split: str | None,
    keep_empty: bool,
    keep_empty_of: tuple[str, ...],
    group: bool,
    seed: int,
    skip_bad: bool,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Count orientations, compression ratios and nodes of the treebanks at PATHs.

    For each binarizing factor and for multi-branching: how many nodes point left and right (in the
    triangular format, which the paper's table counts, and in the stratified one), how much shorter each layer
    is than the one below (mean ± standard deviation), and how the nodes of a tree grow with its words
    (linear and quadratic regression). Several treebanks are shown in one table and one figure; NAME= sets
    their names.
    """
    if plot is not None:
        need("matplotlib", "plots", "nccp stats --plot")  # before the work, not after it
    named = named_paths(paths)
    unknown = set(keep_empty_of) - set(named)
    if unknown:
        raise click.UsageError(f"--keep-empty-of: no treebank is named {', '.join(sorted(unknown))}")
    found: dict[str, Statistics] = {}
    about: dict[str, dict[str, object]] = {}
    for name, path in named.items():
        kept = keep_empty or name in keep_empty_of
        bank = open_treebank(path, form, encoding=encoding)
        bad: list[InputError] | None = [] if skip_bad else None
        entries = bank.read(split, cleaning=Cleaning(remove_empty=not kept), bad=bad)
        found[name] = treebank_statistics(_compact(entries, bad), group=group, seed=seed)
        _report_bad(bad)
        if not found[name].trees:
            raise InputError(f"{path}: no trees to count")
        about[name] = {"path": path, "split": split, "empty": "kept" if kept else "removed", "seed": seed}
    if plot is not None:
        for file in draw_figures(found, plot):
            click.echo(f"wrote {file}", err=True)
    if as_json:
        click.echo(json.dumps(_plain(found, about), indent=2))
    else:
        _show(found, about)


def _plain(found: dict[str, Statistics], about: dict[str, dict[str, object]]) -> dict[str, object]:
    """For JSON: of one treebank its figures, of several the figures by name."""
    made: dict[str, object] = {name: {**about[name], **one.to_dict()} for name, one in found.items()}
    if len(made) == 1:
        (only,) = made.values()
        return only  # type: ignore[return-value]  # a dictionary of its own
    return {"treebanks": made}


def _show(found: dict[str, Statistics], about: dict[str, dict[str, object]]) -> None:
    from nccp.analysis.statistics_table import format_statistics

    for name, one in found.items():
        of = f"{name}, {about[name]['split']}" if about[name]["split"] else name
        empty = about[name]["empty"]
        click.echo(f"{of}: {one.trees:,} trees, {one.words:,} words, empty elements {empty}")
    click.echo("\n" + format_statistics(found))


def _report_bad(bad: list[InputError] | None) -> None:
    if bad:
        trees = "tree" if len(bad) == 1 else "trees"
        click.echo(f"nccp: {len(bad):,} bad {trees} left out, the first: {bad[0]}", err=True)


def _compact(entries: Iterable[Entry], bad: list[InputError] | None) -> Iterator[Gaps]:
    """The trees in compact form, with a progress bar; one that has none raises, or goes into ``bad``."""
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
