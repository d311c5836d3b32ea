"""Parses as tables: rows of plain values, or a pandas DataFrame.

nccp.to_frame(parser.parse_text(text))                        a row per sentence
nccp.to_frame(parser.parse_text(text), "constituents")        a row per constituent
nccp.to_frame(parser.parse_text(text), "words")               a row per word
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from nccp.decoding.results import Parse
from nccp.errors import InputError, need

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]

COLUMNS = {
    "sentences": ("sentence", "text", "words", "tags", "tree", "score", "joined"),
    "constituents": ("sentence", "label", "start", "end", "words", "score", "start_char", "end_char"),
    "words": ("sentence", "number", "word", "tag", "start_char", "end_char"),
}
"""The columns of each kind of table. Sentences and words are numbered from 1; ``start`` and ``end`` count
words from 0, the end not included, as in `Span`."""


def to_rows(parses: Iterable[Parse], kind: str = "sentences") -> Iterator[Row]:
    """The rows of a table, as dictionaries."""
    if kind not in COLUMNS:
        raise InputError(f"no kind of table {kind!r}: choose one of {', '.join(COLUMNS)}")
    make = _MAKERS[kind]
    return (row for number, parse in enumerate(parses, 1) for row in make(number, parse))


def to_frame(parses: Iterable[Parse], kind: str = "sentences") -> pandas.DataFrame:
    """The same table as a pandas DataFrame; it has all columns even without rows."""
    frames = need("pandas", "pandas", "to_frame")
    frame: pandas.DataFrame = frames.DataFrame(list(to_rows(parses, kind)), columns=list(COLUMNS[kind]))
    return frame


def _sentence(number: int, parse: Parse) -> Iterator[Row]:
    yield {
        "sentence": number,
        "text": parse.text,
        "words": list(parse.words),
        "tags": parse.tags,
        "tree": parse.brackets(),
        "score": parse.score,
        "joined": parse.joined,
    }


def _constituents(number: int, parse: Parse) -> Iterator[Row]:
    for span in parse.spans:
        words = list(parse.words[span.start : span.end])
        yield {"sentence": number, **span._asdict(), "words": words}


def _words(number: int, parse: Parse) -> Iterator[Row]:
    none = [(None, None)] * len(parse.words)
    offsets: Iterable[tuple[int | None, int | None]] = none if parse.offsets is None else parse.offsets
    for place, (word, tag, (start, end)) in enumerate(zip(parse.words, parse.tags, offsets), 1):
        yield {
            "sentence": number,
            "number": place,
            "word": word,
            "tag": tag,
            "start_char": start,
            "end_char": end,
        }


_MAKERS: dict[str, Callable[[int, Parse], Iterator[Row]]] = {
    "sentences": _sentence,
    "constituents": _constituents,
    "words": _words,
}
