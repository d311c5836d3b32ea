"""A row of the output, version 1: what every format holds of a sentence. See ``docs/how-to/bulk.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nccp.bulk.reading import Item
from nccp.characters import replace_surrogates

if TYPE_CHECKING:
    from nccp.decoding import Parse

SCHEMA_VERSION = 1
"""Changes whenever a column is renamed, removed, or gets another meaning."""

COLUMNS = {
    "source": "string",
    "document": "int64",
    "document_id": "string",
    "sentence": "int64",
    "start": "int64",
    "end": "int64",
    "text": "string",
    "words": "list<string>",
    "word_starts": "list<int64>",
    "word_ends": "list<int64>",
    "tags": "list<string>",
    "tree": "string",
    "score": "double",
    "fallback": "bool",
}
"""The columns and their Arrow types."""

Row = dict[str, Any]


def make_row(source: str, item: Item, parse: Parse, root: str | None) -> Row:
    """The row of a sentence; documents and sentences are numbered from 1, characters from 0.

    Bytes that were invalid in the encoding of the input become U+FFFD, each one character.
    """
    starts, ends = _offsets(item, parse)
    score = parse.score
    return {
        "source": replace_surrogates(source),
        "document": item.document + 1,
        "document_id": None if item.id is None else replace_surrogates(item.id),
        "sentence": item.sentence + 1,
        "start": item.start,
        "end": None if item.start is None or item.text is None else item.start + len(item.text),
        "text": None if item.text is None else replace_surrogates(item.text),
        "words": [replace_surrogates(word) for word in parse.words],
        "word_starts": starts,
        "word_ends": ends,
        "tags": parse.tags,
        "tree": replace_surrogates(parse.brackets(root)),
        "score": None if score is None else round(score, 6),
        "fallback": parse.joined or item.more,
    }


def _offsets(item: Item, parse: Parse) -> tuple[list[int] | None, list[int] | None]:
    """Where each word starts and ends in the document."""
    places, base = (item.offsets, 0) if item.offsets is not None else (parse.offsets, item.start or 0)
    if places is None:
        return None, None
    return [base + start for start, _ in places], [base + end for _, end in places]
