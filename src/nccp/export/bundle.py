"""A trained run as a model bundle: written, loaded again, and compared with torch tree by tree."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from nccp.config import Config
from nccp.decoding import Parser
from nccp.errors import InputError, TrainingError
from nccp.evaluation import Evaluation, development_trees, evaluate, score_treebanks
from nccp.export.card import model_card
from nccp.export.encoder_graph import write_encoder
from nccp.export.graphs import network_graphs
from nccp.inputs.encoder.lookup import EncoderInput, range_of
from nccp.inputs.encoder.torch_module import EncoderInput as TorchEncoderInput
from nccp.inputs.words.lookup import WordInput
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.torch_module import WordInput as TorchWordInput
from nccp.model.parsing_model import ParsingModel
from nccp.runtime import load
from nccp.runtime.bundle import Bundle, BundleFiles, Manifest, share_files, stale_neighbours, write_manifest
from nccp.training.checkpoints import load_run
from nccp.trees import Tree

Precision = Literal["float32", "int8"]

MOST_LOSS = 0.1  # F1 that 8 bits may cost, unless they are asked for
_SAMPLE = 500  # sentences that show how large an encoder's numbers get
_MOST_DIFFERENT = 1e-3  # share of trees: in float32 only a tie may fall the other way


@dataclass(frozen=True)
class Comparison:
    """A bundle beside the torch network it was made from, on the same sentences."""

    precision: Precision
    sentences: int
    torch_f1: float
    f1: float
    tag_accuracy: float
    different: int
    """Trees that are not the same."""

    @property
    def loss(self) -> float:
        """F1 that the bundle loses; below zero if it gains."""
        return self.torch_f1 - self.f1


@dataclass(frozen=True)
class Export:
    """What was written, and what was measured on the way; the last comparison is the bundle's own."""

    path: Path
    size: int
    comparisons: tuple[Comparison, ...]
    stale: tuple[str, ...] = ()
    """Bundles beside it that share files of it which it replaced."""

    def as_dict(self) -> dict[str, Any]:
        tried = [asdict(comparison) | {"loss": comparison.loss} for comparison in self.comparisons]
        about = {"path": str(self.path), "bytes": self.size, "stale": list(self.stale)}
        return {**about, **tried[-1], "tried": tried}


def export_run(
    run: str | Path,
    out: str | Path,
    *,
    which: str = "best",
    precision: Precision | None = None,
    trees: Sequence[Tree] | None = None,
    max_vectors: int | None = None,
    name: str = "",
    licence: str = "",
    splits: Sequence[str] = (),
    notes: str = "",
    share: str | Path | None = None,
) -> Export:
    """Write the bundle of a run to the folder ``out``.

    It is compared with torch on ``trees``, or else on the run's development trees. Without a ``precision``
    it is int8 if that loses less than 0.1 F1, else float32. Its card has its scores on these ``splits`` of
    the run's treebanks, and the ``notes``. Files that the bundle ``share`` beside it has too stay there.
    """
    loaded = load_run(run, which)
    parser = loaded.parser
    about = Manifest(
        name=name or parser.config.name or Path(run).name,
        licence=licence,
        training={"seed": parser.config.train.seed, **loaded.folder.summary()},
    )
    trees = development_trees(parser.config.data) if trees is None else trees
    export = export_parser(
        parser, out, trees, about, precision=precision, max_vectors=max_vectors, splits=splits, notes=notes
    )
    if share is None:
        return export
    share_files(out, share)
    return replace(export, size=Bundle.load(out).size)


def export_parser(
    parser: ParsingModel,
    out: str | Path,
    trees: Sequence[Tree],
    about: Manifest,
    *,
    precision: Precision | None = None,
    max_vectors: int | None = None,
    splits: Sequence[str] = (),
    notes: str = "",
) -> Export:
    """As `export_run`, for a parser in memory; ``about`` has the name and the licence."""
    out = Path(out)
    _check_target(out)
    if not trees:
        raise InputError("there are no trees to compare the export with torch on: give some with --trees")
    golds = list(trees)
    sentences = [gold.leaves() for gold in golds]
    truth = evaluate(Parser(parser.engine(), threads=1), golds)
    tried: list[Comparison] = []
    choices: list[Precision] = [precision] if precision else ["int8", "float32"]
    for choice in choices:
        with tempfile.TemporaryDirectory(dir=_parent(out), prefix=f".{out.name}.") as folder:
            root = Path(folder) / "bundle"
            root.mkdir()
            manifest = _write_files(root, parser, about, choice, max_vectors, sentences)
            comparison = _compare(root, choice, truth)
            tried.append(comparison)
            if choice == "int8" and precision is None and comparison.loss >= MOST_LOSS:
                continue
            if choice == "float32" and comparison.different > max(1, _MOST_DIFFERENT * len(golds)):
                raise TrainingError(
                    f"the export does not parse as torch does: {comparison.different} of {len(golds)} trees "
                    "differ. This is a bug of nccp, please report it; nothing was written"
                )
            scores = {"f1": comparison.f1, "tag_accuracy": comparison.tag_accuracy, "sentences": len(golds)}
            manifest = msgspec.structs.replace(manifest, scores=scores)
            describe(root, manifest, parser.config, splits, notes, Bundle.load(root).size)
            bundle = Bundle.load(root)
            bundle.verify()
            _replace(root, out)
            return Export(out, bundle.size, tuple(tried), tuple(stale_neighbours(out)))
    raise AssertionError("float32 is always written or refused")


def describe(
    root: Path, manifest: Manifest, config: Config, splits: Collection[str], notes: str, size: int
) -> None:
    """Score the bundle in ``root`` on these splits of its treebanks; write its card and its manifest."""
    results = score_treebanks(load(root), config.data, splits) if splits else ()
    manifest = msgspec.structs.replace(manifest, results=results)
    BundleFiles(root).card.write_text(model_card(manifest, config, size, notes), encoding="utf-8")
    write_manifest(root, manifest)


def word_input(input: TorchWordInput, precision: Precision, max_vectors: int | None = None) -> WordInput:
    """The same words without torch. In float32 nothing is lost."""
    parts = {name: _table(getattr(input, name, None)) for name in ("shift", "words", "ngrams")}
    words = WordInput(learned=list(input.table.learned), vectors=input.table.vectors, **parts)
    if precision == "int8" or max_vectors is not None:
        return words.cast(precision, max_vectors)
    return words


def _table(layer: nn.Embedding | nn.EmbeddingBag | None) -> Table | None:
    return None if layer is None else Table(layer.weight.detach().cpu().numpy())


def _write_files(
    root: Path,
    parser: ParsingModel,
    about: Manifest,
    precision: Precision,
    max_vectors: int | None,
    sentences: Sequence[Sequence[str]],
) -> Manifest:
    files, config = BundleFiles(root), parser.config
    bounds = _write_input(files, parser, precision, max_vectors, sentences)
    with torch.inference_mode():
        for name, model in network_graphs(parser.network, bounds).items():
            files.graph(name).write_bytes(model.SerializeToString())
    manifest = msgspec.structs.replace(
        about,
        language=about.language or config.language,
        precision=precision,
        config=msgspec.to_builtins(config),
        labels=tuple(parser.symbols.labels),
        tags=tuple(parser.symbols.tags),
    )
    write_manifest(root, manifest)
    return manifest


def _write_input(
    files: BundleFiles,
    parser: ParsingModel,
    precision: Precision,
    max_vectors: int | None,
    sentences: Sequence[Sequence[str]],
) -> NDArray[np.float32] | None:
    """Write what gives words their vectors; how large its numbers get, (in,), if 8 bits need to know."""
    if isinstance(parser.input, TorchEncoderInput):
        int8 = precision == "int8"
        write_encoder(parser.input, files.encoder, files.tokenizer, files.pieces, int8=int8)
        if not int8:
            return None
        return range_of(EncoderInput.load(files.encoder, files.tokenizer, files.pieces), sentences[:_SAMPLE])
    words = word_input(parser.input, precision, max_vectors)
    words.save(files.words, files.tables, files.vectors)
    return None if precision == "float32" else words.bounds()


def _compare(root: Path, precision: Precision, truth: Evaluation) -> Comparison:
    """Parse with the bundle as it is on disk."""
    done = evaluate(load(root, threads=1), truth.golds)
    different = sum(mine != theirs for mine, theirs in zip(done.trees, truth.trees))
    return Comparison(
        precision, len(done.golds), truth.score.f1, done.score.f1, done.score.tag_accuracy, different
    )


def _parent(out: Path) -> Path:
    out.parent.mkdir(parents=True, exist_ok=True)
    return out.parent


def _check_target(out: Path) -> None:
    """An older bundle may be replaced, nothing else."""
    if out.exists() and not BundleFiles(out).manifest.exists() and (out.is_file() or any(out.iterdir())):
        raise InputError(f"{out}: not a model bundle, and not empty: name another folder")


def _replace(root: Path, out: Path) -> None:
    """Give ``root`` the name ``out``; an older bundle goes only when the new one is complete."""
    if out.exists():
        old = root.parent / "old"  # goes with the temporary folder
        out.rename(old)
    root.rename(out)
