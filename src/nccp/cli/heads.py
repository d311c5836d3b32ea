"""``nccp heads``: which child a multi-branching model treats as the head (paper, Table "head")."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nccp.cli.options import json_option, threads_option

if TYPE_CHECKING:
    from nccp.analysis.heads import Heads, Parent
    from nccp.decoding import Parse
    from nccp.decoding.input_sentence import Parsable

_EPILOG = """\b
Examples:
  nccp heads en-multi wsj --split test
  nccp heads en-multi story.txt --examples 3
  nccp heads ja-multi keyaki --json | jq .parents.NP.children
  nccp heads en-multi wsj --figure heads.pdf --examples 5 --svg trees.svg
"""
_RULES = {"first": "the first one", "last": "the last one", "collins": "Collins' head"}


@click.command("heads", epilog=_EPILOG)
@click.argument("model")
@click.argument("source", metavar="TREES-OR-TEXT")
@click.option(
    "--input",
    "form",
    type=click.Choice(["treebank", "text", "lines", "tokens", "brackets"]),
    help="Form of the input: a treebank, or text as in nccp parse.  "
    "[default: text for standard input (-) and .txt files, else treebank]",
)
@click.option("--split", metavar="NAME", help="Split of a treebank.  [default: test if it has one, else all]")
@click.option("--format", "bank_form", metavar="NAME", help="Format of a treebank.  [default: detect]")
@click.option(
    "--min-count",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Leave out labels with fewer nodes.",
)
@click.option(
    "--top", type=click.IntRange(1), default=8, show_default=True, help="Children to list for each label."
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Show this many trees with their weights.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the --examples (at least one) to this file instead of the terminal.",
)
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the table as .pdf, .svg or .png (needs matplotlib).",
)
@threads_option
@json_option
def command(
    model: str,
    source: str,
    form: str | None,
    split: str | None,
    bank_form: str | None,
    min_count: int,
    top: int,
    examples: int,
    svg: Path | None,
    figure: Path | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Parse TREES-OR-TEXT with MODEL and count which child of each constituent has the largest weight.

    Trees are re-parsed from their words. MODEL must be multi-branching: its constituents are weighted means
    of their children. A star marks the children of an NP without a determiner. The last table shows how often
    the heaviest child is also the first or the last one, or Collins' head (in English), without punctuation.
    """
    from nccp.analysis.figure_style import figure_format
    from nccp.analysis.head_examples import examples_svg, pick_examples
    from nccp.analysis.head_figure import draw_heads
    from nccp.analysis.heads import count_heads
    from nccp.cli.output_files import writing
    from nccp.cli.sentences import read_sentences
    from nccp.errors import InputError, need
    from nccp.evaluation import read_gold
    from nccp.files import atomic_write
    from nccp.runtime import load

    if figure is not None:
        figure_format(figure)
        need("matplotlib", "plots", "nccp heads --figure")  # before the work, not after it
    form = form or ("text" if source == "-" or source.endswith(".txt") else "treebank")
    if form != "treebank" and (split or bank_form):
        raise click.UsageError("--split and --format need a treebank")
    parser = load(model, threads=threads)
    if parser.engine.binary:
        raise InputError(
            f"nccp heads needs a multi-branching model, and {parser.name} is binary; {_others()}"
        )
    sentences: Iterable[Parsable]
    if form == "treebank":
        gold = read_gold(source, bank_form, split)
        sentences, split = [tree.leaves() for tree in gold.trees], gold.split
    else:
        sentences = read_sentences(source, form, parser)
    parses = [parse for parse in parser.parse_many(sentences, progress=True) if parse.tree is not None]
    if not parses:
        raise InputError(f"{source}: nothing to parse")
    heads = count_heads(parses, parser.language)
    chosen = pick_examples(parses, examples or (1 if svg else 0))
    if figure is not None:
        with writing(figure):
            draw_heads(heads, figure, min_count=min_count)
    if svg is not None:
        with writing(svg), atomic_write(svg) as file:
            file.write(examples_svg(chosen))
    if as_json:
        made = {"model": parser.name, "source": source, "split": split, **heads.to_dict(min_count, top)}
        if chosen and svg is None:
            made["examples"] = [parse.to_dict() for parse in chosen]
        click.echo(json.dumps(made, indent=2, ensure_ascii=False))
        return
    click.echo(
        f"{parser.name} on {source}: {heads.sentences:,} sentences, {heads.total.nodes:,} constituents\n"
    )
    click.echo(format_heads(heads, min_count, top), nl=False)
    if svg is None:
        _show(chosen)


def _others() -> str:
    """The multi-branching models that would do."""
    from nccp.errors import BundleError
    from nccp.runtime import list_models
    from nccp.runtime.bundle import Bundle

    found = []
    for model in list_models():
        try:
            if Bundle.load(model.path).model.kind == "multi":
                found.append(model.name)
        except BundleError:
            continue
    if found:
        return f"try {' or '.join(found)}"
    return 'none is at hand: train one with kind = "multi" in [model]'


def format_heads(heads: Heads, min_count: int = 1, top: int = 8) -> str:
    """The table for people."""
    from nccp.analysis.heads import ABSENT, ranked

    lines = [
        f"{'parent':<10}{'nodes':>7}  {'child':<10}{'heaviest':>9}{'share':>8}{'if there':>10}{'weight':>8}"
    ]
    frequent = heads.frequent(min_count)
    for label, parent in frequent:
        names = ranked(parent)
        for place, name in enumerate(name for name in names[:top] if parent.heaviest[name]):
            lead = f"{label or '(none)':<10}{parent.nodes:>7,}" if place == 0 else " " * 17
            lines.append(f"{lead}  {_child(parent, name)}")
        rest = [name for name in names[top:] if parent.heaviest[name]]
        if rest:
            count = sum(parent.heaviest[name] for name in rest)
            starred = sum(name.startswith(ABSENT) for name in rest)
            stars = f", {starred} with {ABSENT}" if starred else ""
            lines.append(f"{'':<19}{'etc.':<10}{count:>9,}  ({len(rest)} more{stars})")
    if not frequent:
        lines.append(f"no label has {min_count} nodes: see --min-count")
    if heads.joined:
        lines.append(f"\n{heads.joined:,} roots left out: a fallback made them")
    return "\n".join([*lines, "", *_agreement(heads, frequent[:6])]) + "\n"


def _child(parent: Parent, name: str) -> str:
    count = parent.heaviest[name]
    return (
        f"{name or '(none)':<10}{count:>9,}{count / parent.nodes:>8.1%}"
        f"{count / parent.present[name]:>10.1%}{parent.mean_weight(name):>8.2f}"
    )


def _agreement(heads: Heads, frequent: list[tuple[str, Parent]]) -> list[str]:
    """How often simple rules name the heaviest child, for all and for the most frequent parents."""
    columns = [("all", heads.total), *((label or "(none)", parent) for label, parent in frequent)]
    columns = [(label, parent) for label, parent in columns if parent.judged]
    lines = ["heaviest child is" + "".join(f"{label:>9}" for label, _ in columns)]
    for rule in heads.rules:
        cells = (f"{parent.agreed[rule] / parent.judged:>9.1%}" for _, parent in columns)
        lines.append(f"  {_RULES[rule]:<15}" + "".join(cells))
    chance = "".join(f"{parent.chance / parent.judged:>9.1%}" for _, parent in columns)
    return [*lines, f"  {'by chance':<15}{chance}"]


def _show(parses: list[Parse]) -> None:
    from nccp.analysis.head_examples import example_text

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for parse in parses:
        click.echo("\n" + example_text(parse, width))
