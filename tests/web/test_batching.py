"""Requests share a worker: together when they come together, each with its own results, its own errors."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import pytest

import nccp.web.batching as batching
from nccp.decoding.input_sentence import InputSentence
from nccp.web.batching import Batcher
from nccp.web.guard import Refused


@pytest.fixture
def batcher(parsers):
    batcher = Batcher(parsers["en"], waiting=5000)
    yield batcher
    batcher.close()


class Gate:
    """Holds the worker up until it is opened, and counts the sentences of each batch."""

    def __init__(self, monkeypatch):
        self.open, self.sizes = threading.Event(), []
        real = batching.stream

        def stream(engine, sentences, **options):
            sentences = list(sentences)
            self.sizes.append(len(sentences))
            assert self.open.wait(20)
            if any("boom" in given.words for given in sentences):
                raise ZeroDivisionError("boom")
            return real(engine, sentences, **options)

        monkeypatch.setattr(batching, "stream", stream)


async def ask(batcher, sentences, layers=None):
    async with aclosing(batcher.parse([InputSentence(words) for words in sentences], layers)) as parts:
        return [result async for part in parts for result in part]


async def until(condition):
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came about")


def numbered(request, count):
    return [[f"r{request}", f"s{i}", "x"] for i in range(count)]


def test_order_and_owner(batcher, parsers):
    async def main():
        return await asyncio.gather(*(ask(batcher, numbered(r, r % 7)) for r in range(60)))

    for request, parses in enumerate(asyncio.run(main())):
        assert [parse.words for parse in parses] == numbered(request, request % 7)
        for parse in parses:
            assert parse.tree == parsers["en"].parse(parse.words).tree


def test_what_waits_is_parsed_together(batcher, monkeypatch):
    gate = Gate(monkeypatch)

    async def main():
        first = asyncio.ensure_future(ask(batcher, numbered(0, 1)))
        await until(lambda: gate.sizes)
        others = [asyncio.ensure_future(ask(batcher, numbered(r, 2))) for r in range(1, 9)]
        await until(lambda: batcher.waiting == 16)
        gate.open.set()
        await asyncio.gather(first, *others)

    asyncio.run(main())
    assert gate.sizes == [1, 16]


def test_a_large_request_does_not_hold_up_a_small_one(batcher, monkeypatch):
    gate = Gate(monkeypatch)

    async def main():
        large = asyncio.ensure_future(ask(batcher, numbered(0, 2000)))
        await until(lambda: gate.sizes)
        small = asyncio.ensure_future(ask(batcher, numbered(1, 1)))
        await until(lambda: batcher.waiting == 2000 - gate.sizes[0] + 1)
        gate.open.set()
        await small
        assert not large.done()
        assert len(await large) == 2000

    asyncio.run(main())
    assert max(gate.sizes) <= 256


def test_an_exception_reaches_only_its_request(batcher, monkeypatch):
    gate = Gate(monkeypatch)

    async def main():
        first = asyncio.ensure_future(ask(batcher, [["a"]]))
        await until(lambda: gate.sizes)
        others = [asyncio.ensure_future(ask(batcher, s)) for s in ([["a", "b"]], [["boom"]], [["c"]])]
        await until(lambda: batcher.waiting == 3)
        gate.open.set()
        await first
        return await asyncio.gather(*others, return_exceptions=True)

    before, failed, after = asyncio.run(main())
    assert isinstance(failed, ZeroDivisionError)
    assert (before[0].words, after[0].words) == (["a", "b"], ["c"])
    assert len(asyncio.run(ask(batcher, [["still", "there"]]))) == 1


def test_a_failed_layer_reaches_its_request(batcher, monkeypatch):
    def fail(engine, given):
        raise ZeroDivisionError

    monkeypatch.setattr(batching, "trace", fail)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(ask(batcher, [["a"], ["b"]], [False, True]))
    assert len(asyncio.run(ask(batcher, [["a"], ["b"]]))) == 2


def test_what_nobody_waits_for_is_dropped(batcher, monkeypatch):
    gate = Gate(monkeypatch)

    async def main():
        task = asyncio.ensure_future(ask(batcher, numbered(0, 3000)))
        await until(lambda: gate.sizes)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert batcher.waiting == 0
        gate.open.set()
        await ask(batcher, [["next"]])

    asyncio.run(main())
    assert gate.sizes[1:] == [1]


def test_too_much_at_a_time(batcher, monkeypatch):
    gate = Gate(monkeypatch)

    async def main():
        large = asyncio.ensure_future(ask(batcher, numbered(0, 4900)))
        await until(lambda: gate.sizes)
        with pytest.raises(Refused, match="are waiting for this model; at most 5,000 may"):
            await ask(batcher, numbered(1, 400))
        gate.open.set()
        await large

    asyncio.run(main())


def test_long_sentences_make_short_rounds(batcher, monkeypatch):
    gate = Gate(monkeypatch)
    gate.open.set()
    parses = asyncio.run(ask(batcher, [["w"] * 900] * 30))
    assert len(parses) == 30
    assert max(gate.sizes) <= 10


def test_the_end(parsers, monkeypatch):
    gate = Gate(monkeypatch)
    batcher = Batcher(parsers["en"])

    async def main():
        at_work = asyncio.ensure_future(ask(batcher, numbered(0, 300)))
        await until(lambda: gate.sizes)
        closing = threading.Thread(target=batcher.close)
        closing.start()
        await until(lambda: batcher._closed)
        gate.open.set()
        with pytest.raises(Refused, match="shutting down"):
            await at_work
        with pytest.raises(Refused, match="shutting down"):
            await ask(batcher, [["a"]])
        closing.join()

    asyncio.run(main())


def test_requests_of_closed_loops_do_no_harm(batcher):
    async def leave():
        parts = batcher.parse([InputSentence(["a"])] * 500)
        await anext(parts)

    for _ in range(3):
        asyncio.run(leave())
    assert len(asyncio.run(ask(batcher, [["a"]]))) == 1


def test_nothing(batcher):
    assert asyncio.run(ask(batcher, [])) == []
    assert asyncio.run(ask(batcher, [[], ["a"]]))[0].tree is None
