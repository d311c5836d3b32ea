"""``nccp evaluate``: score models on a treebank."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nccp.cli.options import batch_size_option, json_option, prm_option, threads_option
from nccp.scoring import BUILT_IN

if TYPE_CHECKING:
    from nccp.decoding import Parse
    from nccp.evaluation import ConfidenceBin, Evaluation

_EPILOG = """\b
Examples:
  nccp evaluate en wsj
  nccp evaluate runs/mine/bundle gum --split dev --by-length
  nccp evaluate en,en-fast,en-multi wsj --by-length --plot lengths.svg
  nccp evaluate en gold.mrg --prm spmrl --json | jq .all.f1
  nccp evaluate en gold.mrg --by-score --out predicted.mrg
"""


@click.command("evaluate", epilog=_EPILOG)
@click.argument("models", metavar="MODEL[,MODEL]...")
@click.argument("trees")
@click.option(
    "--split", metavar="NAME", help="Split to score.  [default: test if the treebank has one, else all]"
)
@click.option("--format", "form", help="Format of the treebank.  [default: detect]")
@click.option(
    "--repairs/--no-repairs",
    default=None,
    help="Repair the labels of TREES by rule, see nccp treebank check --help.  [default: only in GUM]",
)
@prm_option(BUILT_IN)
@click.option(
    "--gold-deletion",
    is_flag=True,
    help="Rescue sentences that EVALB counts as errors; see nccp score --help.",
)
@click.option("--gold-tags", is_flag=True, help="Give the parser the gold tags; they are kept in its trees.")
@click.option("--by-length", is_flag=True, help="Also show scores for each bin of ten words.")
@click.option("--by-label", is_flag=True, help="Also show scores for each label (one model).")
@click.option(
    "--by-score", is_flag=True, help="Also show scores for tenths of the sentences by confidence (one model)."
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw F1 by length, a line per model, as .pdf, .svg or .png (needs matplotlib).",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the predicted trees here (one model).",
)
@batch_size_option
@threads_option
@json_option
def command(
    models: str,
    trees: str,
    split: str | None,
    form: str | None,
    repairs: bool | None,
    prm: str,
    gold_deletion: bool,
    gold_tags: bool,
    by_length: bool,
    by_label: bool,
    by_score: bool,
    plot: Path | None,
    out: str | None,
    batch_size: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Parse the words of TREES with each MODEL and score the result against TREES.

    TREES is any treebank that nccp reads: a folder, a file, a glob. MODEL is a name or a path. Labels that
    a model cannot predict because they were flattened in its training data (NML) are flattened in TREES too.
    An invalid layer is one whose scores alone would break the tree's frame or combine nothing: the decoder
    repairs it, and it is counted.
    """
    from nccp.analysis.figure_style import figure_format
    from nccp.analysis.length_figure import draw_lengths
    from nccp.cli.output_files import writing
    from nccp.decoding.stream import BATCH
    from nccp.errors import need
    from nccp.evaluation import by_confidence, evaluate, read_gold
    from nccp.runtime import load
    from nccp.scoring import Parameters, as_dict
    from nccp.treebanks import Cleaning

    names = [models] if Path(models).exists() else [name for name in models.split(",") if name]
    if len(names) > 1 and (by_label or by_score or out):
        raise click.UsageError("--by-label, --by-score and --out take one model at a time")
    if plot is not None:
        figure_format(plot)
        need("matplotlib", "plots", "nccp evaluate --plot")  # before the work, not after it
    parameters = Parameters.load(prm)
    found: dict[str, Evaluation] = {}
    made: list[dict[str, Any]] = []
    bins: list[ConfidenceBin] = []
    for name in names:
        parser = load(name, threads=threads)
        gold = read_gold(trees, form, split, cleaning=Cleaning(flatten=parser.flat, repairs=repairs))
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
        found[name if parser.name in found else parser.name] = done
        scores = as_dict(done.score, parameters, by_label=by_label, by_length=by_length)
        about = {"model": parser.name, "trees": trees, "split": gold.split, "repaired": gold.repaired}
        made.append(about | _about(done) | scores)
        if by_score:
            bins = by_confidence(done.score, [parse.score or 0.0 for parse in done.parses])
            made[-1]["by_score"] = [one.to_dict() for one in bins]
    if out is not None:
        _write(out, done.parses)
    if plot is not None:
        with writing(plot):
            draw_lengths({name: one.score for name, one in found.items()}, plot)
    if as_json:
        click.echo(json.dumps(made[0] if len(made) == 1 else {"models": made}, indent=2, ensure_ascii=False))
    elif len(found) > 1:
        click.echo(
            f"{gold}: {len(gold.trees):,} sentences\n\n" + compare(found, by_length=by_length), nl=False
        )
    else:
        click.echo(
            f"{parser.name} on {gold}: " + _describe(done, by_label=by_label, by_length=by_length), nl=False
        )
        if by_score:
            click.echo("\n" + _table(bins), nl=False)


def _about(done: Evaluation) -> dict[str, Any]:
    """What a report says beside the scores."""
    return {
        **done.counts,
        "different": done.different,
        "seconds": round(done.seconds, 3),
        "sentences_per_second": round(done.sentences_per_second, 1),
    }


def _describe(done: Evaluation, *, by_label: bool, by_length: bool) -> str:
    """One model's scores for people."""
    from nccp.scoring import table

    counts = done.counts
    return (
        f"{len(done.golds):,} sentences in {done.seconds:.1f} s\n"
        f"{counts['fallbacks']:,} fallbacks, {counts['invalid_layers']:,} invalid layers, "
        f"{done.different:,} trees differ from the treebank\n\n"
        + table(done.score, by_label=by_label, by_length=by_length)
    )


def compare(found: Mapping[str, Evaluation], *, by_length: bool) -> str:
    """Several models in one table: a row per model, and F1 by length with a column per model."""
    from nccp.scoring import format_rows

    head = ("model", "precision", "recall", "F1", "P-R", "complete", "tags")
    rows: list[Sequence[str]] = [(*head, "fallbacks", "invalid layers", "sentences/s")]
    for name, done in found.items():
        total, counts = done.score.total, done.counts
        scores = (total.precision, total.recall, total.f1)
        rows.append(
            (
                name,
                *(f"{value:.2f}" for value in scores),
                f"{total.precision_minus_recall:+.2f}",
                f"{total.complete_match:.2f}",
                f"{total.tag_accuracy:.2f}",
                f"{counts['fallbacks']:,}",
                f"{counts['invalid_layers']:,}",
                f"{done.sentences_per_second:,.0f}",
            )
        )
    blocks = [format_rows(rows)]
    if by_length:
        lengths = [one.score.by_length() for one in found.values()]
        rows = [("length", "sentences", *found)]
        rows += [
            (f"{low}-{high}", f"{part.sentences:,}", *(f"{one[low, high].f1:.2f}" for one in lengths))
            for (low, high), part in lengths[0].items()
        ]
        blocks.append(format_rows(rows))
    return "\n".join(blocks)


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
