"""``bundle.json``: what a model bundle says of itself, and the files it consists of.

The manifest carries a checksum of itself and of every file, so that no damage goes unnoticed.
"""

from __future__ import annotations

import hashlib
import re
import stat
from pathlib import Path
from typing import Any

import msgspec

from nccp import __version__
from nccp.errors import BundleError
from nccp.files import atomic_write

FORMAT, VERSION = "nccp-bundle", 2
MANIFEST = "bundle.json"

MOST_BYTES = 4 << 30
"""Of all files of a bundle; a graph can have no more than 2 GB."""
_MOST_MANIFEST = 16 << 20
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_UNSEALED = b'"checksum": ""'


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


class _Cleaning(msgspec.Struct, frozen=True):
    flatten: tuple[str, ...] = ()
    unwrap: tuple[str, ...] = ()


class _Treebank(msgspec.Struct, frozen=True):
    cleaning: _Cleaning = _Cleaning()


class _Data(msgspec.Struct, frozen=True):
    treebanks: tuple[_Treebank, ...] = ()


class _Input(msgspec.Struct, frozen=True):
    kind: str = ""


class UsedConfig(msgspec.Struct, frozen=True):
    """What parsing reads of the configuration of a training; all else may be of any shape."""

    data: _Data = _Data()
    input: _Input = _Input()


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """``bundle.json``."""

    format: str = FORMAT
    version: int = VERSION
    checksum: str = ""
    """SHA-256 of ``bundle.json`` itself, as it is with this value empty."""
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
    def used(self) -> UsedConfig:
        """The part of ``config`` that parsing uses, besides ``model``."""
        return msgspec.convert(self.config, UsedConfig)

    @property
    def flat(self) -> tuple[str, ...]:
        """The labels that were flattened in any of its treebanks."""
        steps = [treebank.cleaning for treebank in self.used.data.treebanks]
        return tuple(sorted({label for step in steps for label in (*step.flatten, *step.unwrap)}))


def list_files(root: Path) -> dict[str, File]:
    """The sizes and checksums of the files in the folder of a bundle, without ``bundle.json``."""
    names = sorted(path.name for path in root.iterdir() if path.name != MANIFEST)
    return {name: File((root / name).stat().st_size, sha256(root / name)) for name in names}


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Write ``bundle.json``."""
    text = msgspec.json.encode(msgspec.structs.replace(manifest, checksum=""))
    with atomic_write(root / MANIFEST, binary=True) as file:
        file.write(seal(msgspec.json.format(text, indent=1)))


def seal(text: bytes) -> bytes:
    """The text of a manifest with its checksum filled in."""
    return text.replace(_UNSEALED, b'"checksum": "%s"' % hashlib.sha256(text).hexdigest().encode(), 1)


def read_manifest(root: Path) -> Manifest:
    """Read and check ``bundle.json`` in the folder of a bundle; the files themselves are not looked at."""
    path = root / MANIFEST
    if not root.is_dir():
        raise BundleError(f"{root}: there is no model bundle here")
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe or a device may never end
            raise BundleError(f"{path}: not a regular file: not a model bundle")
        if status.st_size > _MOST_MANIFEST:
            raise BundleError(f"{path}: too large for the manifest of a bundle")
        text = path.read_bytes()
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}: not a model bundle") from None
    try:
        _check_head(path, text)
        manifest = msgspec.json.decode(text, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BundleError(f"{path}: damaged: {error}") from None
    for file, about in manifest.files.items():
        for name in (file, about.of or file):
            if not _NAME.fullmatch(name):
                raise BundleError(f"{path}: damaged: {name!r} is not the name of a file of a bundle")
        if about.size < 0:
            raise BundleError(f"{path}: damaged: {file} has a size of {about.size}")
    if (size := sum(about.size for about in manifest.files.values())) > MOST_BYTES:
        raise BundleError(f"{path}: refused: files of {size:,} bytes, more than {MOST_BYTES:,}")
    return manifest


class _Head(msgspec.Struct):
    """What every version of the format has."""

    format: str = ""
    version: int = 0
    checksum: str = ""
    nccp: str = "?"


def _check_head(path: Path, text: bytes) -> None:
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
    unsealed = text.replace(head.checksum.encode(), b"", 1)
    if not head.checksum or hashlib.sha256(unsealed).hexdigest() != head.checksum:
        raise BundleError(f"{path}: damaged: it is not as nccp export wrote it")


def sha256(path: Path) -> str:
    """The checksum of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
