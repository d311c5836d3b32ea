"""Parsing a corpus: check and plan, parse shard by shard, write the manifest. Each step can be repeated."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import msgspec

from nccp.bulk.engines import Engine, Inline
from nccp.bulk.folder import Record, RunFolder
from nccp.bulk.inputs import Source, find_inputs
from nccp.bulk.local_engine import LocalEngine
from nccp.bulk.manifest import read_manifest, write_manifest
from nccp.bulk.options import Options
from nccp.bulk.parsing import ParseShards, Task
from nccp.bulk.plan import Plan, check_same, identify_model, load_plan, locate_model, make_plan
from nccp.bulk.ray_engine import RayEngine
from nccp.bulk.scan import Scan, Scanned
from nccp.disk import explain_disk_errors
from nccp.errors import ConfigError, InputError

EngineName = Literal["local", "ray"]


class Progress(msgspec.Struct, frozen=True):
    """How far a run is."""

    stage: Literal["check", "parse"]
    done: int
    """Files, or sentences."""
    total: int
    before: int = 0
    """Of ``done``, what an earlier run had finished."""


class Failure(msgspec.Struct, frozen=True):
    """An input file that could not be read."""

    source: str
    error: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run has done."""

    out: str
    files: int
    """Input files that were read."""
    documents: int
    sentences: int
    words: int
    fallbacks: int
    replaced: int
    """Characters that were no valid Unicode and became U+FFFD."""
    shards: int
    resumed: int
    """Of these shards, how many an earlier run had finished."""
    seconds: float
    """Of this run, from the check of the inputs to the manifest."""
    rate: float
    """Sentences per second that this run has parsed."""
    failures: tuple[Failure, ...]


def parse_corpus(
    inputs: Sequence[str | Path],
    out: str | Path,
    *,
    engine: EngineName = "local",
    address: str | None = None,
    workers: int | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Summary:
    """Parse all sentences of files, folders and patterns into shards in the folder ``out``.

        nccp.bulk.parse_corpus(["corpus/"], "trees/", model="en-fast")

    ``options`` are the fields of `Options`. Called again after an interruption, it goes on where it was, and
    the result is byte for byte that of an uninterrupted run. ``workers`` are processes or Ray actors, each
    with ``threads`` threads; by default they use every core.
    """
    begun = time.monotonic()
    report = progress or (lambda _: None)
    chosen = _options(options)
    folder = RunFolder(Path(out))
    if isinstance(inputs, (str, Path)):
        inputs = [inputs]
    sources = find_inputs(inputs, folder.root)
    with explain_disk_errors(folder.root), folder.locked(), folder.cleaned():
        engines = _Engines(engine, address, workers, threads)
        plan = _plan(folder, chosen, sources, engines, report)
        records, resumed, fresh = _finish(folder, plan, sources, engines, report)
    seconds = time.monotonic() - begun
    read = [source for source in plan.sources if not source.error]
    return Summary(
        out=str(out),
        files=len(read),
        documents=sum(source.documents for source in read),
        sentences=sum(record.sentences for record in records),
        words=sum(record.words for record in records),
        fallbacks=sum(record.fallbacks for record in records),
        replaced=sum(source.replaced for source in read),
        shards=len(records),
        resumed=resumed,
        seconds=round(seconds, 3),
        rate=round(fresh / seconds, 1),
        failures=_failures(plan.sources),
    )


def _options(options: dict[str, Any]) -> Options:
    known = Options.__struct_fields__
    for name in options:
        if name not in known:
            raise ConfigError(f"unknown option {name!r}; there are {', '.join(known)}")
    return Options(**options)


class _Engines:
    """The engine that the user wants, fitted to the amount of work."""

    def __init__(self, name: str, address: str | None, workers: int | None, threads: int | None) -> None:
        if name not in ("local", "ray"):
            raise ConfigError(f"engine is {name!r}, but must be local or ray")
        if address is not None and name != "ray":
            raise ConfigError("an address needs the engine ray")
        self._name, self._address, self._workers, self._threads = name, address, workers, threads

    def choose(self, items: int) -> tuple[Engine, int]:
        """An engine, and the threads of each of its workers."""
        if self._name == "ray":
            threads = self._threads or 1
            return RayEngine(self._address, self._workers, threads), threads
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        workers = min(self._workers or max(1, cores // (self._threads or 1)), max(1, items))
        threads = self._threads or max(1, cores // workers)
        return (LocalEngine(workers) if workers > 1 else Inline()), threads


def _plan(
    folder: RunFolder,
    options: Options,
    sources: Sequence[Source],
    engines: _Engines,
    report: Callable[[Progress], None],
) -> Plan:
    """The plan of this run: the one in the folder, or a new one."""
    model = identify_model(options.model)
    if folder.plan.exists():
        plan = load_plan(folder.plan)
        check_same(plan, options, model, sources, folder.root)
        return plan
    engine, _ = engines.choose(len(sources))
    scanned: dict[str, Scanned] = {}
    report(Progress("check", 0, len(sources)))
    for one in engine.map(Scan(options, model.language), sources):
        scanned[one.name] = one
        report(Progress("check", len(scanned), len(sources)))
    plan = make_plan(options, model, [scanned[source.name] for source in sources])
    if plan.bad and options.bad == "stop":
        shown = "\n  ".join(str(source.error) for source in plan.bad[:10])
        more = f"\n  and {len(plan.bad) - 10} more" if len(plan.bad) > 10 else ""
        raise InputError(
            f"{len(plan.bad)} of {len(sources)} input files cannot be read (--bad skip leaves them out):"
            f"\n  {shown}{more}"
        )
    plan.save(folder.plan)
    return plan


def _finish(
    folder: RunFolder,
    plan: Plan,
    sources: Sequence[Source],
    engines: _Engines,
    report: Callable[[Progress], None],
) -> tuple[list[Record], int, int]:
    """Make what is missing: all records, the number of those that were there, the sentences parsed now."""
    if folder.manifest.exists():
        records = {record.number: record for record in read_manifest(folder)}
    else:
        found = (folder.read_record(shard.number) for shard in plan.shards)
        records = {record.number: record for record in found if record is not None}
    missing = [shard for shard in plan.shards if shard.number not in records]
    resumed, before, total = len(records), sum(one.sentences for one in records.values()), plan.sentences
    report(Progress("parse", before, total, before))
    done = before
    if missing:
        engine, threads = engines.choose(len(missing))
        work = ParseShards(
            os.path.abspath(folder.root),
            plan.options,
            locate_model(plan.options.model),
            plan.model,
            threads,
            run=uuid.uuid4().hex,
        )
        tasks = [
            Task(shard, {s.source: (sources[s.source], plan.sources[s.source]) for s in shard.segments})
            for shard in missing
        ]
        with closing(engine.map(work, tasks)) as results:
            for record in results:
                records[record.number] = record
                done += record.sentences
                report(Progress("parse", done, total, before))
    ordered = [records[shard.number] for shard in plan.shards]
    if missing or not folder.manifest.exists():
        write_manifest(folder, plan, ordered)
    folder.remove_records()
    return ordered, resumed, done - before


def _failures(sources: Sequence[Scanned]) -> tuple[Failure, ...]:
    return tuple(Failure(source.name, source.error) for source in sources if source.error)
