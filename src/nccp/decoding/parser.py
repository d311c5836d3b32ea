"""The parser: text or words in, trees out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from textwrap import shorten

from nccp.decoding.constraints import Constraint
from nccp.decoding.engine import Engine
from nccp.decoding.input_sentence import InputSentence, Parsable, prepare
from nccp.decoding.k_best import Candidate, find_best
from nccp.decoding.results import Parse
from nccp.decoding.stream import BATCH, stream
from nccp.errors import InputError, NccpWarning
from nccp.languages import Sentence, find_sentences, known_language, split_text


class Parser:
    """A model that is ready to parse; threads may share it.

        parser = nccp.load("en")
        parser.parse("The cat sat down.").tree
        parser.parse(["The", "cat", "sat", "down", "."])
        parser.parse([("The", "DT"), ("cat", None), ...])      # tags to keep; None: predict the tag
        parser.parse(words, constraints=[nccp.Constraint(0, 2, "NP")])
        parser.parse_k("I saw the man with a telescope.", 3)   # the best trees, with scores
        for parse in parser.parse_many(open("lines.txt")):     # in order, whatever the file's size
            print(parse.brackets())

    Words and tags of the input are never changed. Parsing never fails: where the model combines nothing, and
    in a sentence of more than 2,048 words, the parts are joined under one root (``parse.joined``).
    """

    def __init__(
        self,
        engine: Engine,
        language: str = "en",
        *,
        name: str = "",
        threads: int | None = None,
        flat: tuple[str, ...] = (),
    ) -> None:
        """``threads``: the number of threads of `parse_many`; None for one per core."""
        self.engine, self.language, self.name = engine, language, name
        self.flat = flat
        """Labels that were flattened in its treebanks: it never predicts them, so they are removed from gold
        trees before scoring."""
        self.threads = threads or _cores()
        self.split_hyphens = "HYPH" in engine.symbols.tags
        """Whether the model's treebanks cut words at hyphens; they have a tag for hyphens then."""

    def __repr__(self) -> str:
        return f"Parser({self.name!r}, language={self.language!r})"

    def parse(
        self, sentence: Parsable, *, scores: bool = True, constraints: Sequence[Constraint] = ()
    ) -> Parse:
        """Parse one sentence: its text, its words, or (word, tag) pairs.

        A text is parsed as one sentence, with a warning if it seems to hold several; `parse_text` splits a
        text into sentences. Without any words the result is a `Parse` without a tree.

        The tree obeys the ``constraints``; an error says why it cannot. Such a parse has no confidences.
        """
        if constraints:
            return self.parse_k(sentence, 1, constraints=constraints)[0].parse
        if isinstance(sentence, str):
            self._warn_of_several(sentence)
        (parse,) = stream(self.engine, [self.prepare(sentence)], scores=scores)
        return parse

    def parse_k(
        self, sentence: Parsable, k: int = 5, *, constraints: Sequence[Constraint] = ()
    ) -> list[Candidate]:
        """The ``k`` best trees of a sentence with their scores, the best first; all of them different.

        The first one is the tree that `parse` gives, and its score is 1. The others go against the model in
        some decisions, and their score is the product of the odds of these; see `nccp.decoding.k_best`.
        There may be fewer than ``k``. Binary and multi-branching models are supported alike, constraints not
        for models of the triangular format. A sentence has at most 500 words.
        """
        return find_best(self.engine, self.prepare(sentence), k, constraints)

    def parse_many(
        self,
        sentences: Iterable[Parsable],
        *,
        batch_size: int = BATCH,
        threads: int | None = None,
        scores: bool = True,
        progress: bool = False,
    ) -> Iterator[Parse]:
        """Parse sentences of any of the kinds that `parse` takes, also mixed, also without end.

        Results come in the order of the sentences, some thousands of which are held at a time. Without
        ``scores`` it is a little faster. ``progress`` shows a bar on a terminal.
        """
        if isinstance(sentences, (str, bytes)):
            raise InputError("parse_many takes many sentences; for a text there are parse and parse_text")
        if batch_size < 1 or (threads is not None and threads < 1):
            raise InputError("batch_size and threads must be at least 1")
        prepared = (self.prepare(sentence) for sentence in sentences)
        results = stream(
            self.engine, prepared, batch_size=batch_size, threads=threads or self.threads, scores=scores
        )
        total = len(sentences) if isinstance(sentences, Sized) else None
        return _with_bar(results, total) if progress else results

    def parse_text(
        self,
        text: str | Iterable[str],
        *,
        batch_size: int = BATCH,
        threads: int | None = None,
        scores: bool = True,
        progress: bool = False,
    ) -> Iterator[Parse]:
        """Split a text into sentences and parse each; offsets are those in the whole text.

        The text may come in pieces, such as the lines of an open file.
        """
        return self.parse_many(
            self.split(text), batch_size=batch_size, threads=threads, scores=scores, progress=progress
        )

    def _warn_of_several(self, text: str) -> None:
        known = known_language(self.language)
        if known is not None and len(list(islice(find_sentences(text, known.code), 2))) > 1:
            warnings.warn(
                f"parse takes one sentence, and {shorten(text, 50)!r} seems to hold several, which are now "
                "parsed as one; use parse_text to split a text into sentences, or pass words",
                NccpWarning,
                stacklevel=3,
            )

    def split(self, text: str | Iterable[str]) -> Iterator[Sentence]:
        """The sentences of a text, in words as the model's treebanks cut them; not parsed yet."""
        return split_text(text, self.language, split_hyphens=self.split_hyphens)

    def prepare(self, sentence: Parsable) -> InputSentence:
        """A sentence's words as they will be parsed, and where they stand in its text."""
        return prepare(sentence, self.language, split_hyphens=self.split_hyphens)


def _with_bar(results: Iterator[Parse], total: int | None) -> Iterator[Parse]:
    from tqdm.auto import tqdm  # in notebooks a bar of their own

    yield from tqdm(results, total=total, unit=" sentences", disable=None, leave=False)


def _cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1
