"""Warm starts: initialise from another run or from a model bundle, matching parameters by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor

from nccp.config import merge_tables
from nccp.errors import ConfigError
from nccp.export.read_bundle import bundle_config, bundle_weights
from nccp.model.parsing_model import ParsingModel
from nccp.runtime.bundle import Bundle
from nccp.runtime.models import find_model
from nccp.training.checkpoints import read_tensors
from nccp.training.run_folder import RunFolder


@dataclass(frozen=True)
class Start:
    """The weights to start from, with the names that the rows of its tables belong to."""

    source: str
    labels: Sequence[str]
    tags: Sequence[str]
    words: Sequence[str]
    weights: dict[str, Tensor]
    """By their names in `ParsingModel`."""


def load_start(source: str) -> Start:
    """The best weights of a run folder, or those of a model: a name, or the folder of a bundle."""
    folder = RunFolder(Path(source))
    if folder.config.exists():
        symbols, words = folder.read_symbols()
        tensors, _ = read_tensors(folder.best)
        weights = {name[6:]: tensor for name, tensor in tensors.items() if name.startswith("model.")}
        return Start(source, symbols.labels.names, symbols.tags.names, words, weights)
    bundle = Bundle.load(find_model(source))
    weights, words = bundle_weights(bundle)
    return Start(source, bundle.manifest.labels, bundle.manifest.tags, words, weights)


def complete_config(tree: dict[str, Any], resumed: Path | None = None) -> dict[str, Any]:
    """A configuration with ``train.start``: what it leaves open about model and input is as in the start.

    A ``resumed`` run has it all in its own folder: the start may be gone by then.
    """
    source = tree.get("train", {}).get("start", "")
    if not source or not isinstance(source, str):
        return tree
    folder = RunFolder(resumed or Path(source))
    if folder.config.exists():
        whole = msgspec.to_builtins(folder.read_config())
        return merge_tables({key: whole[key] for key in ("language", "model", "input")}, tree)
    return merge_tables(bundle_config(Bundle.load(find_model(source))), tree)


@torch.no_grad()
def take_weights(model: ParsingModel, start: Start) -> int:
    """Copy the weights of ``start`` that ``model`` has too; how many numbers were copied.

    Labels, tags and learned words are matched by name, so the treebanks may differ. Parts that only one of
    the two has, such as the other model's combinator, stay as they are.
    """
    rows = {  # tables whose rows have names: theirs and ours
        "network.heads.label.": (start.labels, model.symbols.labels.names),
        "network.heads.tag.": (start.tags, model.symbols.tags.names),
    }
    for prefix in model.input.word_tables():  # row 0 is for unknown words
        rows[f"input.{prefix}"] = ["", *start.words], ["", *model.words]
    taken = 0
    for name, mine in model.state_dict().items():
        theirs = start.weights.get(name)
        if theirs is None:
            continue
        named = next((pair for prefix, pair in rows.items() if name.startswith(prefix)), None)
        if named and theirs.shape[1:] == mine.shape[1:]:
            old, new = _common(*named)
            mine[new] = theirs[old].to(mine)
            taken += mine[new].numel()
        elif theirs.shape == mine.shape:
            mine.copy_(theirs)
            taken += mine.numel()
        else:
            shapes = f"{tuple(theirs.shape)} there and {tuple(mine.shape)} here"
            raise ConfigError(
                f"train.start: {start.source} does not fit: {name} is {shapes}; to use the [model] and "
                "[input] of the start, leave them out of the configuration"
            )
    return taken


def _common(theirs: Sequence[str], ours: Sequence[str]) -> tuple[Tensor, Tensor]:
    """The places of the names that are in both lists: in the first, in the second."""
    places = {name: place for place, name in enumerate(theirs)}
    pairs = [(places[name], place) for place, name in enumerate(ours) if name in places]
    old, new = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
    return old, new
