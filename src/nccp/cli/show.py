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
  nccp show tree.mrg --layers left
  nccp show tree.mrg --layers triangle --factor right --format svg --out drawings
""",
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--format", "form", type=click.Choice(list(_SUFFIXES)), default="text", show_default=True)
@click.option(
    "--layers",
    type=click.Choice(["left", "right", "midin", "midout", "multi", "group", "triangle"]),
    help="Draw the layers that a model sees: of binary trees under a factor, of multi-branching trees, "
    "of multi-branching trees with flat structure grouped, or of the triangular format.",
)
@click.option(
    "--factor",
    type=click.Choice(["left", "right", "midin", "midout"]),
    default="left",
    show_default=True,
    help="Binarization of --layers triangle.",
)
@click.option(
    "--style",
    type=click.Choice(["forest", "qtree"]),
    default="forest",
    show_default=True,
    help="LaTeX package for whole trees; layers are always drawn with TikZ.",
)
@click.option(
    "--width",
    type=click.IntRange(min=0),
    metavar="COLUMNS",
    help="In text, draw trees that are wider than this in indented form; 0 means no limit.  "
    "[default: the terminal's width; no limit in files and with --layers]",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write a file per tree into this folder."
)
@click.option("--skip-bad", is_flag=True, help="Skip trees that cannot be read, and report where they are.")
def command(
    files: tuple[str, ...],
    form: str,
    layers: str | None,
    factor: str,
    style: str,
    width: int | None,
    out: Path | None,
    skip_bad: bool,
) -> None:
    """Draw bracketed trees from FILEs, or from standard input (also as -).

    With --out, each tree becomes a file of its own, named after its file and its number there:
    wsj_0001-1.svg. Without it, the drawings of several trees follow each other.

    With --layers, root, empty elements and function tags are removed first, as in training. Arrows are
    orientations, square brackets are chunks, #X is a word that is no constituent, _X a part of X, and <0> an
    empty cell of the triangle.
    """
    if layers and form == "brackets":
        raise click.UsageError("--layers can be drawn as text, svg or latex")
    if width is None and out is None and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
    for stem, number, tree in _trees(files or ("-",), skip_bad):
        drawing = (
            _draw_layers(tree, form, layers, factor) if layers else _draw(tree, form, style, width or None)
        )
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


def _draw_layers(tree: Tree, form: str, layers: str, factor: str) -> str:
    from nccp.errors import InputError
    from nccp.treebanks import Cleaning, clean
    from nccp.trees import draw, to_gaps

    cleaned = clean(tree, Cleaning())
    if cleaned is None:
        raise InputError("a tree has no words but empty elements: there are no layers to draw")
    grid = draw.layer_grid(to_gaps(cleaned), layers, factor=factor)
    drawers = {"text": draw.draw_layers_text, "svg": draw.draw_layers_svg, "latex": draw.draw_layers_latex}
    return drawers[form](grid)


def _write(path: Path, drawing: str) -> None:
    from nccp.errors import InputError
    from nccp.files import atomic_write

    try:
        with atomic_write(path) as file:
            file.write(drawing.rstrip("\n") + "\n")
    except OSError as error:
        raise InputError(f"{path}: {os.strerror(error.errno or 0)}") from None
