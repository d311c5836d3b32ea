"""``nccp evaluate``: score a model on a treebank."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, json_option, prm_option, threads_option
from nccp.scoring import BUILT_IN

if TYPE_CHECKING:
    from nccp.decoding import Parse
    from nccp.decoding.evaluate import Confidence
    from nccp.trees import Tree

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
    from nccp.cli.golds import read_golds
    from nccp.decoding.evaluate import by_confidence
    from nccp.decoding.stream import BATCH
    from nccp.runtime import load
    from nccp.scoring import Parameters, as_dict, score_trees, table

    parameters = Parameters.load(prm)
    parser = load(model, threads=threads)
    golds, split = read_golds(parser, trees, form, split)
    began = time.perf_counter()
    parses = list(
        parser.parse_many(
            [gold.pos() if gold_tags else gold.leaves() for gold in golds],
            batch_size=batch_size or BATCH,
            scores=by_score,
            progress=True,
        )
    )
    seconds = time.perf_counter() - began
    score = score_trees(golds, [parse.tree for parse in parses], parameters, gold_deletion=gold_deletion)
    if out is not None:
        _write(out, parses)
    sure = by_confidence(score, [parse.score or 0.0 for parse in parses]) if by_score else []
    about: dict[str, Any] = {
        "model": parser.name,
        "trees": trees,
        "split": split,
        "fallbacks": sum(parse.joined for parse in parses),
        "different": _different(golds, parses),
        "seconds": round(seconds, 3),
    }
    if as_json:
        made = about | as_dict(score, parameters, by_label=by_label, by_length=by_length)
        if by_score:
            made["by_score"] = [one.to_dict() for one in sure]
        click.echo(json.dumps(made, indent=2, ensure_ascii=False))
        return
    of = f"{trees}, {split}" if split else trees
    click.echo(f"{parser.name} on {of}: {len(golds):,} sentences in {seconds:.1f} s")
    click.echo(f"{about['fallbacks']:,} fallbacks, {about['different']:,} trees not as in the treebank\n")
    click.echo(table(score, by_label=by_label, by_length=by_length), nl=False)
    if by_score:
        click.echo("\n" + _table(sure), nl=False)


def _different(golds: list[Tree], parses: list[Parse]) -> int:
    return sum(gold != parse.tree for gold, parse in zip(golds, parses))


def _write(path: str, parses: list[Parse]) -> None:
    from nccp.files import atomic_write

    with atomic_write(path) as file:
        file.writelines(parse.brackets() + "\n" for parse in parses)


def _table(sure: list[Confidence]) -> str:
    lines = ["score             sentences      F1  complete match"]
    for one in sure:
        totals = one.totals
        lines.append(
            f"{one.lowest:.3f} to {one.highest:.3f}{totals.sentences:13,}{totals.f1:8.2f}"
            f"{totals.complete_match:16.2f}"
        )
    return "\n".join(lines) + "\n"
