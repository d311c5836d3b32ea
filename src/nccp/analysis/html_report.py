"""An analysis as one self-contained HTML page, without scripts or external fonts and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from nccp.analysis.charts import CHART_STYLE, Bar, bar_chart
from nccp.analysis.error_analysis import Analysis, Sample
from nccp.analysis.error_tables import Table, error_tables
from nccp.analysis.errors import KINDS
from nccp.analysis.marked_trees import draw_marked
from nccp.scoring.score import percent
from nccp.trees.draw import draw_layers_svg
from nccp.trees.layout import visible

_STYLE = (
    """
:root{color-scheme:light dark;--ink:#1f2933;--faint:#5b6776;--paper:#fff;--card:#f5f7fa;--rule:#d9dee5;
--bar:#0072b2;--missed:#b45309;--extra:#c02626}
@media(prefers-color-scheme:dark){:root{--ink:#e5e9f0;--faint:#a3afbf;--paper:#14181f;--card:#1c222b;
--rule:#343d4a;--bar:#56a9e0;--missed:#f5b041;--extra:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK JP",sans-serif}
h1{font-size:1.5rem;margin:.5rem 0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .3rem}
h3{font-size:1rem;margin:1.6rem 0 .3rem}
p{margin:.3rem 0 .8rem;color:var(--faint);max-width:46rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.6rem;padding:0}
.figures div{background:var(--card);border-radius:.5rem;padding:.5rem .7rem}
.figures dt{color:var(--faint);font-size:.8rem}
.figures dd{margin:0;font-size:1.2rem;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:.2rem .7rem .2rem 0;text-align:left;border-bottom:1px solid var(--rule);vertical-align:top}
th{color:var(--faint);font-weight:600}
.n{text-align:right;white-space:nowrap}
td:last-child{overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:.8rem}
.tree{background:var(--card);border-radius:.5rem;padding:.5rem;overflow-x:auto;min-width:0}
.tree b{font-size:.85rem;color:var(--faint);position:sticky;left:0}
.tree svg{display:block}
.nccp-tree .missed .phrase{fill:var(--missed);text-decoration:underline}
.nccp-tree .extra .phrase{fill:var(--extra);text-decoration:underline}
.nccp-tree .wrong .tag{fill:var(--extra);text-decoration:underline}
.key-missed{color:var(--missed)}.key-extra{color:var(--extra)}
footer{margin:3rem 0 1rem;color:var(--faint);font-size:.85rem}
"""
    + CHART_STYLE
)


def html_report(analysis: Analysis, top: int = 15, *, version: str = "") -> str:
    """The page."""
    of = f"{analysis.trees}, {analysis.split}" if analysis.split else analysis.trees
    title = _text(f"{analysis.model} on {of}")
    charts = {"F1 by length": _lengths, "F1 by the parser's own score": _deciles, "Errors": _kinds}
    body = [f"<h1>{title}</h1>", *_figures(analysis)]
    for table in error_tables(analysis, top):
        body += [f"<h2>{_text(table.title)}</h2>", f"<p>{_text(table.note)}</p>"]
        if chart := charts.get(table.title):
            body.append(chart(analysis))
        body += _table(table)
    body += _samples("Invalid parses", _JOINED, analysis.joined[: max(3, top // 3)], forests=True)
    body += _samples("Worst sentences", _WORST, analysis.worst)
    body.append(f"<footer>nccp {_text(version)} analyse; brackets as in EVALB with the parameters ")
    body.append(f"{_text(analysis.parameters.name)}, gold tags deciding which words count.</footer>")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style>"
    )
    page = f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body)
    return page + "\n</body></html>\n"


_NUMBER = re.compile(r" (?=[\d,]+(?:, |$))")  # no line break between a name and its count
_JOINED = (
    "The model found no complete tree, and the decoder joined the parts under one root. The layers show "
    "where it stopped."
)
_WORST = "The sentences with the most wrong brackets among those that are short enough to be drawn."


def _text(text: str) -> str:
    """Text escaped for HTML, with control characters made visible."""
    return escape(visible(text))


def _figures(analysis: Analysis) -> Iterator[str]:
    total, (sentences, words) = analysis.score.total, analysis.speed
    shown = {
        "F1": f"{total.f1:.2f}",
        "recall": f"{total.recall:.2f}",
        "precision": f"{total.precision:.2f}",
        "complete match": f"{total.complete_match:.2f}",
        "tag accuracy": f"{total.tag_accuracy:.2f}",
        "sentences": f"{total.sentences:,}",
        "words": f"{analysis.tags.words:,}",
        "invalid parses": f"{len(analysis.joined):,}",
        "sentences/s": f"{sentences:,.0f}",
        "words/s": f"{words:,.0f}",
    }
    yield '<dl class="figures">'
    yield from (f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in shown.items())
    yield "</dl>"


def _lengths(analysis: Analysis) -> str:
    bars = [
        Bar(f"{low}–{high}", one.f1, f"{one.f1:.1f}  ({one.sentences:,})")
        for (low, high), one in analysis.score.by_length().items()
    ]
    return bar_chart("F1 by length", bars, 100)


def _deciles(analysis: Analysis) -> str:
    bars = [
        Bar(f"{one.lowest:.2f}–{one.highest:.2f}", one.totals.f1, f"{one.totals.f1:.1f}")
        for one in analysis.deciles
    ]
    return bar_chart("F1 by score", bars, 100)


def _kinds(analysis: Analysis) -> str:
    errors = analysis.errors
    counts = {kind: errors.missed[kind] + errors.extra[kind] for kind in KINDS}
    bars = [
        Bar(kind, count, f"{percent(count, errors.total):.1f} %") for kind, count in counts.items() if count
    ]
    return bar_chart("Errors by kind", bars)


def _table(table: Table) -> Iterator[str]:
    kinds = [' class="n"' if is_number else "" for is_number in table.numbers]

    def row(cell: str, cells: Iterable[str]) -> str:
        made = (
            f"<{cell}{kind}>{_NUMBER.sub('&nbsp;', _text(text))}</{cell}>" for kind, text in zip(kinds, cells)
        )
        return f"<tr>{''.join(made)}</tr>"

    yield '<div class="scroll"><table>'
    yield f"<thead>{row('th', table.head)}</thead><tbody>"
    yield from (row("td", cells) for cells in table.rows)
    yield "</tbody></table></div>"


def _samples(title: str, note: str, samples: list[Sample], *, forests: bool = False) -> Iterator[str]:
    if not samples:
        return
    yield f"<h2>{title}</h2>"
    yield (
        f'<p>{note} <span class="key-missed">Missed constituents</span> are marked in the gold tree, '
        f'<span class="key-extra">extra ones and wrong tags</span> in the predicted one.</p>'
    )
    for sample in samples:
        faults = ", ".join(dict.fromkeys(fault.kind for fault in sample.faults)) or "no wrong bracket"
        sure = "" if sample.confidence is None else f", score {sample.confidence:.3f}"
        counts = f"{len(sample.matching.missed)} missed, {len(sample.matching.extra)} extra{sure}"
        yield f"<h3>Sentence {sample.number:,}: {counts}</h3>"
        yield f"<p>{_text(' '.join(sample.gold.leaves()))}<br>{_text(faults)}</p>"
        if forests and sample.forest is not None:
            yield f'<div class="tree"><b>layers</b>{draw_layers_svg(sample.forest)}</div>'
        gold, pred = marked(sample)
        yield '<div class="pair">'
        yield f'<div class="tree"><b>gold</b>{gold}</div><div class="tree"><b>predicted</b>{pred}</div></div>'


def marked(sample: Sample) -> tuple[str, str]:
    """The gold tree with missed constituents marked, and the predicted one with extra ones."""
    matching = sample.matching
    missed = {matching.gold.nodes[place].number: "missed" for place in matching.missed}
    extra = {matching.pred.nodes[place].number: "extra" for place in matching.extra}
    tags = iter(sample.gold.tags())
    for number, node in enumerate(sample.pred.subtrees()):
        if node.is_preterminal and node.label() != next(tags):
            extra[number] = "wrong"
    return draw_marked(sample.gold, missed, title="gold"), draw_marked(sample.pred, extra, title="predicted")
