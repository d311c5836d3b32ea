"""``nccp treebank``: download, check, compare and convert treebanks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from nccp.cli.options import json_option
from nccp.cli.treebank_options import treebank_options
from nccp.errors import InputError

if TYPE_CHECKING:
    from nccp.treebanks import Cleaning, Entry, Treebank
    from nccp.treebanks.compare import Inventory


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Download, check, compare and convert treebanks.

    PATH is a folder, a file or a quoted glob. Penn (wsj_*.mrg), Chinese (chtb_*.fid, *.nw), Keyaki (*.psd),
    Sinica, CRAFT, GUM and Greynir (*.gld) are recognised by their files and come with their usual splits.
    Anything else is read as bracketed trees; files named train.mrg, dev.mrg and so on are its splits.
    """


@command.command(
    epilog="""\b
Examples:
  nccp treebank check treebanks/ktb
  nccp treebank check 'trees/*.mrg' --json
  nccp treebank check treebanks/craft --flatten NML --unwrap HEADING,CAPTION,TITLE,CIT
  nccp treebank check treebanks/gum --exclude non-commercial
"""
)
@click.argument("path")
@json_option
@click.option("--skip-bad", is_flag=True, help="Exit with 0 even if there are bad trees.")
@treebank_options
def check(
    open_bank: Callable[[str], Treebank],
    cleaning: Cleaning,
    exclude: tuple[str, ...],
    path: str,
    as_json: bool,
    skip_bad: bool,
) -> None:
    """Read a whole treebank and report what is in it, after cleaning.

    The report has counts by split, labels, tags, unary chains, sentence lengths, what cleaning changed, and
    bad trees with their positions. Exits with 1 if there are bad trees.
    """
    from nccp.treebanks import check_treebank

    bank = open_bank(path)
    report = check_treebank(bank, cleaning, exclude, lambda entries: _progress(entries, bank))
    if report.bad and not any(split.trees for split in report.splits.values()):
        raise report.bad[0]
    if as_json:
        click.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        click.echo(report.to_text())
    if report.bad and not skip_bad:
        raise InputError(f"{bank.path}: {_trees(len(report.bad), 'bad tree')}; first {report.bad[0]}")


@command.command(
    epilog="""\b
Examples:
  nccp treebank compare treebanks/gum treebanks/ptb-sample --no-repairs
  nccp treebank compare treebanks/craft treebanks/ptb-sample --flatten NML --label NP
  nccp treebank compare mine.mrg wsj --json
"""
)
@click.argument("first")
@click.argument("second")
@click.option("--split", metavar="NAME", help="Compare this split of both.  [default: all splits]")
@click.option("--label", metavar="LABEL", help="Only what has this label on top.")
@click.option(
    "--least",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    help="Least frequency in FIRST, per 100,000 nodes or words.",
)
@click.option(
    "--times",
    type=click.FloatRange(min=1),
    default=10.0,
    show_default=True,
    help="How many times as frequent in FIRST as in SECOND.",
)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Rows of each kind.")
@json_option
@treebank_options
def compare(
    open_bank: Callable[[str], Treebank],
    cleaning: Cleaning,
    exclude: tuple[str, ...],
    first: str,
    second: str,
    split: str | None,
    label: str | None,
    least: float,
    times: float,
    top: int,
    as_json: bool,
) -> None:
    """List what is common in FIRST and rare in SECOND, with an example each.

    Compares productions (SBAR -> NP S), labels, tags, and labels over tags (NP over WDT). Such differences
    are often conventions rather than differences of language. --exclude concerns FIRST. JSON has all rows.
    """
    from nccp.treebanks.compare import comparison_dict, comparison_lines, differences, take_inventory

    def inventory(path: str, exclude: tuple[str, ...] = ()) -> Inventory:
        bank = open_bank(path)
        entries = bank.read(split, cleaning=cleaning, exclude=exclude)
        return take_inventory(bank.path, _progress(entries, bank))

    one, two = inventory(first, exclude), inventory(second)
    found = differences(one, two, least=least, times=times, label=label)
    if as_json:
        click.echo(json.dumps(comparison_dict(one, two, found), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(comparison_lines(one, two, found, top)))


@command.command(
    epilog="""\b
Examples:
  nccp treebank convert treebanks/ktb clean/ktb
  nccp treebank convert treebanks/craft clean/craft --flatten NML
  nccp treebank convert old.mrg clean --keep-functions --skip-bad
"""
)
@click.argument("path")
@click.argument("out", type=click.Path(file_okay=False))
@click.option("--skip-bad", is_flag=True, help="Go on after trees that cannot be read, and count them.")
@treebank_options
def convert(
    open_bank: Callable[[str], Treebank],
    cleaning: Cleaning,
    exclude: tuple[str, ...],
    path: str,
    out: str,
    skip_bad: bool,
) -> None:
    """Write OUT/train.mrg, OUT/dev.mrg and so on: clean trees, one per line.

    The same treebank gives the same bytes on every machine. On an error nothing is written.
    """
    from nccp.treebanks import convert_treebank

    bank = open_bank(path)
    bad: list[InputError] | None = [] if skip_bad else None
    counts = convert_treebank(
        bank, out, cleaning, exclude=exclude, bad=bad, watch=lambda entries: _progress(entries, bank)
    )
    for split, count in counts.items():
        if count:
            click.echo(f"{out}/{split}.mrg: {_trees(count, 'tree')}")
    if bad:
        click.echo(f"skipped {_trees(len(bad), 'bad tree')}:", err=True)
        for error in bad:
            click.echo(f"  {error}", err=True)


@command.command(
    epilog="""\b
Examples:
  nccp treebank get
  nccp treebank get gum
  nccp treebank get keyaki --out data/keyaki
"""
)
@click.argument("name", required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where to put the treebank.  [default: treebanks/NAME]",
)
@click.option("--sha256", default="", metavar="DIGEST", help="Digest that the archive must have.")
@click.option("--force", is_flag=True, help="Replace the folder if it exists.")
def get(name: str | None, out: str | None, sha256: str, force: bool) -> None:
    """Download a treebank from its public home; without NAME, list the available ones.

    An interrupted download goes on where it stopped when the same command is run again, if the server allows
    it. The digest of the archive is checked if it is known. None is known yet for the treebanks in the list:
    the digest of the first download is printed, kept in FOLDER/download.json and compared on later downloads.
    """
    from nccp.treebanks import SOURCES, get_treebank

    if name is None:
        for source in SOURCES.values():
            click.echo(f"{source.name:<9}{source.title}\n{'':9}version: {source.version}")
            click.echo(f"{'':9}licence: {source.licence}\n{'':9}{source.url}")
        return
    if name not in SOURCES:
        raise InputError(f"no treebank {name!r} to download; there are {', '.join(SOURCES)}")
    source = SOURCES[name]
    click.echo(
        f"{source.title}, version: {source.version}\nlicence: {source.licence}\n{source.url}", err=True
    )
    if not source.pinned:
        click.echo("This address gives the newest version, which may change.", err=True)
    with tqdm(unit="B", unit_scale=True, disable=None, leave=False) as bar:

        def progress(done: int, total: int | None) -> None:
            bar.total = total
            bar.n = done
            bar.refresh() if done == total else bar.update(0)

        got = get_treebank(source, out or f"treebanks/{name}", sha256=sha256, force=force, progress=progress)
    click.echo(f"{got.folder}: {got.files:,} files")
    trust = "as expected" if got.verified else "unverified: first download, no digest was known"
    click.echo(f"sha256 {got.sha256} ({trust})")


def _trees(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _progress(entries: Iterable[Entry], bank: Treebank) -> Iterator[Entry]:
    """Pass the entries on, with a bar on a terminal: bytes of finished files, and trees so far."""
    total = sum(file.stat().st_size for file in bank.files())
    file = None
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        for number, entry in enumerate(entries):
            if entry.file != file:
                if file is not None:
                    bar.update(file.stat().st_size)
                file = entry.file
            if number % 500 == 0:
                bar.set_postfix_str(f"{number:,} trees")
            yield entry
