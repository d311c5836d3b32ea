"""``nccp score``: EVALB scores for a file of predicted trees."""

from __future__ import annotations

import json
from dataclasses import replace

import click

from nccp.cli.options import prm_option
from nccp.errors import InputError
from nccp.scoring import BUILT_IN, Parameters, Score, as_dict, evalb_report, evalb_stop, score_files, table

_EPILOG = """\b
Examples:
  nccp score gold.mrg predicted.mrg
  nccp score gold.mrg predicted.mrg --prm COLLINS.prm --format evalb > report.txt
  nccp score gold.mrg predicted.mrg --by-label --by-length
  nccp score gold.mrg predicted.mrg --prm spmrl --json | jq .all.f1
  nccp parse < text | nccp score gold.mrg -
"""

_SHOWN = 5  # errors


@click.command("score", epilog=_EPILOG)
@click.argument("gold", type=click.Path())
@click.argument("pred", type=click.Path(allow_dash=True))
@prm_option(BUILT_IN)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "evalb", "json"]),
    default="table",
    show_default=True,
    help="Form of the report; evalb is EVALB's own, line for line.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option(
    "--gold-deletion",
    is_flag=True,
    help="Where predicted tags make a sentence an EVALB error (punctuation tagged as a word or the "
    "reverse), let the gold tags decide which words are left out. The report says how many "
    "sentences this rescued.",
)
@click.option("--by-label", is_flag=True, help="Also show scores for each label (table and json).")
@click.option(
    "--by-length", is_flag=True, help="Also show scores for each bin of ten words (table and json)."
)
@click.option(
    "--sentences", is_flag=True, help="Also give the counts of each sentence (json; evalb always has them)."
)
@click.option(
    "--cutoff",
    type=click.IntRange(min=0),
    metavar="N",
    help="Length limit of the second section, instead of CUTOFF_LEN in the parameters.",
)
@click.option(
    "--max-error",
    type=click.IntRange(min=0),
    metavar="N",
    help="Replaces MAX_ERROR in the parameters; only --format evalb stops there, as EVALB does.",
)
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of both files.")
def command(
    gold: str,
    pred: str,
    prm: str,
    form: str,
    as_json: bool,
    gold_deletion: bool,
    by_label: bool,
    by_length: bool,
    sentences: bool,
    cutoff: int | None,
    max_error: int | None,
    encoding: str,
) -> None:
    """Score predicted trees PRED against GOLD trees, as EVALB does, number for number.

    Files hold one tree per line, where a blank line or (()) is a failed parse, or trees over several lines.
    PRED may be - for standard input.
    """
    form = "json" if as_json else form
    if form == "evalb" and (by_label or by_length):
        raise click.UsageError("--by-label and --by-length are not part of EVALB's report: use table or json")
    if sentences and form != "json":
        raise click.UsageError("--sentences needs --format json")
    parameters = Parameters.load(prm)
    if cutoff is not None:
        parameters = replace(parameters, cutoff=cutoff)
    if max_error is not None:
        parameters = replace(parameters, max_error=max_error)
    score = score_files(gold, pred, parameters, gold_deletion=gold_deletion, encoding=encoding)
    if form == "evalb":
        _as_evalb(score, parameters.max_error)
        return
    _show_errors(score)
    if form == "json":
        made = as_dict(score, parameters, by_label=by_label, by_length=by_length, sentences=sentences)
        click.echo(json.dumps(made, indent=2, ensure_ascii=False))
    else:
        click.echo(table(score, by_label=by_label, by_length=by_length), nl=False)


def _show_errors(score: Score) -> None:
    """Show the first errors on stderr; the others mostly have the same cause."""
    errors = [(number, one.message) for number, one in enumerate(score.sentences, 1) if one.message]
    for number, message in errors[:_SHOWN]:
        click.echo(f"nccp: sentence {number}: {message}", err=True)
    if len(errors) > _SHOWN:
        click.echo(f"nccp: ... and {len(errors) - _SHOWN} more errors", err=True)


def _as_evalb(score: Score, max_error: int) -> None:
    """EVALB's report on stdout, its messages on stderr, its exit code."""
    stop = evalb_stop(score, max_error)
    for number, one in enumerate(score.sentences[: None if stop is None else stop + 1], 1):
        if one.message:
            click.echo(f"{number} : {one.message}", err=True)
    click.echo(evalb_report(score, max_error), nl=False)
    if stop is not None:
        raise InputError(
            f"gave up at sentence {stop + 1}, as EVALB does: more errors than MAX_ERROR {max_error} allows "
            f"(raise it with --max-error)"
        )
