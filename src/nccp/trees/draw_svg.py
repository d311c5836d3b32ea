"""Trees as SVG: one self-contained file, for a page, a notebook or a paper."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from html import escape

from nltk.tree import Tree as NltkTree

from nccp.trees.layout import Box, lay_out, visible

# All in pixels.
_WORD, _LABEL = 15, 13  # sizes of type
_ROW = 44  # from row to row
_BELOW = 22  # from a tag to its word
_MARGIN = 16
_GAP = 14  # between neighbours

# A page may set --nccp-ink and so on; without, colours follow the reader's light or dark setting.
_STYLE = f"""\
.nccp-tree{{--ink:#1f2933;--phrase:#1d4ed8;--tag:#64748b;--line:#94a3b8;--paper:#fff;color-scheme:light dark}}
@media(prefers-color-scheme:dark){{
.nccp-tree{{--ink:#e5e9f0;--phrase:#8ab4ff;--tag:#9aa7b8;--line:#5b6778;--paper:#14181f}}}}
.nccp-tree text{{text-anchor:middle;font-family:Inter,"Helvetica Neue",Arial,"Liberation Sans","Noto Sans",\
"Hiragino Sans","Yu Gothic","PingFang SC","Microsoft YaHei","Noto Sans CJK JP","Noto Sans CJK SC",sans-serif}}
.nccp-tree .word{{font-size:{_WORD}px;fill:var(--nccp-ink,var(--ink))}}
.nccp-tree .phrase{{font-size:{_LABEL}px;font-weight:600;fill:var(--nccp-phrase,var(--phrase))}}
.nccp-tree .tag{{font-size:{_LABEL - 1}px;fill:var(--nccp-tag,var(--tag))}}
.nccp-tree path{{fill:none;stroke:var(--nccp-line,var(--line));stroke-width:1.25}}
.nccp-tree .paper{{fill:var(--nccp-paper,var(--paper))}}
"""


def draw_svg(tree: NltkTree, *, title: str | None = None, background: bool = False) -> str:
    """A tree as an SVG document of its natural size.

    Each node is a ``<g>`` with ``data-label``, ``data-start`` and ``data-end`` (its tokens) and ``data-score``
    where it has them, and a tooltip that says the same. ``title``, for tooltips and screen readers, is the
    sentence unless given. Colours are CSS variables: ``--nccp-ink``, ``--nccp-phrase``, ``--nccp-tag``,
    ``--nccp-line``, and ``--nccp-paper`` for the ``background``.
    """
    boxes = lay_out(tree, _measure, _GAP)
    width, height = boxes[0].width + 2 * _MARGIN, _height(boxes[0].row) + _BELOW + _MARGIN
    size = f'width="{_n(width)}" height="{_n(height)}"'
    name = escape(visible(title) if title is not None else " ".join(box.word for box in boxes if box.word))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nccp-tree" role="img" aria-label="{name}" '
        f'{size} viewBox="0 0 {_n(width)} {_n(height)}">',
        f"<title>{name}</title>",
        f"<style>\n{_STYLE}</style>",
    ]
    if background:
        lines.append(f'<rect class="paper" {size} rx="8"/>')
    parents = {child: box for box in boxes for child in box.children}
    for i, box in enumerate(boxes):
        lines.append("".join(_node(box, parents.get(i), boxes[0].row)))
    return "\n".join([*lines, "</svg>\n"])


def _node(box: Box, parent: Box | None, top: int) -> Iterator[str]:
    """A node's group: its tooltip, the line up to its parent, its label, its word."""
    span, score = getattr(box.node, "span", None), getattr(box.node, "score", None)
    data, says = [f'data-label="{escape(box.label)}"'], [box.label or box.word]
    if span:
        data.append(f'data-start="{span[0]}" data-end="{span[1]}"')
        says.append(f"word {span[0] + 1}" if span[1] - span[0] == 1 else f"words {span[0] + 1}–{span[1]}")
    if score is not None:
        data.append(f'data-score="{score:.4g}"')
        says.append(f"score {score:.3g}")
    yield f"<g {' '.join(data)}><title>{escape(' · '.join(says))}</title>"
    x, y = _MARGIN + box.center, _height(top - box.row)
    if parent is not None:
        yield f'<path d="{_edge(parent, box, top)}"/>'
    if box.label:
        kind = "phrase" if box.children else "tag"
        yield f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}">{escape(box.label)}</text>'
    if box.word:
        yield f'<text class="word" x="{_n(x)}" y="{_n(y + _BELOW)}">{escape(box.word)}</text>'
    yield "</g>"


def _height(rows_down: int) -> float:
    """The base line of a row's labels."""
    return _MARGIN + _LABEL * 0.8 + rows_down * _ROW


def _edge(parent: Box, box: Box, top: int) -> str:
    """From below the parent's label, in a bow to above the child, then straight down to it."""
    x0, x1 = _MARGIN + parent.center, _MARGIN + box.center
    y0 = _height(top - parent.row) + _LABEL * 0.45
    y1 = _height(top - parent.row + 1) - _LABEL * 1.1
    end = _height(top - box.row) - (_LABEL * 1.1 if box.label else _WORD - _BELOW + 3)
    bend = (y0 + y1) / 2
    if abs(x0 - x1) < 0.05:
        return f"M{_n(x0)} {_n(y0)}V{_n(end)}"
    bow = f"M{_n(x0)} {_n(y0)}C{_n(x0)} {_n(bend)} {_n(x1)} {_n(bend)} {_n(x1)} {_n(y1)}"
    return bow if end - y1 < 0.05 else f"{bow}V{_n(end)}"


def _n(number: float) -> str:
    """A number with one decimal at most."""
    return f"{number:.1f}".removesuffix(".0")


_NARROW, _WIDE = frozenset("iljItfr.,:;'|!()[]/\\ `‘’-·"), frozenset("mwMW%@—…&")


def _measure(text: str, is_word: bool) -> float:
    """About how wide a text is in a sans-serif typeface; rather too wide than too narrow."""
    return sum(map(_em, text)) * (_WORD if is_word else _LABEL * 1.06)


def _em(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.95
    if letter < "\x7f":
        return 0.7 if letter.isupper() else 0.58
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.72
