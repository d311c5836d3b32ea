"""What each endpoint does: from a decoded request to a response."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool

from nccp import __version__
from nccp.decoding import Parser
from nccp.decoding.input_sentence import InputSentence, Parsable
from nccp.decoding.trace import Trace
from nccp.errors import InputError
from nccp.languages import explain as explain_label
from nccp.languages import known_language
from nccp.trees import Tree, unescape_word
from nccp.trees.draw import draw_indented, draw_latex, draw_svg, draw_text
from nccp.web import responses, scores, trees
from nccp.web.batching import Batcher, Result
from nccp.web.guard import Limits, Refused, hold_words
from nccp.web.models import Models
from nccp.web.requests import (
    CompareRequest,
    DrawRequest,
    ExplainRequest,
    LayersRequest,
    OpenRequest,
    ParseRequest,
)
from nccp.web.responses import encode_lines
from nccp.web.scores import Rows

Lines = AsyncGenerator[bytes, None]


@dataclass
class Service:
    """What the handlers work with."""

    models: Models
    limits: Limits = field(default_factory=Limits)
    draining: bool = False
    """Whether the server has been told to end, and only finishes what it has begun."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the time for that is over: unfinished requests are then refused."""


async def health(service: Service) -> responses.Health:
    """``/api/health``"""
    return responses.Health(status="ok", version=__version__, models=service.models.names)


async def describe_models(service: Service) -> responses.ModelsResponse:
    """``/api/models``"""
    limits = service.limits
    return responses.ModelsResponse(
        default=service.models.default,
        models=service.models.describe(),
        languages=await run_in_threadpool(service.models.languages),
        limits=responses.LimitsInfo(
            body=limits.body,
            sentences=limits.sentences,
            words=limits.words,
            request_words=limits.request_words,
            layered=limits.layered,
            layered_words=limits.layered_words,
        ),
    )


async def ready(service: Service) -> responses.Health:
    """``/api/ready``"""
    if service.stopping.is_set() or service.draining:
        raise Refused(503, "The server is shutting down.")
    if not service.models.loaded:
        raise Refused(503, "The default model has not been loaded yet.")
    return responses.Health(status="ready", version=__version__, models=service.models.names)


async def parse(request: ParseRequest, service: Service) -> responses.ParseResponse:
    """``/api/parse``"""
    batcher, sentences = await run_in_threadpool(_prepare, request, service)
    parsed: list[Any] = []  # encoded as they come, which takes a fifth of the memory
    layers = _layered(sentences, service.limits, request.layers)
    async with aclosing(batcher.parse(sentences, layers)) as parts:
        async for part in parts:
            parsed += await run_in_threadpool(lambda part: list(map(_encoded, part)), part)
    return responses.ParseResponse(model=request.model or service.models.default, sentences=parsed)


async def parse_lines(request: ParseRequest, service: Service) -> Lines:
    """``/api/parse/stream``: errors in the request are found before the first line."""
    batcher, sentences = await run_in_threadpool(_prepare, request, service)
    layers = _layered(sentences, service.limits, request.layers)

    async def lines() -> Lines:
        async with aclosing(batcher.parse(sentences, layers)) as parts:
            async for part in parts:
                yield await run_in_threadpool(
                    lambda part: encode_lines(map(trees.parsed_sentence, part)), part
                )

    return lines()


async def compare(request: CompareRequest, service: Service) -> responses.CompareResponse:
    """``/api/compare``"""
    models, limits = service.models, service.limits
    if request.gold is None:
        batcher, sentences = await run_in_threadpool(_prepare, request, service)
        second = await run_in_threadpool(models.get, request.other_model)
        sentences = [sentence for sentence in sentences if len(sentence)]
        hold_words(sum(map(len, sentences)))  # two trees of each are kept
        left, right = await _all(batcher, sentences), await _all(second, sentences)
        return await run_in_threadpool(_compared, map(_parsed, left), map(_parsed, right))
    if request.other is not None:
        golds = await run_in_threadpool(trees.read_all, request.gold, limits, "gold")
        others = await run_in_threadpool(trees.read_all, request.other, limits, "other")
        if len(golds) != len(others):
            raise Refused(422, f"gold has {len(golds):,} trees and other has {len(others):,}.")
        return await run_in_threadpool(_compared, map(_sent, golds), map(_sent, others))
    batcher = await run_in_threadpool(models.get, request.model)
    golds = await run_in_threadpool(trees.read_all, request.gold, limits, "gold", batcher.parser.flat)
    sentences = [InputSentence(gold.leaves()) for gold in golds]
    hold_words(sum(map(len, sentences)))
    right = await _all(batcher, sentences)
    return await run_in_threadpool(_compared, map(_sent, golds), map(_parsed, right))


async def open_lines(request: OpenRequest, service: Service) -> Lines:
    """``/api/open``: all trees are read before the first line."""
    most = service.limits.sentences

    def prepare() -> tuple[Batcher | None, Rows]:
        batcher = None if request.model is None else service.models.get(request.model)
        items = []
        for item in trees.read_items(request.trees, service.limits, batcher.parser.flat if batcher else ()):
            items.append(item)
            if len(items) > most:
                raise Refused(413, f"The file has more than {most:,} trees.")
        errors = [item.error for item in items if item.tree is None]
        if errors and all(item.tree is None or item.tree.height() < 3 for item in items):
            raise Refused(422, f"This is not a file of bracketed trees; {errors[0]}.")  # "(such)" is no tree
        return batcher, Rows(items)

    batcher, rows = await run_in_threadpool(prepare)

    async def lines() -> Lines:
        if batcher is None:
            for listed in rows.listed():
                yield encode_lines(listed)
        else:
            async with aclosing(batcher.parse(rows.sentences)) as parts:
                async for part in parts:
                    yield await run_in_threadpool(lambda part: encode_lines(rows.scored(part)), part)
        yield encode_lines(rows.rest(scored=batcher is not None))

    return lines()


async def draw(request: DrawRequest, service: Service) -> str:
    """``/api/draw``"""

    def drawn() -> str:
        tree = trees.read_one(request.tree, service.limits)
        for node in tree.subtrees(lambda node: node.is_preterminal):
            node[0] = unescape_word(node[0])
        if request.format == "svg":
            return draw_svg(tree)
        if request.format == "text":
            return draw_text(tree)
        return draw_indented(tree) if request.format == "indented" else draw_latex(tree, request.format)

    return await run_in_threadpool(drawn)


async def layers(request: LayersRequest, service: Service) -> responses.LayersResponse:
    """``/api/layers``"""

    def stratified() -> responses.LayersResponse:
        tree, *more = trees.read_all(request.tree, service.limits, "tree")
        words = tree.leaves()
        if more:
            raise Refused(422, "tree has more than one tree.")
        if len(words) > service.limits.layered_words:
            what = f"{len(words):,} words; the limit for layers is {service.limits.layered_words:,}"
            raise Refused(413, f"The tree has {what}.")
        return trees.tree_layers(tree, request.form)

    return await run_in_threadpool(stratified)


async def explain(request: ExplainRequest, service: Service) -> responses.ExplainResponse:
    """``/api/explain``"""
    if request.language is not None and known_language(request.language) is None:
        return responses.ExplainResponse(meanings={})
    found = {label: explain_label(label, request.language) for label in request.labels}
    return responses.ExplainResponse(meanings={label: text for label, text in found.items() if text})


# ---- sentences


def _prepare(request: ParseRequest | CompareRequest, service: Service) -> tuple[Batcher, list[InputSentence]]:
    """The model and the words of each sentence, all within the limits."""
    batcher, limits = service.models.get(request.model), service.limits
    found: list[InputSentence] = []
    for sentence in _sentences(request, batcher.parser, limits):
        found.append(sentence)
        if len(found) > limits.sentences:
            raise Refused(413, f"The request has more than {limits.sentences:,} sentences.")
        if len(sentence) > limits.words:
            what = f"has {len(sentence):,} words; the limit is {limits.words:,}"
            raise Refused(413, f"Sentence {len(found)} {what}.")
        hold_words(len(sentence))
    return batcher, found


def _sentences(
    request: ParseRequest | CompareRequest, parser: Parser, limits: Limits
) -> Iterator[InputSentence]:
    if request.text is not None and not request.tokenized:
        yield from map(parser.prepare, parser.split(request.text))
        return
    sent: Iterable[Parsable]
    if request.text is not None:
        sent = [line.split() for line in request.text.splitlines() if line.strip()]
    else:
        sent = [_words(one, request.tokenized) for one in request.sentences or []]
    for number, sentence in enumerate(sent, 1):
        size = _size(sentence)
        if size > limits.letters:
            what = f"has {size:,} characters; the limit is {limits.letters:,}"
            raise Refused(413, f"Sentence {number} {what}.")
        yield parser.prepare(sentence)


def _words(sentence: Any, tokenized: bool) -> Any:
    return sentence.split() if tokenized and isinstance(sentence, str) else sentence


def _size(sentence: Any) -> int:
    """The number of characters in all words and tags."""
    return len(sentence) if isinstance(sentence, str) else sum(map(_size, filter(None, sentence)))


def _layered(sentences: Sequence[InputSentence], limits: Limits, wanted: bool) -> list[bool]:
    """For which sentences layers are kept: the first ones that are not too long."""
    most = limits.layered if wanted else 0
    return [i < most and len(sentence) <= limits.layered_words for i, sentence in enumerate(sentences)]


async def _all(batcher: Batcher, sentences: Sequence[InputSentence]) -> list[Result]:
    async with aclosing(batcher.parse(sentences)) as parts:
        return [result async for part in parts for result in part]


def _encoded(result: Result) -> msgspec.Raw:
    return msgspec.Raw(responses.encode(trees.parsed_sentence(result)))


# ---- comparisons

_Side = tuple[Tree, responses.ParsedSentence]


def _sent(tree: Tree) -> _Side:
    return tree, trees.sent_tree(tree)


def _parsed(result: Result) -> _Side:
    assert not isinstance(result, Trace)  # layers are not compared
    assert result.tree is not None  # empty sentences have been left out
    return result.tree, trees.parsed_sentence(result)


def _compared(lefts: Iterable[_Side], rights: Iterable[_Side]) -> responses.CompareResponse:
    compared: list[Any] = []
    found = []
    for number, ((left, left_value), (right, right_value)) in enumerate(zip(lefts, rights), 1):
        try:
            pair = scores.compare(left, right)
        except InputError as error:
            raise Refused(422, f"Sentence {number}: {error}.") from None
        found.append(pair.score)
        comparison = responses.Comparison(
            left=left_value,
            right=right_value,
            score=scores.pair_score(pair.score),
            only_left=pair.only_left,
            only_right=pair.only_right,
            tags_wrong=pair.tags_wrong,
        )
        compared.append(msgspec.Raw(responses.encode(comparison)))
    return responses.CompareResponse(sentences=compared, total=scores.total_score(found))
