"""``nccp analyse``: where a model errs on a treebank."""

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
  nccp analyse my-model keyaki --prm spmrl --json | jq .errors.kinds.attachment
"""


@click.command("analyse", epilog=_EPILOG)
@click.argument("model")
@click.argument("trees")
@click.option("--split", metavar="NAME", help="[default: test if the treebank has one, else all]")
@click.option("--format", "form", metavar="NAME", help="Of the treebank; found out if not given.")
@prm_option(BUILT_IN)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Rows of long tables.",
)
@click.option(
    "--worst", type=click.IntRange(0), default=10, show_default=True, help="Worst sentences to draw or list."
)
@click.option(
    "--longest",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="Words of those.",
)
@batch_size_option
@threads_option
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a report here, with figures and trees; it needs no other file.",
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
    as_json: bool,
) -> None:
    """Parse the words of TREES with MODEL and say where the result differs from TREES.

    F1 by length, label and the parser's own score; every wrong bracket by its fault; confused labels and
    tags; attachment; invalid parses; and, of binary models, what they join first in flat constituents.
    Brackets are those of nccp evaluate --gold-deletion.
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
    if as_json:
        click.echo(json.dumps(analysis.to_dict(top), indent=2, ensure_ascii=False))
    else:
        click.echo(error_text(analysis, top), nl=False)
