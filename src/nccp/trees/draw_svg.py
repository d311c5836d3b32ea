"""Trees as SVG: one self-contained file, for a page, a notebook or a paper."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html import escape

from nltk.tree import Tree as NltkTree

from nccp.trees.layout import Box, lay_out, visible

# All in pixels.
WORD_SIZE, LABEL_SIZE = 15, 13  # sizes of type
_ROW = 42  # from row to row
_BELOW = 22  # from a tag to its word
_MARGIN = 16
_GAP = 14  # between neighbours
_CORNER = 7  # radius
_SPACE = 24  # between drawings

_SIZE = re.compile(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"')

# Colours, light and dark. A page may set --nccp-ink and so on; Inkscape and others know no variables.
_COLOURS = {
    "word": ("fill", "ink", "#1f2933", "#e5e9f0"),
    "phrase": ("fill", "phrase", "#1d4ed8", "#8ab4ff"),
    "tag": ("fill", "tag", "#64748b", "#9aa7b8"),
    "edge": ("stroke", "line", "#8492a6", "#6b788a"),
    "paper": ("fill", "paper", "#ffffff", "#14181f"),
}
_LIGHT = "\n".join(
    f".nccp-tree .{part}{{{what}:{light};{what}:var(--nccp-{name},{light})}}"
    for part, (what, name, light, _) in _COLOURS.items()
)
_DARK = "".join(
    f"\n.nccp-tree .{part}{{{what}:var(--nccp-{name},{dark})}}"
    for part, (what, name, _, dark) in _COLOURS.items()
)
STYLE = f"""\
.nccp-tree{{color-scheme:light dark}}
.nccp-tree text{{text-anchor:middle;font-family:Inter,"Helvetica Neue",Arial,"Liberation Sans","Noto Sans",\
"Hiragino Sans","Yu Gothic","PingFang SC","Microsoft YaHei","Noto Sans CJK JP","Noto Sans CJK SC",sans-serif}}
.nccp-tree .word{{font-size:{WORD_SIZE}px}}
.nccp-tree .phrase{{font-size:{LABEL_SIZE}px;font-weight:600}}
.nccp-tree .tag{{font-size:{LABEL_SIZE - 1}px}}
.nccp-tree .edge{{fill:none;stroke-width:1.25;stroke-linejoin:round}}
{_LIGHT}
@media(prefers-color-scheme:dark){{{_DARK}
}}"""


def draw_svg(tree: NltkTree, *, title: str | None = None, background: bool = False) -> str:
    """A tree as an SVG document of its natural size.

    Each node is a ``<g>`` with ``data-label``, ``data-start``, ``data-end`` (its tokens) and ``data-score``,
    where it has them, and a tooltip that says the same. ``title``, for tooltips and screen readers, is the
    sentence unless given. Colours are CSS variables: ``--nccp-ink``, ``--nccp-phrase``, ``--nccp-tag``,
    ``--nccp-line``, and ``--nccp-paper`` for the ``background``.
    """
    boxes = lay_out(tree, text_width, _GAP)
    width, height = boxes[0].width + 2 * _MARGIN, _height(boxes[0].row) + _BELOW + _MARGIN
    size = f'width="{num(width)}" height="{num(height)}"'
    name = escape(visible(title) if title is not None else " ".join(box.word for box in boxes if box.word))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nccp-tree" role="img" aria-label="{name}" '
        f'{size} viewBox="0 0 {num(width)} {num(height)}">',
        f"<title>{name}</title>",
        f"<style>\n{STYLE}\n</style>",
    ]
    if background:
        lines.append(f'<rect class="paper" {size} rx="8"/>')
    for box in boxes:
        lines.append("".join(_node(box, [boxes[child] for child in box.children], boxes[0].row)))
    return "\n".join([*lines, "</svg>\n"])


def _node(box: Box, children: list[Box], top: int) -> Iterator[str]:
    """A node's group: its tooltip, the lines to its children, its label, its word."""
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
    if children:
        yield f'<path class="edge" d="{_lines(box, children, top)}"/>'
    if box.label:
        kind = "phrase" if box.children else "tag"
        yield f'<text class="{kind}" x="{num(x)}" y="{num(y)}">{escape(box.label)}</text>'
    if box.word:
        yield f'<text class="word" x="{num(x)}" y="{num(y + _BELOW)}">{escape(box.word)}</text>'
    yield "</g>"


def _height(rows_down: int) -> float:
    """The base line of a row's labels."""
    return _MARGIN + LABEL_SIZE * 0.8 + rows_down * _ROW


def _lines(box: Box, children: list[Box], top: int) -> str:
    """The lines from a node to its children, with rounded corners at both ends."""
    x, y = _MARGIN + box.center, _height(top - box.row) + LABEL_SIZE * 0.45
    bar = y + (_ROW - LABEL_SIZE * 1.55) / 2
    first, last = _MARGIN + children[0].center, _MARGIN + children[-1].center
    corner = min(_CORNER, (last - first) / 2)
    path = f"M{num(x)} {num(y)}V{num(bar)}"
    if len(children) > 1:
        path += f"M{num(first)} {num(bar + corner)}q0 {num(-corner)} {num(corner)} {num(-corner)}"
        path += f"H{num(last - corner)}q{num(corner)} 0 {num(corner)} {num(corner)}"
    for child in children:
        start = bar + corner if child is children[0] or child is children[-1] else bar
        end = _height(top - child.row) - (LABEL_SIZE * 1.1 if child.label else WORD_SIZE * 1.1 - _BELOW)
        path += f"M{num(_MARGIN + child.center)} {num(start)}V{num(end)}"
    return path


def num(number: float) -> str:
    """A number with one decimal at most."""
    return f"{number:.1f}".removesuffix(".0")


_NARROW, _WIDE = frozenset("iljItfr.,:;'|!()[]/\\ `‘’-·"), frozenset("mwMW%@—…&")


def text_width(text: str, is_word: bool) -> float:
    """The approximate width of a text in a sans-serif typeface; an upper estimate."""
    return sum(map(_em, text)) * (WORD_SIZE if is_word else LABEL_SIZE * 1.06)


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


def stack_svg(drawings: Sequence[str], style: str = "") -> str:
    """Drawings below each other in one SVG document."""
    sizes = [tuple(map(float, found.groups())) for one in drawings if (found := _SIZE.match(one))]
    width = max((width for width, _ in sizes), default=0)
    parts, y = [], 0.0
    for one, (_, height) in zip(drawings, sizes, strict=True):
        parts.append(one.replace("<svg ", f'<svg y="{y:g}" ', 1))
        y += height + _SPACE
    height = max(y - _SPACE, 0)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
    styles = [f"<style>{style}</style>"] if style else []
    return "\n".join([f'{head} viewBox="0 0 {width:g} {height:g}">', *styles, *parts, "</svg>"])
