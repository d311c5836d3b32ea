"""``nccp show``: draw trees."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from nccp.trees import Tree

_SUFFIXES = {"text": ".txt", "svg": ".svg", "latex": ".tex", "brackets": ".mrg"}


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  nccp parse story.txt | nccp show
  nccp show wsj_0001.mrg --format svg --out drawings
  nccp show tree.mrg --format latex --style qtree
""",
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--format", "form", type=click.Choice(list(_SUFFIXES)), default="text", show_default=True)
@click.option(
    "--style", type=click.Choice(["forest", "qtree"]), default="forest", show_default=True, help="Of LaTeX."
)
@click.option(
    "--width",
    type=click.IntRange(min=0),
    metavar="COLUMNS",
    help="Draw wider trees indented, in text; 0: none.  [default: the terminal's width, in a file none]",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write a file for each tree here."
)
@click.option("--skip-bad", is_flag=True, help="Pass over what is no tree, and say where it was.")
def command(
    files: tuple[str, ...], form: str, style: str, width: int | None, out: Path | None, skip_bad: bool
) -> None:
    """Draw bracketed trees from FILEs, or from standard input (also as -).

    With --out, a tree becomes a file of its own, named after its file and its number there: wsj_0001-1.svg.
    Without, SVG is for one tree at a time: several follow each other.
    """
    if width is None and out is None and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
    for stem, number, tree in _trees(files or ("-",), skip_bad):
        drawing = _draw(tree, form, style, width or None)
        if out is None:
            click.echo(drawing + ("\n" if form == "text" else ""))
        else:
            _write(out / f"{stem}-{number}{_SUFFIXES[form]}", drawing)


def _trees(files: Iterable[str], skip_bad: bool) -> Iterator[tuple[str, int, Tree]]:
    """The trees of all files, each with its file's name and its number among the trees of that name."""
    from nccp.trees import TreeReader

    numbers: Counter[str] = Counter()
    for file in files:
        if file == "-":
            reader = TreeReader(sys.stdin.buffer, skip_bad=skip_bad, source="<stdin>")
        else:
            reader = TreeReader(file, skip_bad=skip_bad)
        stem = "tree" if file == "-" else Path(file).stem
        for tree in reader:
            numbers[stem] += 1
            yield stem, numbers[stem], tree
        for error in reader.errors:
            click.echo(f"nccp: skipped: {error}", err=True)


def _draw(tree: Tree, form: str, style: str, width: int | None) -> str:
    from nccp.trees import draw, format_tree

    if form == "svg":
        return draw.draw_svg(tree)
    if form == "latex":
        return draw.draw_latex(tree, style)
    return format_tree(tree) if form == "brackets" else draw.draw_text(tree, width)


def _write(path: Path, drawing: str) -> None:
    from nccp.errors import InputError
    from nccp.files import atomic_write

    try:
        with atomic_write(path) as file:
            file.write(drawing.rstrip("\n") + "\n")
    except OSError as error:
        raise InputError(f"{path}: {os.strerror(error.errno or 0)}") from None
