"""A trained model as a bundle: written, read back, and compared with torch tree by tree."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch

from nccp.config import Config, DataConfig, portable_config
from nccp.decoding import Parser
from nccp.disk import explain_disk_errors, replace_folder
from nccp.errors import InputError, TrainingError
from nccp.evaluation import Evaluation, evaluate, score_treebanks
from nccp.export.card import model_card
from nccp.export.graphs import network_graphs
from nccp.export.int8_encoder import quantize_encoder
from nccp.export.onnx_graph import OPSET
from nccp.inputs import ExportOptions, export_module
from nccp.model.parsing_model import ParsingModel
from nccp.runtime.bundle import Bundle, BundleFiles, mark_shared, stale_neighbours
from nccp.runtime.manifest import Manifest, list_files, write_manifest
from nccp.trees import Tree

Precision = Literal["float32", "int8"]

MOST_LOSS = 0.1  # F1 that int8 may cost if no precision is requested
_SAMPLE = 500  # sentences, of all treebanks, on which the ranges of an input's numbers are measured
_MOST_DIFFERENT = 1e-3  # share of trees: in float32 only a tie may fall the other way


@dataclass(frozen=True)
class Comparison:
    """A bundle compared with the torch model it was made from, on the same sentences."""

    precision: Precision
    sentences: int
    torch_f1: float
    f1: float
    tag_accuracy: float
    different: int
    """Number of trees that differ."""

    @property
    def loss(self) -> float:
        """F1 that the bundle loses; negative if it gains."""
        return self.torch_f1 - self.f1


@dataclass(frozen=True)
class Export:
    """The bundle that was written, and every precision that was tried, the chosen one last."""

    path: Path
    size: int
    comparisons: tuple[Comparison, ...]
    stale: tuple[str, ...] = ()
    """Bundles beside it that share a file which this export has changed: they must be exported again."""

    def as_dict(self) -> dict[str, Any]:
        tried = [asdict(comparison) | {"loss": comparison.loss} for comparison in self.comparisons]
        about = {"path": str(self.path), "bytes": self.size, "stale": list(self.stale)}
        return {**about, **tried[-1], "tried": tried}


def export_model(
    model: ParsingModel,
    out: str | Path,
    trees: Sequence[Tree],
    about: Manifest,
    *,
    precision: Precision | None = None,
    max_vectors: int | None = None,
    splits: Sequence[str] = (),
    notes: str = "",
    share: str | Path | None = None,
) -> Export:
    """Write ``model`` as a bundle to the folder ``out``; ``about`` has the name and the licence.

    The bundle and torch both parse ``trees`` and are compared. Without a ``precision`` the bundle is int8 if
    that loses less than 0.1 F1, else float32. Its model card has its scores on these ``splits`` of the
    model's treebanks, and ends with the ``notes``. Files that the bundle ``share`` beside ``out`` also holds
    are not written a second time.
    """
    out = Path(out)
    _check_target(out)
    if not trees:
        raise InputError("there are no trees to compare the export with torch on: give some with --trees")
    with explain_disk_errors(out):
        return _export(model, out, trees, about, precision, max_vectors, splits, notes, share)


def _export(
    model: ParsingModel,
    out: Path,
    trees: Sequence[Tree],
    about: Manifest,
    precision: Precision | None,
    max_vectors: int | None,
    splits: Sequence[str],
    notes: str,
    share: str | Path | None,
) -> Export:
    truth = evaluate(Parser(model.engine(), threads=1), trees)
    tried: list[Comparison] = []
    choices: list[Precision] = [precision] if precision else ["int8", "float32"]
    for choice in choices:
        with tempfile.TemporaryDirectory(dir=_parent(out), prefix=f".{out.name}.") as folder:
            root = Path(folder) / "bundle"
            root.mkdir()
            _write_parts(BundleFiles(root), model, choice, max_vectors, truth.golds)
            bundle = Bundle.of(root, _describe(root, model, about, choice))
            comparison = _compare(bundle, truth)
            tried.append(comparison)
            if choice == "int8" and precision is None and comparison.loss >= MOST_LOSS:
                continue
            if choice == "float32" and comparison.different > max(1, _MOST_DIFFERENT * len(truth.golds)):
                raise TrainingError(
                    f"the bundle does not parse as torch does: {comparison.different} of {len(truth.golds)} "
                    "trees differ. This is a bug of nccp, please report it; nothing was written"
                )
            manifest = _score(bundle, comparison, model.config.data, splits)
            _finish(root, out, manifest, model.config, notes, share)
            replace_folder(root, out)
            return Export(out, Bundle.load(out).size, tuple(tried), tuple(stale_neighbours(out)))
    raise AssertionError("float32 is always written or refused")


def _write_parts(
    files: BundleFiles,
    model: ParsingModel,
    precision: Precision,
    max_vectors: int | None,
    golds: Sequence[Tree],
) -> None:
    """Write the input and the graphs of the network."""
    options = ExportOptions(
        int8=precision == "int8",
        max_vectors=max_vectors,
        sentences=[gold.leaves() for gold in golds[:: max(1, len(golds) // _SAMPLE)]],
        opset=OPSET,
        quantize=quantize_encoder,
    )
    bounds = export_module(model.config.input, model.input, files.at, options)
    with torch.inference_mode():
        for name, graph in network_graphs(model.network, bounds).items():
            files.graph(name).write_bytes(graph.SerializeToString())


def _describe(root: Path, model: ParsingModel, about: Manifest, precision: Precision) -> Manifest:
    return msgspec.structs.replace(
        about,
        language=about.language or model.config.language,
        precision=precision,
        config=portable_config(model.config),
        labels=tuple(model.symbols.labels),
        tags=tuple(model.symbols.tags),
        files=list_files(root),
    )


def _compare(bundle: Bundle, truth: Evaluation) -> Comparison:
    """Parse with the files on disk, and compare with what torch gave."""
    done = evaluate(Parser(bundle.engine(), threads=1), truth.golds)
    return Comparison(
        precision="int8" if bundle.manifest.precision == "int8" else "float32",
        sentences=len(done.golds),
        torch_f1=truth.score.f1,
        f1=done.score.f1,
        tag_accuracy=done.score.tag_accuracy,
        different=sum(mine != theirs for mine, theirs in zip(done.trees, truth.trees)),
    )


def _score(bundle: Bundle, comparison: Comparison, data: DataConfig, splits: Sequence[str]) -> Manifest:
    """The bundle's manifest with its scores on the development trees and on these splits."""
    scores = {
        "f1": comparison.f1,
        "tag_accuracy": comparison.tag_accuracy,
        "sentences": comparison.sentences,
    }
    results = score_treebanks(Parser(bundle.engine()), data, splits) if splits else ()
    return msgspec.structs.replace(bundle.manifest, scores=scores, results=results)


def _finish(
    root: Path, out: Path, manifest: Manifest, config: Config, notes: str, share: str | Path | None
) -> None:
    """Remove the files that another bundle holds; write the card with the final size, and the manifest."""
    files = dict(manifest.files) if share is None else mark_shared(manifest.files, out, share)
    for name, file in files.items():
        if file.of:
            (root / name).unlink()
    size = sum(file.size for file in files.values() if not file.of)
    card = BundleFiles(root).card
    card.write_text(model_card(manifest, config, size, notes), encoding="utf-8")
    files[card.name] = list_files(root)[card.name]
    write_manifest(root, msgspec.structs.replace(manifest, files=dict(sorted(files.items()))))


def _parent(out: Path) -> Path:
    out.parent.mkdir(parents=True, exist_ok=True)
    return out.parent


def _check_target(out: Path) -> None:
    """An older bundle may be replaced, nothing else."""
    if out.exists() and not BundleFiles(out).manifest.exists() and (out.is_file() or any(out.iterdir())):
        raise InputError(f"{out}: not a model bundle, and not empty: name another folder")
