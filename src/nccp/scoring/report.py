"""Reports of a score: EVALB's own, a table for people, a dictionary for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from nccp.scoring.counts import SentenceScore, Status
from nccp.scoring.parameters import Parameters
from nccp.scoring.score import LabelScore, Score, Totals, percent

# ---- EVALB's ----------------------------------------------------------------------------------------------

_RULE = "=" * 76
_HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag",
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy",
    _RULE,
)


def evalb_stop(score: Score, max_error: int) -> int | None:
    """The sentence (from 0) at which EVALB gives up for its number of errors; None if it does not."""
    errors = [i for i, one in enumerate(score.sentences) if one.status is Status.ERROR]
    return errors[max_error + 1] if len(errors) > max_error + 1 else None


def evalb_report(score: Score, max_error: int | None = None) -> str:
    """What EVALB prints, line for line.

    With ``max_error``, the report breaks off where EVALB gives up (see `evalb_stop`), without a summary.
    If gold tags decided any deletion, which EVALB knows nothing of, a section at the end says so.
    """
    stop = None if max_error is None else evalb_stop(score, max_error)
    lines = [*_HEAD, *(_row(number, one) for number, one in enumerate(score.sentences[:stop], 1))]
    if stop is None:
        lines += [_RULE, _sums(score.total), "=== Summary ==="]
        lines += ["", "-- All --", *_section(score.total)]
        lines += ["", f"-- len<={score.cutoff} --", *_section(score.short)]
        if score.gold_deletion:
            lines += [
                "",
                "-- Gold tags decide deletion --",
                f"Rescued sentence          = {score.total.rescued:6d}",
            ]
    return "\n".join(lines) + "\n"


def _row(number: int, one: SentenceScore) -> str:
    return (
        f"{number:4d}  {one.length:3d}    {one.status:d}  "
        f"{percent(one.matched, one.gold):6.2f} {percent(one.matched, one.test):6.2f}   "
        f"{one.matched:3d}    {one.gold:3d}  {one.test:3d}    {one.crossing:3d}"
        f"   {one.words:4d}  {one.correct_tags:4d}   {percent(one.correct_tags, one.words):6.2f}"
    )


def _sums(total: Totals) -> str:
    brackets = (
        f"                {total.recall:6.2f} {total.precision:6.2f} {total.matched:6d} "
        f"{total.gold:5d} {total.test:5d}  {total.crossing:5d}"
    )
    tags = f"  {total.words:5d} {total.correct_tags:5d}   {total.tag_accuracy:6.2f}"
    return brackets + tags if total.gold and total.test else tags


def _section(total: Totals) -> Iterable[str]:
    # without any match EVALB divides zero by zero, which C prints so on the usual machines
    f1 = f"{total.f1:6.2f}" if total.matched else "  -nan"
    return (
        f"Number of sentence        = {total.sentences:6d}",
        f"Number of Error sentence  = {total.errors:6d}",
        f"Number of Skip  sentence  = {total.skipped:6d}",
        f"Number of Valid sentence  = {total.valid:6d}",
        f"Bracketing Recall         = {total.recall:6.2f}",
        f"Bracketing Precision      = {total.precision:6.2f}",
        f"Bracketing FMeasure       = {f1}",
        f"Complete match            = {total.complete_match:6.2f}",
        f"Average crossing          = {total.average_crossing:6.2f}",
        f"No crossing               = {total.no_crossing:6.2f}",
        f"2 or less crossing        = {total.two_or_less_crossing:6.2f}",
        f"Tagging accuracy          = {total.tag_accuracy:6.2f}",
    )


# ---- for people -------------------------------------------------------------------------------------------

_FIGURES = (
    ("F1", "f1"),
    ("recall", "recall"),
    ("precision", "precision"),
    ("precision - recall", "precision_minus_recall"),
    ("complete match", "complete_match"),
    ("tag accuracy", "tag_accuracy"),
    ("average crossing", "average_crossing"),
    ("no crossing", "no_crossing"),
    ("2 or less crossing", "two_or_less_crossing"),
)
_NUMBERS = (("sentences", "sentences"), ("scored", "valid"), ("errors", "errors"), ("skipped", "skipped"))


def table(score: Score, *, by_label: bool = False, by_length: bool = False) -> str:
    """A table for people: all sentences beside the short ones, then the breakdowns asked for."""
    parts = (score.total, score.short)
    rows: list[Sequence[str]] = [("", "all", f"len<={score.cutoff}")]
    rows += [(name, *(f"{getattr(part, key):.2f}" for part in parts)) for name, key in _FIGURES]
    numbers = (*_NUMBERS, ("rescued", "rescued")) if score.gold_deletion else _NUMBERS
    rows += [(name, *(str(getattr(part, key)) for part in parts)) for name, key in numbers]
    blocks = [format_rows(rows)]
    if score.gold_deletion:
        rescued = score.total.rescued
        what = "1 sentence was" if rescued == 1 else f"{rescued} sentences were"
        blocks.append(
            f"Gold tags decided which words to leave out where predicted tags disagreed:\n"
            f"{what} rescued from being an error or skipped.\n"
        )
    if by_label:
        rows = [("label", "gold", "test", "recall", "precision", "F1")]
        rows += [(label, *_cells(one)) for label, one in score.by_label().items()]
        blocks.append(format_rows(rows))
    if by_length:
        rows = [("length", "sentences", "gold", "test", "recall", "precision", "F1", "complete match")]
        for (low, high), part in score.by_length().items():
            rows.append((f"{low}-{high}", str(part.sentences), *_cells(part), f"{part.complete_match:.2f}"))
        blocks.append(format_rows(rows))
    return "\n".join(blocks)


def _cells(one: LabelScore | Totals) -> tuple[str, ...]:
    return str(one.gold), str(one.test), f"{one.recall:.2f}", f"{one.precision:.2f}", f"{one.f1:.2f}"


def format_rows(rows: Sequence[Sequence[str]]) -> str:
    """Rows of a table: names flush left, numbers flush right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for name, *cells in rows:
        numbers = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:]))
        lines.append(f"{name:<{widths[0]}}{numbers}")
    return "\n".join(lines) + "\n"


# ---- for programs -----------------------------------------------------------------------------------------

_COUNTS = (
    *("sentences", "valid", "errors", "skipped", "rescued", "gold", "test", "matched", "complete"),
    *("words", "correct_tags", "crossing"),
)


def as_dict(
    score: Score,
    parameters: Parameters | None = None,
    *,
    by_label: bool = False,
    by_length: bool = False,
    sentences: bool = False,
) -> dict[str, Any]:
    """The score as plain dictionaries, ready for JSON; figures are in percent, not rounded."""
    made: dict[str, Any] = {
        "parameters": parameters.name if parameters else None,
        "gold_deletion": score.gold_deletion,
        "all": _totals(score.total),
        "short": {"cutoff": score.cutoff, **_totals(score.short)},
    }
    if by_label:
        made["by_label"] = {
            label: {
                **{key: getattr(one, key) for key in ("gold", "test", "recalled", "confirmed")},
                **{key: getattr(one, key) for key in ("recall", "precision", "f1")},
            }
            for label, one in score.by_label().items()
        }
    if by_length:
        made["by_length"] = [
            {"from": low, "to": high, **_totals(one)} for (low, high), one in score.by_length().items()
        ]
    if sentences:
        made["sentences"] = [_sentence(one) for one in score.sentences]
    return made


def _totals(total: Totals) -> dict[str, Any]:
    return {key: getattr(total, key) for key in (*(key for _, key in _FIGURES), *_COUNTS)}


def _sentence(one: SentenceScore) -> dict[str, Any]:
    keys = ("length", "message", "words", "correct_tags", "gold", "test", "matched", "crossing", "rescued")
    return {"status": one.status.name.lower(), **{key: getattr(one, key) for key in keys}}
