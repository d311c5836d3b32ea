"""``nccp analyse``: the errors of a model on a treebank."""

from __future__ import annotations

import json
from pathlib import Path

import click

from nccp.cli.options import batch_size_option, json_option, prm_option, threads_option
from nccp.scoring import BUILT_IN

_EPILOG = """\b
Examples:
  nccp analyse en wsj
  nccp analyse en gum --split dev --html report.html
  nccp analyse en-multi wsj --forests invalid.svg
  nccp analyse my-model keyaki --prm spmrl --json | jq .errors.kinds.attachment
"""


@click.command("analyse", epilog=_EPILOG)
@click.argument("model")
@click.argument("trees")
@click.option(
    "--split", metavar="NAME", help="Split to analyse.  [default: test if the treebank has one, else all]"
)
@click.option("--format", "form", metavar="NAME", help="Format of the treebank.  [default: detect]")
@prm_option(BUILT_IN)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Rows to show of long tables, and invalid parses to draw.",
)
@click.option(
    "--worst",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="How many of the worst sentences to draw or list.",
)
@click.option(
    "--longest",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="Longest sentence among the worst, in words.",
)
@batch_size_option
@threads_option
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a report with figures and trees to this file; it needs no other file.",
)
@click.option(
    "--forests",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the invalid parses of a multi-branching model as SVG: the forest of each, and the layer that "
    "repeats.",
)
@json_option
def command(
    model: str,
    trees: str,
    split: str | None,
    form: str | None,
    prm: str,
    top: int,
    worst: int,
    longest: int,
    batch_size: int | None,
    threads: int | None,
    html: Path | None,
    forests: Path | None,
    as_json: bool,
) -> None:
    """Parse the words of TREES with MODEL and show where the result differs from TREES.

    The report has F1 by length, by label and by the parser's own score, every wrong bracket classified by its
    fault, confused labels and tags, attachment errors, invalid parses and, for binary models, which children
    they combine first in flat constituents. Brackets are counted as by nccp evaluate --gold-deletion.
    """
    from nccp import __version__
    from nccp.analysis.error_analysis import analyse
    from nccp.analysis.error_tables import error_text
    from nccp.analysis.html_report import html_report
    from nccp.cli.output_files import writing
    from nccp.decoding.stream import BATCH
    from nccp.evaluation import evaluate, read_gold
    from nccp.files import atomic_write
    from nccp.runtime import load
    from nccp.scoring import Parameters
    from nccp.treebanks import Cleaning
    from nccp.trees.draw import draw_layers_svg, stack_svg

    parameters = Parameters.load(prm)
    parser = load(model, threads=threads)
    gold = read_gold(trees, form, split, cleaning=Cleaning(flatten=parser.flat))
    done = evaluate(parser, gold.trees, scores=True, batch_size=batch_size or BATCH, progress=True)
    analysis = analyse(
        done.golds,
        done.parses,
        parameters,
        binary=parser.engine.binary,
        seconds=done.seconds,
        model=parser.name,
        language=parser.language,
        trees=trees,
        split=gold.split,
        worst=worst,
        longest=longest,
    )
    if html is not None:
        page = html_report(analysis, top, version=__version__)
        with writing(html), atomic_write(html, binary=True) as file:
            file.write(page.encode("utf-8", "replace"))  # half a surrogate pair is no text
    if forests is not None:
        grids = [sample.forest for sample in analysis.joined[:top]]
        drawings = [draw_layers_svg(grid) for grid in grids if grid is not None]
        if not drawings:
            click.echo("nccp: every parse is valid: there is no forest to draw", err=True)
        else:
            with writing(forests), atomic_write(forests) as file:
                file.write(stack_svg(drawings) + "\n")
    if as_json:
        click.echo(json.dumps(analysis.to_dict(top), indent=2, ensure_ascii=False))
    else:
        click.echo(error_text(analysis, top), nl=False)
