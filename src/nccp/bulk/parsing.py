"""The work of a shard: read its sentences, parse them, write them, and say what was done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from nccp.bulk.folder import Record, RunFolder
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.plan import Shard
from nccp.bulk.reading import Item, read_items
from nccp.bulk.scan import Scanned, check_unchanged
from nccp.bulk.schema import Row, make_row
from nccp.bulk.writing import write_shard
from nccp.decoding import Parser
from nccp.decoding.input_sentence import Parsable
from nccp.errors import InputError
from nccp.runtime import load


class Task(msgspec.Struct, frozen=True):
    """A shard to be made, with all the files it needs."""

    shard: Shard
    sources: dict[int, tuple[Source, Scanned]]


class ParseShards(msgspec.Struct, frozen=True):
    """Work for an engine: makes shards in the folder ``out``."""

    out: str
    options: Options
    language: str
    threads: int

    def start(self) -> Callable[[Task], Record]:
        """Load the model."""
        parser = load(self.options.model, threads=self.threads)
        return lambda task: self._make(parser, task)

    def _make(self, parser: Parser, task: Task) -> Record:
        for source, known in task.sources.values():
            check_unchanged(source, known)
        counts = {"sentences": 0, "words": 0, "fallbacks": 0}

        def counted() -> Iterator[Row]:
            for row in self._rows(parser, task):
                counts["sentences"] += 1
                counts["words"] += len(row["words"])
                counts["fallbacks"] += row["fallback"]
                yield row

        files = write_shard(Path(self.out), task.shard.number, counted(), self.options)
        record = Record(number=task.shard.number, files=files, **counts)
        RunFolder(Path(self.out)).write_record(record)
        return record

    def _rows(self, parser: Parser, task: Task) -> Iterator[Row]:
        waiting: deque[tuple[str, Item]] = deque()  # those that the parser has taken and not given back

        def sentences() -> Iterator[Parsable]:
            for name, item in self._items(task):
                waiting.append((name, item))
                yield item.words if item.words is not None else item.text or ""

        for parse in parser.parse_many(
            sentences(), batch_size=self.options.batch_size, scores=self.options.scores
        ):
            name, item = waiting.popleft()
            yield make_row(name, item, parse, self.options.root)

    def _items(self, task: Task) -> Iterator[tuple[str, Item]]:
        for segment in task.shard.segments:
            source, _ = task.sources[segment.source]
            items = read_items(source, self.options, self.language, segment.begin)
            found = 0
            for item in islice(items, segment.sentences):
                yield source.name, item
                found += 1
            if found < segment.sentences:
                raise InputError(
                    f"{source.name} has changed since the run was planned: sentences are missing"
                )
