"""``nccp treebank``: check and convert treebanks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from tqdm import tqdm

from nccp.cli.options import json_option
from nccp.errors import InputError

if TYPE_CHECKING:
    from nccp.treebanks import Entry, Treebank

_FORMATS = ("penn", "chinese", "keyaki", "sinica", "craft", "gum", "greynir", "brackets")
F = TypeVar("F", bound=Callable[..., Any])


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Check treebanks and convert them into clean files, one tree a line.

    PATH is a folder, a file or a quoted glob. Penn (wsj_*.mrg), Chinese (chtb_*.fid, *.nw), Keyaki (*.psd),
    Sinica, CRAFT and GUM are known by their files and split as is usual for them; anything else is read
    as bracketed trees, split by file names such as train.mrg and dev.mrg.
    """


def treebank_options(function: F) -> F:
    """The options that say how to read a treebank; the function gets ``bank`` and ``cleaning``."""

    @click.option("--format", type=click.Choice(_FORMATS), help="Of the treebank.  [default: found out]")
    @click.option("--encoding", help="Of bracket files that are not in UTF-8.")
    @click.option("--keep-empty", is_flag=True, help="Keep traces and other empty elements.")
    @click.option(
        "--stars/--no-stars",
        default=None,
        help="Whether words that start with * are empty elements.  [default: in Keyaki they are]",
    )
    @click.option("--keep-functions", is_flag=True, help="Keep function tags and indices: NP-SBJ-1.")
    @click.option("--keep-root", is_flag=True, help="Keep the root: (TOP ...), ( ...).")
    @click.option("--keep-spaces", is_flag=True, help="Keep thin, hair and no-break spaces inside words.")
    @click.option("--flatten", metavar="LABELS", help="Move what these hold up into the parent, e.g. NML,NX.")
    @click.option("--unwrap", metavar="LABELS", help="Take these wrappers off, e.g. HEADING,CAPTION.")
    @click.option(
        "--words",
        type=click.Choice(["keep", "escape", "unescape"]),
        default="keep",
        show_default=True,
        help=r"Words as they come, in Penn's escapes (1\/2), or plain (1/2).",
    )
    @wraps(function)
    def with_bank(path: str, **options: Any) -> Any:
        from nccp.treebanks import Cleaning, open_treebank

        cleaning = Cleaning(
            remove_empty=not options.pop("keep_empty"),
            stars=options.pop("stars"),
            cut_functions=not options.pop("keep_functions"),
            strip_root=not options.pop("keep_root"),
            join_words=not options.pop("keep_spaces"),
            flatten=_labels(options.pop("flatten")),
            unwrap=_labels(options.pop("unwrap")),
            words=options.pop("words"),
        )
        bank = open_treebank(path, options.pop("format"), encoding=options.pop("encoding"))
        return function(bank=bank, cleaning=cleaning, **options)

    return with_bank  # type: ignore[return-value]


@command.command(
    epilog="""\b
Examples:
  nccp treebank check treebanks/ktb
  nccp treebank check 'trees/*.mrg' --json
  nccp treebank check treebanks/craft --flatten NML --unwrap HEADING,CAPTION,TITLE,CIT
"""
)
@click.argument("path")
@json_option
@click.option("--skip-bad", is_flag=True, help="Exit with 0 even if there are bad trees.")
@treebank_options
def check(bank: Treebank, cleaning: Any, as_json: bool, skip_bad: bool) -> None:
    """Read a whole treebank and report what is in it, after cleaning.

    Counts by split, bad trees and where they are, labels, tags, unary chains and sentence lengths. Exits
    with 1 if there are bad trees.
    """
    from nccp.treebanks import check_treebank

    report = check_treebank(bank, cleaning, lambda entries: _progress(entries, bank))
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
  nccp treebank convert treebanks/ktb clean/ktb
  nccp treebank convert treebanks/craft clean/craft --flatten NML
  nccp treebank convert old.mrg clean --keep-functions --skip-bad
"""
)
@click.argument("path")
@click.argument("out", type=click.Path(file_okay=False))
@click.option("--skip-bad", is_flag=True, help="Go on after trees that cannot be read, and count them.")
@treebank_options
def convert(bank: Treebank, cleaning: Any, out: str, skip_bad: bool) -> None:
    """Write OUT/train.mrg, OUT/dev.mrg and so on: clean trees, one a line.

    The same treebank gives the same bytes on every machine. On an error nothing is written.
    """
    from nccp.treebanks import convert_treebank

    bad: list[InputError] | None = [] if skip_bad else None
    counts = convert_treebank(bank, out, cleaning, bad=bad, watch=lambda entries: _progress(entries, bank))
    for split, count in counts.items():
        if count:
            click.echo(f"{out}/{split}.mrg: {_trees(count, 'tree')}")
    if bad:
        click.echo(f"skipped {_trees(len(bad), 'bad tree')}:", err=True)
        for error in bad:
            click.echo(f"  {error}", err=True)


def _labels(names: str | None) -> tuple[str, ...]:
    """``NML,NX`` as a tuple."""
    return tuple(name.strip() for name in (names or "").split(",") if name.strip())


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
