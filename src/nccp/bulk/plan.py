"""The plan of a run: which sentences of which files go into which shard. It is made once, before any parsing.

Everything that the output depends on is in it, so that a run that is resumed, on any engine and with any
number of workers, writes the same bytes as one that was never interrupted.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from nccp import __version__
from nccp.bulk.inputs import Source
from nccp.bulk.options import Options
from nccp.bulk.places import Place
from nccp.bulk.scan import Scanned, check_unchanged
from nccp.bulk.schema import SCHEMA_VERSION
from nccp.errors import InputError
from nccp.files import atomic_write
from nccp.runtime import Bundle, find_model

FORMAT, VERSION = "nccp-bulk-plan", 2
"""2: a shard is bounded by characters too, and a row group of Parquet by words."""


class ModelIdentity(msgspec.Struct, frozen=True):
    """Which model a run uses: the digest covers the checksums of all its files."""

    name: str
    language: str
    sha256: str


class Segment(msgspec.Struct, frozen=True, array_like=True):
    """Sentences of one file, which is given by its number in the plan."""

    source: int
    begin: Place
    sentences: int


class Shard(msgspec.Struct, frozen=True):
    """The sentences of one shard."""

    number: int
    segments: tuple[Segment, ...]

    @property
    def sentences(self) -> int:
        return sum(segment.sentences for segment in self.segments)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All of a run."""

    format: str = FORMAT
    version: int = VERSION
    schema_version: int = SCHEMA_VERSION
    nccp: str = __version__
    options: Options
    model: ModelIdentity
    sources: tuple[Scanned, ...]
    shards: tuple[Shard, ...]

    @property
    def sentences(self) -> int:
        return sum(shard.sentences for shard in self.shards)

    @property
    def bad(self) -> list[Scanned]:
        """The files that cannot be read."""
        return [source for source in self.sources if source.error]

    def save(self, path: Path) -> None:
        """Write it down."""
        with atomic_write(path, binary=True) as file:
            file.write(msgspec.json.encode(self) + b"\n")


def identify_model(model: str) -> ModelIdentity:
    """The model of this name or path, as it is now."""
    bundle = Bundle.load(find_model(model))
    manifest = bundle.files.manifest.read_bytes()
    name = bundle.manifest.name or bundle.files.root.name
    return ModelIdentity(name, bundle.manifest.language or "en", hashlib.sha256(manifest).hexdigest())


def locate_model(model: str) -> str:
    """How a worker in another folder finds the model: its name, or an absolute path."""
    path = os.path.abspath(os.path.expanduser(model))
    return path if path == os.path.abspath(find_model(model)) else model


def make_plan(options: Options, model: ModelIdentity, scanned: Sequence[Scanned]) -> Plan:
    """Pack the pieces of all files, in order, into shards.

    A shard takes pieces for as long as they fit: ``shard_size`` and ``shard_chars`` are upper bounds, unless
    a single document or sentence is larger.
    """
    shards = tuple(Shard(number, segments) for number, segments in enumerate(_pack(scanned, options)))
    sources = tuple(msgspec.structs.replace(source, pieces=()) for source in scanned)
    return Plan(options=options, model=model, sources=sources, shards=shards)


def _pack(scanned: Iterable[Scanned], options: Options) -> Iterable[tuple[Segment, ...]]:
    inside: list[Segment] = []
    count = chars = 0
    for number, source in enumerate(scanned):
        for piece in source.pieces:
            full = count + piece.sentences > options.shard_size or chars + piece.chars > options.shard_chars
            if inside and full:
                yield tuple(inside)
                inside, count, chars = [], 0, 0
            inside.append(Segment(number, piece.begin, piece.sentences))
            count, chars = count + piece.sentences, chars + piece.chars
    if inside:
        yield tuple(inside)


class _Head(msgspec.Struct):
    """What a plan of every version has."""

    format: str = ""
    version: int = 0
    nccp: str = "?"


def load_plan(path: Path) -> Plan:
    """The plan in a file."""
    try:
        data = path.read_bytes()
        head = msgspec.json.decode(data, type=_Head)
        if (head.format, head.version) == (FORMAT, VERSION):
            return msgspec.json.decode(data, type=Plan)
        why = f"version {head.version} of the format {head.format!r}, by nccp {head.nccp}, not {VERSION}"
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        why = str(error)
    raise InputError(f"{path}: not a plan that this version of nccp reads ({why}); use another output folder")


def check_same(
    plan: Plan, options: Options, model: ModelIdentity, sources: Sequence[Source], out: Path
) -> None:
    """Raise unless this run is the one that the plan is for."""
    ours: dict[str, object] = {"nccp version": __version__, **msgspec.structs.asdict(options)}
    theirs: dict[str, object] = {"nccp version": plan.nccp, **msgspec.structs.asdict(plan.options)}
    differences = [
        f"{name} was {theirs[name]!r}, now {ours[name]!r}" for name in ours if ours[name] != theirs[name]
    ]
    if not differences and model != plan.model:
        differences = ["the model has changed"]
    before, now = {source.name for source in plan.sources}, {source.name for source in sources}
    if gone := sorted(before - now):
        differences.append(f"{len(gone)} input files are missing, such as {gone[0]}")
    if new := sorted(now - before):
        differences.append(f"{len(new)} input files are new, such as {new[0]}")
    if not differences and [one.name for one in plan.sources] != [one.name for one in sources]:
        differences = ["the input files come in another order"]
    if differences:
        raise InputError(f"{out} holds another run: {'; '.join(differences)}. Use another output folder")
    for source, known in zip(sources, plan.sources):
        check_unchanged(source, known)
