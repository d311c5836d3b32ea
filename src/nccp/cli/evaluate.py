"""``nccp evaluate``: score a model on a treebank."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, json_option, prm_option, threads_option
from nccp.scoring import BUILT_IN

if TYPE_CHECKING:
    from nccp.decoding import Parse
    from nccp.evaluation import ConfidenceBin

_EPILOG = """\b
Examples:
  nccp evaluate en wsj
  nccp evaluate runs/mine/bundle gum --split dev --by-length
  nccp evaluate en gold.mrg --prm spmrl --json | jq .all.f1
  nccp evaluate en gold.mrg --by-score --out predicted.mrg
"""


@click.command("evaluate", epilog=_EPILOG)
@click.argument("model")
@click.argument("trees")
@click.option("--split", metavar="NAME", help="[default: test if the treebank has one, else all]")
@click.option("--format", "form", help="Of the treebank; found out if not given.")
@prm_option(BUILT_IN)
@click.option(
    "--gold-deletion", is_flag=True, help="Rescue what EVALB counts as errors; see nccp score --help."
)
@click.option("--gold-tags", is_flag=True, help="Give the parser the gold tags: they stand in its trees.")
@click.option("--by-length", is_flag=True, help="Figures for each bin of ten words, too.")
@click.option("--by-label", is_flag=True, help="Figures for each label, too.")
@click.option(
    "--by-score", is_flag=True, help="Figures for each tenth of the sentences by the parser's score."
)
@click.option(
    "--out", type=click.Path(dir_okay=False), metavar="FILE", help="Write the predicted trees here."
)
@batch_size_option
@threads_option
@json_option
def command(
    model: str,
    trees: str,
    split: str | None,
    form: str | None,
    prm: str,
    gold_deletion: bool,
    gold_tags: bool,
    by_length: bool,
    by_label: bool,
    by_score: bool,
    out: str | None,
    batch_size: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Parse the words of TREES with MODEL and score the result against TREES.

    TREES is any treebank that nccp reads: a folder, a file, a glob. MODEL is a name or a path. Labels that
    the model cannot give, since they were flattened in its training (NML), are flattened in TREES too.
    """
    from nccp.decoding.stream import BATCH
    from nccp.evaluation import by_confidence, evaluate, read_gold
    from nccp.runtime import load
    from nccp.scoring import Parameters, as_dict, table
    from nccp.treebanks import Cleaning

    parameters = Parameters.load(prm)
    parser = load(model, threads=threads)
    gold = read_gold(trees, form, split, cleaning=Cleaning(flatten=parser.flat))
    done = evaluate(
        parser,
        gold.trees,
        parameters,
        gold_deletion=gold_deletion,
        gold_tags=gold_tags,
        scores=by_score,
        batch_size=batch_size or BATCH,
        progress=True,
    )
    if out is not None:
        _write(out, done.parses)
    bins = by_confidence(done.score, [parse.score or 0.0 for parse in done.parses]) if by_score else []
    about: dict[str, Any] = {
        "model": parser.name,
        "trees": trees,
        "split": gold.split,
        "fallbacks": done.fallbacks,
        "different": done.different,
        "seconds": round(done.seconds, 3),
    }
    if as_json:
        made = about | as_dict(done.score, parameters, by_label=by_label, by_length=by_length)
        if by_score:
            made["by_score"] = [one.to_dict() for one in bins]
        click.echo(json.dumps(made, indent=2, ensure_ascii=False))
        return
    click.echo(f"{parser.name} on {gold}: {len(gold.trees):,} sentences in {done.seconds:.1f} s")
    click.echo(f"{about['fallbacks']:,} fallbacks, {about['different']:,} trees not as in the treebank\n")
    click.echo(table(done.score, by_label=by_label, by_length=by_length), nl=False)
    if by_score:
        click.echo("\n" + _table(bins), nl=False)


def _write(path: str, parses: list[Parse]) -> None:
    from nccp.files import atomic_write

    with atomic_write(path) as file:
        file.writelines(parse.brackets() + "\n" for parse in parses)


def _table(bins: list[ConfidenceBin]) -> str:
    lines = ["score             sentences      F1  complete match"]
    for one in bins:
        totals = one.totals
        lines.append(
            f"{one.lowest:.3f} to {one.highest:.3f}{totals.sentences:13,}{totals.f1:8.2f}"
            f"{totals.complete_match:16.2f}"
        )
    return "\n".join(lines) + "\n"
