"""The model bundle: a folder that is complete in itself, but for files that it may share with a neighbour.

    BUNDLE/
      bundle.json            what it is: format version, configuration, symbols, scores, the files below
      context.onnx ...       the network (see ``nccp.export.graphs``)
      words.json             words with a learned vector
      tables.safetensors     learned vectors of words and of letters
      vectors.safetensors    word vectors from a file
      encoder.onnx           a pretrained encoder instead of these, with its tokenizer.json and pieces.json
      MODEL_CARD.md          for a person

Which of the files there are depends on the model; ``bundle.json`` lists them with sizes and checksums. Sizes
are compared at every load, checksums only by `Bundle.verify` (``nccp models --verify``): reading all of a
large model only to hash it would cost more than loading it. Nothing in a bundle is ever run as code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from nccp import __version__
from nccp.config import ModelConfig
from nccp.errors import BundleError
from nccp.files import atomic_write
from nccp.inputs import Lookup, load_lookup
from nccp.inputs.sessions import Session, open_session
from nccp.runtime.engine import OnnxEngine
from nccp.trees import Symbols

FORMAT, VERSION = "nccp-bundle", 2

GRAPHS = {
    "context": {"e", "places", "lengths", "cells"},
    "labels": {"x"},
    "orient": {"products", "rows", "ahead", "back"},
    "compose": {"x_L", "x_R"},
    "merge": {"x", "differences"},
    "chunk": {"products", "rows", "ahead", "back", "before", "behind", "previous", "following"},
}
"""The inputs of each graph."""


@dataclass(frozen=True)
class BundleFiles:
    """The files of a bundle by name; ``shared`` says which are in another bundle beside it, and which one."""

    root: Path
    shared: Mapping[str, str] = field(default_factory=dict)

    def at(self, name: str) -> Path:
        """Where the file of this name is."""
        home = self.root.resolve().parent / self.shared[name] if name in self.shared else self.root
        return home / name

    @property
    def manifest(self) -> Path:
        return self.root / "bundle.json"

    @property
    def card(self) -> Path:
        return self.root / "MODEL_CARD.md"

    def graph(self, name: str) -> Path:
        return self.at(f"{name}.onnx")


class File(msgspec.Struct, frozen=True):
    """One file of a bundle."""

    size: int
    sha256: str
    of: str = ""
    """The bundle beside this one that holds it; "" for this one itself."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a model scores on a part of a treebank: EVALB with Collins' parameters, no gold tags."""

    treebank: str
    split: str
    sentences: int
    f1: float
    precision: float
    recall: float
    complete_match: float
    tag_accuracy: float
    fallbacks: int
    by_length: dict[str, float]
    """F1 of sentences of 1-10 words, 11-20, and so on."""
    sentences_per_second: float
    """On the machine that measured it, with a thread a core."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """``bundle.json``."""

    format: str = FORMAT
    version: int = VERSION
    nccp: str = __version__
    """The nccp that wrote it."""
    name: str = ""
    language: str = ""
    licence: str = ""
    """Of the model; it follows from that of its treebanks and vectors."""
    precision: str = "float32"
    """float32 or int8."""
    config: dict[str, Any] = {}
    """The full configuration that it was trained by; ``model`` and the kind of ``input`` are used, the
    rest is for the record."""
    labels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scores: dict[str, float] = {}
    """On the development set, as parsed by this very bundle."""
    results: tuple[Result, ...] = ()
    """By treebank and split, where they were measured."""
    training: dict[str, Any] = {}
    """When, by which seed, how long."""
    files: dict[str, File] = {}

    @property
    def flat(self) -> tuple[str, ...]:
        """The labels that were flattened in any of its treebanks."""
        treebanks = self.config.get("data", {}).get("treebanks", ())
        steps = [treebank.get("cleaning", {}) for treebank in treebanks]
        return tuple(
            sorted({label for step in steps for key in ("flatten", "unwrap") for label in step.get(key, ())})
        )


@dataclass(frozen=True)
class Bundle:
    """A bundle whose manifest has been read and whose files are there; `engine` loads them."""

    files: BundleFiles
    manifest: Manifest
    model: ModelConfig
    symbols: Symbols

    @classmethod
    def load(cls, path: str | Path) -> Bundle:
        bundle = cls.of(path, _read_manifest(BundleFiles(Path(path)).manifest))
        for name, file in bundle.manifest.files.items():
            _check_size(bundle.files.at(name), file.size)
        return bundle

    @classmethod
    def of(cls, path: str | Path, manifest: Manifest) -> Bundle:
        """The bundle at ``path`` with this manifest, whether or not it has been written yet."""
        shared = {name: file.of for name, file in manifest.files.items() if file.of}
        files = BundleFiles(Path(path), shared)
        try:
            model = msgspec.convert(manifest.config.get("model", {}), ModelConfig)
        except msgspec.ValidationError as error:
            what = f"config.model: {error} (written by nccp {manifest.nccp}, this is {__version__})"
            raise BundleError(f"{files.manifest}: {what}") from None
        return cls(files, manifest, model, Symbols(manifest.labels, manifest.tags, frozen=True))

    def verify(self) -> None:
        """Compare the checksums of all files."""
        for name, file in self.manifest.files.items():
            path = self.files.at(name)
            if sha256(path) != file.sha256:
                raise BundleError(f"{path}: damaged: its checksum is not that in bundle.json")

    @property
    def size(self) -> int:
        """Bytes on disk, without what another bundle holds."""
        return sum(file.size for file in self.manifest.files.values() if not file.of)

    def input(self) -> Lookup:
        """What gives words their vectors."""
        kind = self.manifest.config.get("input", {}).get("kind", "")
        return load_lookup(str(kind), self.files.at)

    def sessions(self) -> dict[str, Session]:
        """The network's graphs, ready to run."""
        combinator = ("orient", "compose") if self.model.kind == "binary" else ("chunk", "merge")
        return {
            name: open_session(self.files.graph(name), GRAPHS[name])
            for name in ("context", "labels", *combinator)
        }

    def engine(self) -> OnnxEngine:
        """All that the decoder needs."""
        input, sessions = self.input(), self.sessions()
        expected = sessions["context"].width("e")
        if input.size != expected:
            raise BundleError(
                f"{self.files.root}: the files are not of one bundle: words have {input.size} numbers, "
                f"{self.files.graph('context').name} takes {expected}"
            )
        return OnnxEngine(self.model, self.symbols, input, sessions)


def list_files(root: Path) -> dict[str, File]:
    """The sizes and checksums of the files in the folder of a bundle, without ``bundle.json``."""
    names = sorted(path.name for path in root.iterdir() if path != BundleFiles(root).manifest)
    return {name: File((root / name).stat().st_size, sha256(root / name)) for name in names}


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Write ``bundle.json``."""
    with atomic_write(BundleFiles(root).manifest, binary=True) as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1))


def mark_shared(files: Mapping[str, File], path: str | Path, other: str | Path) -> dict[str, File]:
    """The files of the bundle at ``path``, marked if the bundle ``other`` beside it also holds them.

    A multi-branching model and a binary one over the same words need not bring the same vectors twice.
    """
    root, holder = Path(path).resolve(), Bundle.load(other)
    home = holder.files.root.resolve()
    if root == home or root.parent != home.parent:
        raise BundleError(f"{root} can share files only with another bundle in {root.parent}, not {home}")
    holder.verify()
    same = {name for name, file in files.items() if not file.of and holder.manifest.files.get(name) == file}
    return {
        name: msgspec.structs.replace(file, of=home.name) if name in same else file
        for name, file in files.items()
    }


def stale_neighbours(path: str | Path) -> list[str]:
    """The bundles beside this one that share files of it which are no longer those they were made with."""
    home = Path(path).resolve()
    ours = _read_manifest(BundleFiles(home).manifest).files
    stale = []
    for manifest in sorted(home.parent.glob(f"*/{BundleFiles(home).manifest.name}")):
        try:
            theirs = _read_manifest(manifest).files
        except BundleError:  # none that ever worked
            continue
        shared = {name: file.sha256 for name, file in theirs.items() if file.of == home.name}
        if any(name not in ours or ours[name].sha256 != was for name, was in shared.items()):
            stale.append(manifest.parent.name)
    return stale


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class _Head(msgspec.Struct):
    """What every version of the format has."""

    format: str = ""
    version: int = 0
    nccp: str = "?"


def _read_manifest(path: Path) -> Manifest:
    if not path.parent.is_dir():
        raise BundleError(f"{path.parent}: there is no model bundle here")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}: not a model bundle") from None
    try:
        head = msgspec.json.decode(text, type=_Head)
        if head.format != FORMAT:
            raise BundleError(f"{path}: not the manifest of an nccp model bundle")
        if head.version > VERSION:
            raise BundleError(
                f"{path}: format version {head.version}, by nccp {head.nccp}; this is nccp {__version__}, "
                f"which reads version {VERSION}: upgrade nccp"
            )
        if head.version < VERSION:
            raise BundleError(
                f"{path}: format version {head.version}, by nccp {head.nccp}; this nccp {__version__} reads "
                f"version {VERSION}: export the model again with nccp export"
            )
        manifest = msgspec.json.decode(text, type=Manifest)
    except msgspec.MsgspecError as error:
        raise BundleError(f"{path}: damaged: {error}") from None
    for file, about in manifest.files.items():
        for name in (file, about.of or file):
            if not re.fullmatch(r"[A-Za-z0-9_][\w.-]*", name):
                raise BundleError(f"{path}: damaged: {name!r} is no file of a bundle")
    return manifest


def _check_size(path: Path, size: int) -> None:
    try:
        found = path.stat().st_size
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}: the bundle is not complete") from None
    if found != size:
        what = "cut short" if found < size else "not the file that was written"
        raise BundleError(f"{path}: {what}: {found:,} bytes, there should be {size:,}")
