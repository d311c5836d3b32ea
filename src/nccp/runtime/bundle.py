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
are compared at every load, checksums when a bundle outside the nccp package is first loaded, and by
`Bundle.verify` (``nccp models --verify``). A model whose files change while it is loaded is refused, and a
loaded model no longer depends on its files. Nothing in a bundle is ever run as code.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from nccp import __version__
from nccp.config import ModelConfig
from nccp.errors import BundleError
from nccp.inputs import Lookup, load_lookup
from nccp.inputs.sessions import Session, open_session
from nccp.runtime.checksums import Checked, Snapshot, check_file
from nccp.runtime.engine import OnnxEngine
from nccp.runtime.manifest import MANIFEST, File, Manifest, read_manifest
from nccp.trees import Symbols

_PACKAGE = Path(__file__).resolve().parent.parent
_PARTS = {".json", ".onnx", ".safetensors"}

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
        return self.root / MANIFEST

    @property
    def card(self) -> Path:
        return self.root / "MODEL_CARD.md"

    def graph(self, name: str) -> Path:
        return self.at(f"{name}.onnx")


@dataclass(frozen=True)
class Bundle:
    """A bundle whose manifest has been read and whose files are there; `engine` loads them."""

    files: BundleFiles
    manifest: Manifest
    model: ModelConfig
    symbols: Symbols

    @classmethod
    def load(cls, path: str | Path) -> Bundle:
        bundle = cls.of(path, read_manifest(Path(path)))
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
            _ = manifest.used
        except msgspec.ValidationError as error:
            what = f"config: {error} (written by nccp {manifest.nccp}, this is {__version__})"
            raise BundleError(f"{files.manifest}: {what}") from None
        return cls(files, manifest, model, Symbols(manifest.labels, manifest.tags, frozen=True))

    def verify(self) -> None:
        """Compare the checksums of all files, without trusting earlier comparisons."""
        for name, file in self.manifest.files.items():
            check_file(self.files.at(name), file.sha256)

    def _check_files(self) -> None:
        """Compare the checksums of all files, unless that was done before; none may be there but these."""
        known = Checked.load()
        for name, file in self.manifest.files.items():
            known.check_file(self.files.at(name), file.sha256)
        known.save()
        self._refuse_others()

    def _refuse_others(self) -> None:
        for path in self.files.root.iterdir():
            if path.suffix in _PARTS and path.name not in {MANIFEST, *self.manifest.files}:
                raise BundleError(f"{path}: not a file of this bundle: {MANIFEST} does not list it")

    def _check_widths(self, word: int, sessions: Mapping[str, Session]) -> None:
        """The files must fit together: what one graph gives, the next one takes."""
        size, nodes = self.model.size, sessions["context"].width("nodes") or 0
        expected = {
            "context": {"e": word, "tags": len(self.symbols.tags)},
            "labels": {"x": size, "logits": len(self.symbols.labels)},
            "compose": {"x_L": size, "x_R": size, "nodes": nodes},
            "orient": {"products": nodes - size},
            "merge": {"x": size, "nodes": nodes},
            "chunk": {"products": nodes - size},
        }
        for graph, session in sessions.items():
            for name, width in expected[graph].items():
                if session.width(name) != width:
                    raise BundleError(
                        f"{self.files.graph(graph)}: not of this bundle: {name} has {session.width(name)} "
                        f"numbers, expected {width}"
                    )

    @property
    def size(self) -> int:
        """Bytes on disk, without what another bundle holds."""
        return sum(file.size for file in self.manifest.files.values() if not file.of)

    def input(self) -> Lookup:
        """What gives words their vectors."""
        return load_lookup(self.manifest.used.input.kind, self.files.at)

    def sessions(self) -> dict[str, Session]:
        """The network's graphs, ready to run."""
        combinator = ("orient", "compose") if self.model.kind == "binary" else ("chunk", "merge")
        return {
            name: open_session(self.files.graph(name), GRAPHS[name])
            for name in ("context", "labels", *combinator)
        }

    def engine(self) -> OnnxEngine:
        """All that the decoder needs.

        The files of a bundle outside the nccp package are compared with their checksums first. All of them
        must be the same before and after they are read; see `nccp.runtime.checksums`.
        """
        outside = not self.files.root.resolve().is_relative_to(_PACKAGE)
        snapshot = Snapshot(
            {
                self.files.at(name): file.sha256 if outside else ""
                for name, file in self.manifest.files.items()
            }
        )
        if outside:
            self._check_files()
        input, sessions = self.input(), self.sessions()
        snapshot.check()
        if outside:
            self._refuse_others()
        self._check_widths(input.size, sessions)
        return OnnxEngine(self.model, self.symbols, input, sessions)


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
    ours = read_manifest(home).files
    stale = []
    for manifest in sorted(home.parent.glob(f"*/{MANIFEST}")):
        try:
            theirs = read_manifest(manifest.parent).files
        except BundleError:  # none that ever worked
            continue
        shared = {name: file.sha256 for name, file in theirs.items() if file.of == home.name}
        if any(name not in ours or ours[name].sha256 != was for name, was in shared.items()):
            stale.append(manifest.parent.name)
    return stale


def _check_size(path: Path, size: int) -> None:
    try:
        about = path.stat()
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}: the bundle is not complete") from None
    if not stat.S_ISREG(about.st_mode):  # reading a pipe or a device may never end
        raise BundleError(f"{path}: not a regular file")
    found = about.st_size
    if found != size:
        what = "cut short" if found < size else "not the file that was written"
        raise BundleError(f"{path}: {what}: {found:,} bytes, there should be {size:,}")
