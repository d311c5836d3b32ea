"""``nccp paper``: the tables and figures of the paper, and the commands that repeat them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from nccp.cli.options import json_option

_folder = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/paper"),
    show_default=True,
    help="Folder of results and figures.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Repeat the tables and figures of the paper.

    Results are kept as small JSON files, from which the page "The paper, reproduced" of the documentation is
    written.
    """


@command.command("list")
@json_option
def list_entries(as_json: bool) -> None:
    """List the tables and figures with what they claim and the commands that repeat them."""
    from nccp.analysis.paper import command_line, read_entries, shown_places

    places = shown_places("docs/paper")
    if as_json:
        made = [
            {
                "id": entry.id,
                "title": entry.title,
                "claim": entry.claim,
                "cost": entry.cost,
                "commands": [command_line(step, places) for step in entry.run],
                "results": list(entry.results),
                "figures": list(entry.figures),
                "paper": entry.paper,
            }
            for entry in read_entries()
        ]
        click.echo(json.dumps(made, indent=2, ensure_ascii=False))
        return
    for entry in read_entries():
        click.echo(f"{entry.id}  ({entry.cost})  {entry.title}")
        for step in entry.run:
            click.echo(f"    {command_line(step, places)}")


@command.command(
    epilog="""\b
Examples:
  nccp paper run ori --treebanks treebanks
  nccp paper run ori --treebank penn=wsj --treebank keyaki=ktb/treebank --treebank sinica=sinica/parsed
  nccp paper run abl --training
  nccp paper run abl --collect
"""
)
@click.argument("names", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--treebanks",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of treebanks: ptb-sample/combined, sinica, ktb/treebank, craft, gum, icon and greynir.  "
    "[default: $NCCP_TREEBANKS]",
)
@click.option(
    "--treebank",
    "named",
    multiple=True,
    metavar="NAME=PATH",
    help="Path of penn, sinica, keyaki, craft, gum, icon or greynir.",
)
@click.option("--training", is_flag=True, help="Also run entries that train models for hours.")
@click.option(
    "--collect", is_flag=True, help="Train nothing: keep the results of the trainings that have finished."
)
@_folder
def run(
    names: tuple[str, ...],
    treebanks: Path | None,
    named: tuple[str, ...],
    training: bool,
    collect: bool,
    folder: Path,
) -> None:
    """Run the commands of the tables or figures ID and keep their results and figures.

    "all" stands for all entries that take minutes, and with --training or --collect for all entries. The
    placeholders of the commands are filled with the paths of the treebanks.
    """
    from nccp.analysis.paper import PaperFolder, find_entry, missing_places, read_entries, real_places
    from nccp.analysis.paper_run import run_entry
    from nccp.errors import InputError

    if treebanks is None and (found := os.environ.get("NCCP_TREEBANKS")):
        treebanks = Path(found)
    paths = dict(_named(text) for text in named)
    files = PaperFolder(folder)
    places = real_places(files, treebanks, paths)
    if names == ("all",):
        entries = [entry for entry in read_entries() if training or collect or entry.cost == "minutes"]
    else:
        entries = [find_entry(name) for name in names]
    for entry in entries:
        if entry.cost == "training" and not (training or collect):
            raise InputError(f"{entry.id} trains models for hours: add --training, or see nccp paper list")
        if missing := missing_places(entry, places):
            raise InputError(f"{entry.id} needs the treebank {missing[0]}: --treebank {missing[0]}=PATH")
    for entry in entries:
        written = run_entry(entry, files, places, lambda line: click.echo(line, err=True), train=not collect)
        for path in written:
            click.echo(f"wrote {path}", err=True)


def _named(text: str) -> tuple[str, str]:
    name, mark, path = text.partition("=")
    if not mark:
        raise click.UsageError(f"--treebank {text}: write NAME=PATH")
    return name, path


@command.command()
@_folder
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("docs/paper.md"),
    show_default=True,
    help="The page.",
)
def page(folder: Path, out: Path) -> None:
    """Write the page "The paper, reproduced" from the stored results, and draw the figures of sweeps."""
    from nccp.analysis.paper import PaperFolder
    from nccp.analysis.paper_page import draw_stored_sweeps, write_page
    from nccp.cli.output_files import writing

    for path in draw_stored_sweeps(PaperFolder(folder)):
        click.echo(f"wrote {path}", err=True)
    with writing(out):
        write_page(PaperFolder(folder), out)
