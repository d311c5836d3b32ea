"""A training run as a model bundle."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError

from nccp.disk import explain_disk_errors
from nccp.errors import DiskError, InputError
from nccp.evaluation import development_trees
from nccp.export.bundle import Export, Precision, export_model
from nccp.model.multi import Multi
from nccp.model.parsing_model import ParsingModel
from nccp.runtime.manifest import Manifest
from nccp.training.checkpoints import load_run
from nccp.trees import Tree


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
    boundary_penalty: float = 0.0,
    encoder: str | Path | None = None,
) -> Export:
    """Write the bundle of a run to the folder ``out``; see `export_model`.

    Without ``trees`` the bundle is compared with torch on the run's development trees. ``boundary_penalty``
    is subtracted from the score of every chunk boundary of a multi-branching model. ``encoder`` is a folder
    to which the run's encoder is written in the format of Hugging Face, so that other runs can build on it.
    """
    loaded = load_run(run, which)
    model = loaded.model
    if boundary_penalty:
        _lower_boundaries(model, boundary_penalty)
    if encoder is not None:
        _write_encoder(model, Path(encoder))
    about = Manifest(
        name=name or model.config.name or Path(run).name,
        licence=licence,
        training={"seed": model.config.train.seed, **loaded.folder.summary()},
    )
    return export_model(
        model,
        out,
        development_trees(model.config.data) if trees is None else trees,
        about,
        precision=precision,
        max_vectors=max_vectors,
        splits=splits,
        notes=notes,
        share=share,
    )


@torch.no_grad()
def _lower_boundaries(model: ParsingModel, penalty: float) -> None:
    combinator = model.network.combinator
    if not isinstance(combinator, Multi):
        raise InputError("a boundary penalty needs a multi-branching model; this run has a binary one")
    combinator.ffnn_chk.bias.sub_(penalty)


def _write_encoder(model: ParsingModel, folder: Path) -> None:
    """Each file appears under its name when all of them are complete."""
    with explain_disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".") as temporary:
            try:
                model.input.save_encoder(Path(temporary))
            except SafetensorError as error:  # a failed write of that library
                raise DiskError(str(folder), str(error)) from None
            for path in Path(temporary).iterdir():
                path.replace(folder / path.name)
