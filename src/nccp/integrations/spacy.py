"""A spaCy component: constituents on any Doc, by the names that users of benepar know.

    nlp = spacy.blank("en")
    nlp.add_pipe("nccp", config={"model": "en"})     # no import needed: spaCy finds it
    sentence, *_ = nlp("The cat sat on the mat.").sents
    sentence._.parse_string                          # (S (NP (DT The) (NN cat)) ...
    sentence._.labels                                # ("S",); of a unary chain all, the top one first
    for part in sentence._.constituents:             # itself, then all below it, down to single words
        part, part._.labels, part._.score, part._.parent, list(part._.children)

spaCy's words are never changed, and its tags are kept where there are any; sentences and tags that no other
component has set are set here. White space that is a token in spaCy is not a word to the parser.

A span that is not a constituent has the labels, score, parse_string and parent None, and no children.

Everything is kept in ``doc._.nccp`` in plain values, so that documents can be written and read again, also by
``doc.to_json(underscore=["nccp"])``. ``doc._.parse_strings`` is the list of its sentences' trees.

A Doc may come with its own words, in any language; then no segmenter is needed. ``spacy.blank("zh")`` makes
every character a word, which no model was trained on: a warning says how to have Chinese words.
"""

from __future__ import annotations

import warnings
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from nccp.decoding import Parse, Parser
from nccp.decoding.results import writable
from nccp.errors import InputError, NccpWarning
from nccp.languages import find_sentences, known_language
from nccp.runtime import load

_MANY = 8  # characters of a text that are certainly not all words
Row = tuple[int, int, list[str], float | None]  # first token, minus the last one's end, labels, score
# rows are in the order of the tree, parents first, which is the order of their first two numbers


class ConstituencyParser:
    """The component."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        language = known_language(parser.language)
        self._may_warn = language is not None and not language.spaced

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 100) -> Iterator[Doc]:
        """Documents in their order; the sentences of ``batch_size`` documents are parsed together."""
        stream = iter(stream)
        while docs := list(islice(stream, batch_size)):
            self._warn_of_characters(docs)
            places = [self._places(doc) for doc in docs]
            sentences = [_words(doc, places_) for doc, sents in zip(docs, places) for places_ in sents]
            parses = self.parser.parse_many(sentences)
            for doc, sents in zip(docs, places):
                _annotate(doc, [(place, next(parses)) for place in sents])
                yield doc

    def _warn_of_characters(self, docs: list[Doc]) -> None:
        """Warn once if the words of a document are mere characters, as those of ``spacy.blank("zh")``."""
        if self._may_warn and any(
            len(doc) >= _MANY and all(len(token) == 1 for token in doc) for doc in docs
        ):
            self._may_warn = False
            warnings.warn(
                f"every word of a document is a single character, and the model {self.parser.name!r} was "
                "trained on words, so that its trees will be poor; let spaCy segment words, such as by "
                "spacy.blank('zh', config={'nlp': {'tokenizer': {'segmenter': 'jieba'}}}), "
                "or make a Doc of words that you have",
                NccpWarning,
                stacklevel=3,
            )

    def _places(self, doc: Doc) -> list[list[int]]:
        """The tokens of each sentence that are words."""
        if len(doc) and not doc.has_annotation("SENT_START"):
            starts = (sentence.start for sentence in find_sentences(doc.text, self.parser.language))
            start = next(starts, None)
            for token in doc:
                token.is_sent_start = start is not None and start < token.idx + len(token)
                start = next(starts, None) if token.is_sent_start else start
        sentences = doc.sents if len(doc) else ()
        return [[token.i for token in sentence if not token.is_space] for sentence in sentences]


def _words(doc: Doc, places: list[int]) -> list[tuple[str, str | None]]:
    return [(doc[i].text, doc[i].tag_ or None) for i in places]


def _annotate(doc: Doc, parses: list[tuple[list[int], Parse]]) -> None:
    rows: list[Row] = []
    tags = [""] * len(doc)
    tagged = doc.has_annotation("TAG")
    for places, parse in parses:
        for i, tag in zip(places, parse.tags):
            tags[i] = tag
            if not tagged:
                doc[i].tag_ = tag
        for label, start, end, score, *_ in parse.spans:
            first, last = places[start], -(places[end - 1] + 1)
            if rows and rows[-1][:2] == (first, last):
                rows[-1][2].append(label)  # a unary chain
            else:
                rows.append((first, last, [label], score))
    doc._.nccp = {"rows": rows, "tags": tags}


# ---- what there is under ``._``: functions of a span


def _data(doc: Doc) -> Any:
    if doc._.nccp is None:
        raise InputError("this document has no constituents: add_pipe('nccp') to its pipeline")
    return doc._.nccp


def _find(span: Span) -> tuple[list[Row], int, Row] | None:
    """All rows, the place of the span's own, and that one; a lone word may have none in the list.

    None if the span is not a constituent.
    """
    rows = _data(span.doc)["rows"]
    start, end = _trim(span)
    place = bisect_left(rows, [start, -end], key=lambda row: [row[0], row[1]])
    if place < len(rows) and list(rows[place][:2]) == [start, -end]:
        return rows, place, rows[place]
    if end - start == 1:
        return rows, place, (start, -end, [], None)
    return None


def _trim(span: Span) -> tuple[int, int]:
    """The span's first and last word: white space around it is no part of any constituent."""
    start, end = span.start, span.end
    while start < end - 1 and span.doc[start].is_space:
        start += 1
    while end - 1 > start and span.doc[end - 1].is_space:
        end -= 1
    return start, end


def _labels(span: Span) -> tuple[str, ...] | None:
    found = _find(span)
    return None if found is None else tuple(found[2][2])


def _score(span: Span) -> float | None:
    found = _find(span)
    return None if found is None else found[2][3]


def _children(span: Span) -> Iterator[Span]:
    found = _find(span)
    if found is None:
        return
    rows, place, (start, end, labels, _) = found
    place, i = place + bool(labels), start
    if i + 1 == -end:
        return
    while i < -end:
        if span.doc[i].is_space:
            i += 1
            continue
        below = place < len(rows) and rows[place][0] == i
        stop = -rows[place][1] if below else i + 1
        yield span.doc[i:stop]
        while place < len(rows) and rows[place][0] < stop:
            place += 1
        i = stop


def _constituents(span: Span) -> Iterator[Span]:
    start, end = _trim(span)
    left = [] if _find(span) is None else [span.doc[start:end]]
    while left:
        part = left.pop()
        yield part
        left.extend(reversed(list(_children(part))))


def _parent(span: Span) -> Span | None:
    found = _find(span)
    if found is None:
        return None
    rows, place, (_, end, _, _) = found
    first = span.sent.start
    for start, stop, *_ in map(rows.__getitem__, reversed(range(place))):
        if start < first:
            break
        if stop <= end:
            return span.doc[start:-stop]
    return None


def _parse_string(span: Span) -> str | None:
    found = _find(span)
    if found is None:
        return None
    rows, place, (start, end, *_) = found
    tags = _data(span.doc)["tags"]
    opened: dict[int, str] = {}
    closed: Counter[int] = Counter()
    for first, last, labels, _ in islice(rows, place, None):
        if first >= -end:
            break
        opened[first] = opened.get(first, "") + "".join(f"({label} " for label in labels)
        closed[-last - 1] += len(labels)
    places = [i for i in range(start, -end) if not span.doc[i].is_space]
    words = writable([span.doc[i].text for i in places])
    marks = writable([tags[i] for i in places])
    return " ".join(
        f"{opened.get(i, '')}({tag} {word}){')' * closed[i]}" for i, tag, word in zip(places, marks, words)
    )


def _parse_strings(doc: Doc) -> list[str]:
    return [
        sentence._.parse_string for sentence in doc.sents if not all(token.is_space for token in sentence)
    ]


_ATTRIBUTES: dict[str, Callable[[Span], Any]] = {
    "labels": _labels,
    "score": _score,
    "parse_string": _parse_string,
    "constituents": _constituents,
    "children": _children,
    "parent": _parent,
}


def _of_token(function: Callable[[Span], Any]) -> Callable[[Token], Any]:
    return lambda token: function(token.doc[token.i : token.i + 1])


_OF_TOKENS = ("labels", "parse_string", "parent")

Doc.set_extension("nccp", default=None, force=True)
Doc.set_extension("parse_strings", getter=_parse_strings, force=True)
for _name, _function in _ATTRIBUTES.items():
    Span.set_extension(_name, getter=_function, force=True)
    if _name in _OF_TOKENS:
        Token.set_extension(_name, getter=_of_token(_function), force=True)


@Language.factory(
    "nccp",
    default_config={"model": "en", "threads": None},
    assigns=[
        "doc.sents",
        "doc._.nccp",
        "doc._.parse_strings",
        "token.is_sent_start",
        "token.tag",
        *(f"span._.{name}" for name in _ATTRIBUTES),
        *(f"token._.{name}" for name in _OF_TOKENS),
    ],
)
def create_component(nlp: Language, name: str, model: str, threads: int | None) -> ConstituencyParser:
    """For ``nlp.add_pipe("nccp", config={"model": ..., "threads": ...})``."""
    return ConstituencyParser(load(model, threads=threads))
