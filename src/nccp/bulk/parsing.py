"""The work of a shard: read its sentences, parse them, write them, and say what was done."""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from nccp import __version__
from nccp.bulk.folder import Record, RunFolder
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.plan import ModelIdentity, Shard, identify_model
from nccp.bulk.reading import Item, read_items
from nccp.bulk.scan import Scanned, check_unchanged
from nccp.bulk.schema import Row, make_row
from nccp.bulk.writing import write_shard
from nccp.decoding import Parser
from nccp.decoding.input_sentence import Parsable
from nccp.disk import explain_disk_errors
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
    model: str
    """Its name, or its absolute path."""
    identity: ModelIdentity
    threads: int
    run: str
    """A name for this run, under which attempts are counted."""
    nccp: str = __version__

    def start(self) -> Callable[[Task], Record]:
        """Load the model, which must be the one of the plan on this machine too."""
        where = platform.node()
        if self.nccp != __version__:
            raise InputError(f"{where} has nccp {__version__}, but the run was planned with {self.nccp}")
        self._check_model(where)
        parser = load(self.model, threads=self.threads)
        self._check_model(where)  # again: it may have been replaced in between
        return lambda task: self._attempt(parser, task)

    def _check_model(self, where: str) -> None:
        if identify_model(self.model) != self.identity:
            raise InputError(
                f"the model {self.model} on {where} is not the one that the run was planned with"
            )

    def _attempt(self, parser: Parser, task: Task) -> Record:
        folder = RunFolder(Path(self.out))
        with explain_disk_errors(folder.root), folder.attempt(task.shard.number, self.run):
            for source, known in task.sources.values():
                check_unchanged(source, known)
            record = self._make(parser, task)
            folder.write_record(record)
        return record

    def _make(self, parser: Parser, task: Task) -> Record:
        counts = {"sentences": 0, "words": 0, "fallbacks": 0}

        def counted() -> Iterator[Row]:
            for row in self._rows(parser, task):
                counts["sentences"] += 1
                counts["words"] += len(row["words"])
                counts["fallbacks"] += row["fallback"]
                yield row

        files = write_shard(Path(self.out), task.shard.number, counted(), self.options)
        return Record(number=task.shard.number, files=files, **counts)

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
            items = read_items(source, self.options, self.identity.language, segment.begin)
            found = 0
            for item in islice(items, segment.sentences):
                yield source.name, item
                found += 1
            if found < segment.sentences:
                raise InputError(
                    f"{source.name} has changed since the run was planned: sentences are missing"
                )
