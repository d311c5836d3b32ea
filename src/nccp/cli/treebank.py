"""``nccp treebank``: download, check, compare and convert treebanks."""

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
    from nccp.treebanks import Cleaning, Entry, Treebank
    from nccp.treebanks.compare import Inventory

_FORMATS = ("penn", "chinese", "keyaki", "sinica", "craft", "gum", "greynir", "brackets")
F = TypeVar("F", bound=Callable[..., Any])


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Download, check, compare and convert treebanks.

    PATH is a folder, a file or a quoted glob. Penn (wsj_*.mrg), Chinese (chtb_*.fid, *.nw), Keyaki (*.psd),
    Sinica, CRAFT, GUM and Greynir (*.gld) are recognised by their files and come with their usual splits.
    Anything else is read as bracketed trees; files named train.mrg, dev.mrg and so on are its splits.
    """


def treebank_options(function: F) -> F:
    """Options that say how to read a treebank; the function gets ``open_bank``, ``cleaning``, ``exclude``."""

    @click.option("--format", type=click.Choice(_FORMATS), help="Format of the treebank.  [default: detect]")
    @click.option("--encoding", help="Encoding of bracket files that are not in UTF-8.")
    @click.option(
        "--exclude",
        metavar="NAMES",
        help="Leave these documents out: names with wildcards, or non-commercial for those whose licence"
        " forbids commercial use.",
    )
    @click.option("--keep-empty", is_flag=True, help="Keep traces and other empty elements.")
    @click.option(
        "--stars/--no-stars",
        default=None,
        help="Whether words that start with * are empty elements.  [default: in Keyaki they are]",
    )
    @click.option(
        "--lemmas",
        type=click.Choice(["keep", "second", "node", "hyphen"]),
        help="Drop lemmas from leaves such as (tag word lemma), (tag word (lemma ...)) or (tag word-lemma);"
        " keep reads everything as words.  [default: detect]",
    )
    @click.option("--add-tags", is_flag=True, help="The trees have no tags: put every word under XX.")
    @click.option("--keep-functions", is_flag=True, help="Keep function tags and indices: NP-SBJ-1.")
    @click.option("--keep-root", is_flag=True, help="Keep the root: (TOP ...), ( ...).")
    @click.option("--keep-spaces", is_flag=True, help="Keep thin, hair and no-break spaces inside words.")
    @click.option("--flatten", metavar="LABELS", help="Replace these nodes by their children, e.g. NML,NX.")
    @click.option("--unwrap", metavar="LABELS", help="Remove these wrappers, e.g. HEADING,CAPTION.")
    @click.option(
        "--words",
        type=click.Choice(["keep", "escape", "unescape"]),
        default="keep",
        show_default=True,
        help=r"Words as they come, in Penn's escapes (1\/2), or plain (1/2).",
    )
    @click.option(
        "--repairs/--no-repairs",
        default=None,
        help="Repair a parser's labels by rule (WHNP, SBARQ, INTJ, LST, PRN).  [default: only in GUM]",
    )
    @wraps(function)
    def with_bank(**options: Any) -> Any:
        from nccp.treebanks import Cleaning, open_treebank

        cleaning = Cleaning(
            remove_empty=not options.pop("keep_empty"),
            stars=options.pop("stars"),
            lemmas=options.pop("lemmas"),
            add_tags=options.pop("add_tags"),
            cut_functions=not options.pop("keep_functions"),
            strip_root=not options.pop("keep_root"),
            join_words=not options.pop("keep_spaces"),
            flatten=_names(options.pop("flatten")),
            unwrap=_names(options.pop("unwrap")),
            words=options.pop("words"),
            repairs=options.pop("repairs"),
        )
        form, encoding = options.pop("format"), options.pop("encoding")
        exclude = _names(options.pop("exclude"))

        def open_bank(path: str) -> Treebank:
            return open_treebank(path, form, encoding=encoding)

        return function(open_bank=open_bank, cleaning=cleaning, exclude=exclude, **options)

    return with_bank  # type: ignore[return-value]


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


def _names(names: str | None) -> tuple[str, ...]:
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
