"""The tables of an error analysis, shared by the terminal and the HTML report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nccp.analysis.combination_order import SIDES, Internals
from nccp.analysis.error_analysis import Analysis
from nccp.analysis.errors import KINDS, ranked
from nccp.trees.draw_text import columns
from nccp.trees.layout import visible

Row = tuple[str, ...]

MEANINGS = {
    "label": "same words, other label",
    "unary": "a link of a unary chain too many or too few",
    "coordination": "what a conjunction coordinates",
    "attachment": "a constituent that both trees have is attached elsewhere",
    "boundary": "begins or ends at another word",
    "level": "a level too many or too few, nothing crossed",
    "crossing": "crosses constituents of the other tree",
}


class Table(NamedTuple):
    """Rows under a head; ``numbers`` says which columns are numbers."""

    title: str
    note: str
    head: Row
    rows: list[Row]
    numbers: tuple[bool, ...]


def error_tables(analysis: Analysis, top: int = 10) -> Iterator[Table]:
    """All tables with anything in them."""
    for make in (_length, _decile, _label, _kinds, _confusions, _attachments, _tags):
        table = make(analysis, top)
        if table.rows:
            yield table
    if analysis.internals is not None and analysis.internals.flat:
        yield from _internals(analysis.internals, top)


def _table(title: str, note: str, head: str, rows: Sequence[Row], text: tuple[int, ...] = (0,)) -> Table:
    names = tuple(head.split("|"))
    return Table(title, note, names, list(rows), tuple(i not in text for i in range(len(names))))


def _length(analysis: Analysis, top: int) -> Table:
    rows = [
        (f"{low}–{high}", f"{one.sentences:,}", f"{one.recall:.2f}", f"{one.precision:.2f}", f"{one.f1:.2f}")
        for (low, high), one in analysis.score.by_length().items()
    ]
    return _table("F1 by length", "In words.", "words|sentences|recall|precision|F1", rows)


def _decile(analysis: Analysis, top: int) -> Table:
    rows = [
        (
            f"{one.lowest:.3f}–{one.highest:.3f}",
            f"{one.totals.sentences:,}",
            f"{one.totals.f1:.2f}",
            f"{one.totals.complete_match:.2f}",
        )
        for one in analysis.deciles
    ]
    note = "Tenths of the sentences by the parser's confidence; F1 should increase from top to bottom."
    return _table("F1 by the parser's own score", note, "score|sentences|F1|complete", rows)


def _label(analysis: Analysis, top: int) -> Table:
    rows = [
        (
            label or "(none)",
            f"{one.gold:,}",
            f"{one.test:,}",
            f"{one.recall:.2f}",
            f"{one.precision:.2f}",
            f"{one.f1:.2f}",
        )
        for label, one in list(analysis.score.by_label().items())[: max(top, 20)]
    ]
    return _table("Labels", "The most frequent ones.", "label|gold|predicted|recall|precision|F1", rows)


def _kinds(analysis: Analysis, top: int) -> Table:
    errors = analysis.errors
    rows = []
    for kind in KINDS:
        count = errors.missed[kind] + errors.extra[kind]
        if count:
            most = ", ".join(f"{what} {n:,}" for what, n in ranked(errors.what[kind], 4))
            share = f"{count / errors.total:.1%}"
            rows.append((kind, f"{errors.missed[kind]:,}", f"{errors.extra[kind]:,}", share, most))
    note = "Each bracket without a match has one fault: " + "; ".join(
        f"{kind}, {meaning}" for kind, meaning in MEANINGS.items()
    )
    return _table("Errors", note + ".", "fault|missed|extra|share|most often", rows, (0, 4))


def _confusions(analysis: Analysis, top: int) -> Table:
    rows = [
        (gold or "(none)", pred or "(none)", f"{count:,}")
        for (gold, pred), count in ranked(analysis.errors.confusions, top)
    ]
    return _table("Confused labels", "Over the same words.", "gold|predicted|count", rows, (0, 1))


def _attachments(analysis: Analysis, top: int) -> Table:
    attachments, rows = analysis.attachments, []
    for label, wrong in attachments.errors()[:top]:
        if wrong:
            found = attachments.found[label]
            most = ", ".join(
                f"{gold} → {pred} {count:,}" for (gold, pred), count in attachments.confusions(label, 3)
            )
            rows.append((label or "(none)", f"{found:,}", f"{wrong:,}", f"{1 - wrong / found:.1%}", most))
    note = "Constituents that both trees have, and whether they have the right parent."
    head = "label|found|misattached|right|gold parent → predicted"
    return _table("Attachment", note, head, rows, (0, 4))


def _tags(analysis: Analysis, top: int) -> Table:
    tags = analysis.tags
    rows = [
        (gold, pred, f"{count:,}", ", ".join(f"{word} {n:,}" for word, n in tags.most(gold, pred)))
        for (gold, pred), count in ranked(tags.wrong, top)
    ]
    note = f"{tags.wrong.total():,} of {tags.words:,} words have a wrong tag."
    return _table("Confused tags", note, "gold|predicted|count|words", rows, (0, 1, 3))


def _internals(internals: Internals, top: int) -> Iterator[Table]:
    sides = internals.side.total()
    where = ", ".join(f"{internals.side[side] / sides:.0%} {side}" for side in SIDES) if sides else ""
    rows: list[Row] = [
        (parent or "(none)", f"{left} {right}", f"{count:,}")
        for (parent, left, right), count in ranked(internals.first, top)
    ]
    note = "In constituents of three children or more, the children that the binary model combines first"
    yield _table("First pairs", f"{note}: {where}.", "parent|pair|count", rows, (0, 1))
    rows = [
        (name, f"{count:,}", f"{internals.early[name] / count:.1%}", f"{internals.late[name] / count:.1%}")
        for name, count in ranked(internals.children, top)
    ]
    note = "Children of those constituents: how often they are in a first pair, and how often they come last."
    yield _table("Early and late children", note, "child|count|first|last", rows)


def error_text(analysis: Analysis, top: int = 10) -> str:
    """The whole analysis for the terminal."""
    total, (sentences, words) = analysis.score.total, analysis.speed
    of = f"{analysis.trees}, {analysis.split}" if analysis.split else analysis.trees
    lines = [
        f"{analysis.model} on {of}: {total.sentences:,} sentences, {analysis.tags.words:,} words",
        f"F1 {total.f1:.2f}, recall {total.recall:.2f}, precision {total.precision:.2f}, "
        f"complete match {total.complete_match:.2f}, tags {total.tag_accuracy:.2f}",
        f"{sentences:,.0f} sentences/s, {words:,.0f} words/s",
        f"{len(analysis.joined):,} invalid parses, joined under one root",
    ]
    lines += [f"  {one.number}: {visible(' '.join(one.gold.leaves()))}" for one in analysis.joined[:3]]
    for table in error_tables(analysis, top):
        lines += ["", table.title, *format_table(table)]
    return "\n".join(lines) + "\n"


def format_table(table: Table) -> Iterator[str]:
    """Lines of columns: text to the left, numbers to the right."""
    rows = [table.head, *table.rows]
    widths = [max(map(columns, column)) for column in zip(*rows)]
    for row in rows:
        cells = []
        for cell, width, is_number in zip(row, widths, table.numbers):
            filling = " " * (width - columns(cell))
            cells.append(filling + cell if is_number else cell + filling)
        yield "  " + "  ".join(cells).rstrip()
