"""The work behind each endpoint: from a checked question to an answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from nccp.decoding import Parser
from nccp.decoding.input_sentence import Given, Parsable
from nccp.decoding.trace import Trace
from nccp.errors import InputError
from nccp.languages.sentences import split_text
from nccp.trees import Tree
from nccp.web.answers import json_answer
from nccp.web.batching import Batcher
from nccp.web.gold import compare as compare_trees
from nccp.web.gold import read_all, read_items, total_value
from nccp.web.limits import Limits, Refused
from nccp.web.models import Models
from nccp.web.rows import Rows
from nccp.web.schemas import CompareQuestion, OpenQuestion, ParseQuestion
from nccp.web.values import encode, parse_value, tree_value

Lines = AsyncGenerator[bytes, None]


async def parse(question: ParseQuestion, models: Models, limits: Limits) -> Response:
    """``/api/parse``"""
    layers, name = question.layers, question.model or models.default
    batcher, sentences = await run_in_threadpool(_prepare, question, models, limits, layers)
    traces = await _all(batcher, sentences, layers=layers)

    def made() -> Response:
        values = [parse_value(trace, layers=layers) for trace in traces]
        return json_answer({"model": name, "sentences": values})

    return await run_in_threadpool(made)


async def parse_lines(question: ParseQuestion, models: Models, limits: Limits) -> Lines:
    """``/api/parse/stream``: what is wrong with the question is found before the first line."""
    layers = question.layers
    batcher, sentences = await run_in_threadpool(_prepare, question, models, limits, layers)

    def written(part: Sequence[Trace]) -> bytes:
        return join_lines(parse_value(trace, layers=layers) for trace in part)

    async def lines() -> Lines:
        async with aclosing(batcher.parse(sentences, layers=layers)) as parts:
            async for part in parts:
                yield await run_in_threadpool(written, part)

    return lines()


async def compare(question: CompareQuestion, models: Models, limits: Limits) -> Response:
    """``/api/compare``"""
    if question.gold is None:
        batcher, sentences = await run_in_threadpool(_prepare, question, models, limits)
        second = await run_in_threadpool(models.get, question.other_model)
        sentences = [given for given in sentences if len(given)]
        left, right = await _all(batcher, sentences), await _all(second, sentences)
        return await run_in_threadpool(_compared, map(_traced, left), map(_traced, right))
    if question.other is not None:
        golds = await run_in_threadpool(read_all, question.gold, limits, "gold")
        others = await run_in_threadpool(read_all, question.other, limits, "other")
        if len(golds) != len(others):
            raise Refused(422, f"There are {len(golds):,} trees in gold and {len(others):,} in other.")
        return await run_in_threadpool(_compared, map(_given, golds), map(_given, others))
    batcher = await run_in_threadpool(models.get, question.model)
    golds = await run_in_threadpool(read_all, question.gold, limits, "gold", batcher.parser.flat)
    right = await _all(batcher, [Given(gold.leaves()) for gold in golds])
    return await run_in_threadpool(_compared, map(_given, golds), map(_traced, right))


async def open_lines(question: OpenQuestion, models: Models, limits: Limits) -> Lines:
    """``/api/open``: all trees are read before the first line."""

    def prepare() -> tuple[Batcher | None, Rows]:
        batcher = None if question.model is None else models.get(question.model)
        items = []
        for item in read_items(question.trees, limits, batcher.parser.flat if batcher else ()):
            items.append(item)
            if len(items) > limits.sentences:
                raise Refused(413, f"The file has more than {limits.sentences:,} trees.")
        return batcher, Rows(items)

    batcher, rows = await run_in_threadpool(prepare)

    async def lines() -> Lines:
        if batcher is None:
            for listed in rows.listed():
                yield join_lines(listed)
        else:
            async with aclosing(batcher.parse(rows.sentences)) as parts:
                async for part in parts:
                    yield await run_in_threadpool(lambda part: join_lines(rows.scored(part)), part)
        yield join_lines(rows.rest())

    return lines()


def join_lines(values: Iterable[Any]) -> bytes:
    """A line of JSON each."""
    return b"".join(encode(value) + b"\n" for value in values)


async def _all(batcher: Batcher, sentences: Sequence[Given], *, layers: bool = False) -> list[Trace]:
    async with aclosing(batcher.parse(sentences, layers=layers)) as parts:
        return [trace async for part in parts for trace in part]


Side = tuple[Tree, dict[str, Any]]  # a tree, and what is said of it


def _given(tree: Tree) -> Side:
    return tree, tree_value(tree)


def _traced(trace: Trace) -> Side:
    assert trace.parse.tree is not None  # sentences without words have been left out
    return trace.parse.tree, parse_value(trace)


def _compared(lefts: Iterable[Side], rights: Iterable[Side]) -> Response:
    values, scores = [], []
    for number, ((left, left_value), (right, right_value)) in enumerate(zip(lefts, rights), 1):
        try:
            found = compare_trees(left, right)
        except InputError as error:
            raise Refused(422, f"Sentence {number}: {error}.") from None
        scores.append(found.score)
        values.append({"left": left_value, "right": right_value, **found.to_dict()})
    return json_answer({"sentences": values, "total": total_value(scores)})


def _prepare(
    question: ParseQuestion | CompareQuestion, models: Models, limits: Limits, layers: bool = False
) -> tuple[Batcher, list[Given]]:
    """The model and the words of each sentence, all within the limits."""
    batcher = models.get(question.model)
    most, longest = limits.sentences, limits.words
    if layers:
        most, longest = limits.layered, limits.layered_words
    kind = " with layers" if layers else ""
    found: list[Given] = []
    for given in _sentences(question, batcher.parser, limits):
        found.append(given)
        if len(found) > most:
            raise Refused(413, f"There are more than {most:,} sentences{kind}.")
        if len(given) > longest:
            what = f"has {len(given):,} words, and at most {longest:,} are taken{kind}"
            raise Refused(413, f"Sentence {len(found)} {what}.")
    return batcher, found


def _sentences(question: ParseQuestion | CompareQuestion, parser: Parser, limits: Limits) -> Iterator[Given]:
    if question.text is not None and not question.tokenized:
        sentences = split_text(question.text, parser.language, split_hyphens=parser.split_hyphens)
        yield from map(parser.understand, sentences)
        return
    given: Iterable[Parsable]
    if question.text is not None:
        given = [line.split() for line in question.text.splitlines() if line.strip()]
    else:
        given = [_words(one, question.tokenized) for one in question.sentences or []]
    for number, sentence in enumerate(given, 1):
        size = _size(sentence)
        if size > limits.letters:
            what = f"has {size:,} characters, and at most {limits.letters:,} are taken"
            raise Refused(413, f"Sentence {number} {what}.")
        yield parser.understand(sentence)


def _words(sentence: Any, tokenized: bool) -> Any:
    return sentence.split() if tokenized and isinstance(sentence, str) else sentence


def _size(sentence: Any) -> int:
    """Characters in all its words and tags."""
    return len(sentence) if isinstance(sentence, str) else sum(map(_size, filter(None, sentence)))
