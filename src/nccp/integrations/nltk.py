"""The parser with the interface of NLTK's parsers, ``nltk.parse.api.ParserI``.

Examples::

    parser = NltkParser("en")
    next(parser.parse("The cat sat down .".split())).pretty_print()
    list(parser.raw_parse("The cat sat down. It slept."))
    parser.tagged_parse([("The", "DT"), ("cat", "NN"), ...])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nltk.parse.api import ParserI

from nccp.decoding import Parse
from nccp.decoding.input_sentence import Parsable
from nccp.runtime import load
from nccp.trees import Tree


class NltkParser(ParserI):  # type: ignore[misc]  # nltk has no type information
    """One tree for each sentence; none for a sentence without words."""

    def __init__(self, model: str | Path = "en", *, threads: int | None = None) -> None:
        """The model's name or the path of its bundle."""
        self.parser = load(model, threads=threads)

    def parse(self, sent: Parsable) -> Iterator[Tree]:
        """The tree of a sentence's words."""
        return _trees(self.parser.parse(sent))

    def parse_sents(self, sents: Iterable[Parsable]) -> Iterator[Iterator[Tree]]:
        """The trees of many sentences, parsed in batches on all cores."""
        return map(_trees, self.parser.parse_many(sents))

    def raw_parse(self, text: str) -> Iterator[Tree]:
        """The trees of all sentences of a text."""
        return (tree for parse in self.parser.parse_text(text) for tree in _trees(parse))

    def tagged_parse(self, sent: Sequence[tuple[str, str]]) -> Iterator[Tree]:
        """The tree of (word, tag) pairs; the tags are kept."""
        return self.parse(sent)

    def grammar(self) -> None:
        """None: the parser has no grammar."""


def _trees(parse: Parse) -> Iterator[Tree]:
    return iter(() if parse.tree is None else (parse.tree,))
