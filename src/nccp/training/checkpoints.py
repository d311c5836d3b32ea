"""Checkpoints: one safetensors file each, replaced as a whole or not at all; loading a run's model."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from nccp.errors import InputError
from nccp.files import atomic_write
from nccp.model.parsing_model import ParsingModel
from nccp.training.run_folder import RunFolder


def write_tensors(path: Path, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
    """Write tensors and a JSON state to one file."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    about = {"state": json.dumps(state)}
    about["sha256"] = _checksum(contiguous, about["state"])
    with atomic_write(path, binary=True) as file:
        file.write(save(contiguous, about))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The inverse of `write_tensors`. Nothing in the file is executed.

    The file is opened once: a running training may replace it meanwhile.
    """
    try:
        content = path.read_bytes()
        tensors, about = load(content), _metadata(content)
        if "sha256" in about and about["sha256"] != _checksum(tensors, about["state"]):
            raise ValueError("its checksum differs")
        return tensors, json.loads(about["state"])
    except FileNotFoundError:
        raise InputError(f"{path}: there is no checkpoint here") from None
    except OSError as error:
        raise InputError(f"{path}: {error}") from None
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: damaged, or not a checkpoint of nccp ({error}). {_advice(path)}") from None


def _metadata(content: bytes) -> dict[str, str]:
    """The metadata of a safetensors file: its header is JSON, and begins with its length in 8 bytes."""
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    return header["__metadata__"]  # type: ignore[no-any-return]


def _checksum(tensors: dict[str, Tensor], state: str) -> str:
    digest = hashlib.sha256(state.encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _advice(path: Path) -> str:
    """What can still be done with a run whose checkpoint is damaged."""
    folder = RunFolder(path.parent)
    if path == folder.last and folder.best.exists():
        return (
            "Delete it and start the run again with `nccp train ...`, or initialise a new run from the best "
            f"weights with train.start={folder.path}"
        )
    return "Copy it again from its source, or train again"


def pack_optimizer(optimizer: torch.optim.Optimizer) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
    """An optimiser's state as named tensors and plain groups."""
    state = optimizer.state_dict()
    tensors = {f"{i}.{key}": value for i, slot in state["state"].items() for key, value in slot.items()}
    return tensors, state["param_groups"]


def unpack_optimizer(
    optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor], groups: list[dict[str, Any]]
) -> None:
    """The inverse of `pack_optimizer`."""
    slots: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        index, key = name.split(".", 1)
        slots.setdefault(int(index), {})[key] = value
    optimizer.load_state_dict({"state": slots, "param_groups": groups})


@dataclass(frozen=True)
class LoadedRun:
    """A run's model, and what its checkpoint says of itself."""

    folder: RunFolder
    model: ParsingModel
    state: dict[str, Any]


def load_run(path: str | Path, which: str = "best") -> LoadedRun:
    """The model of a run folder with its ``best`` or ``last`` weights."""
    folder = RunFolder(Path(path))
    config = folder.read_config()
    config = msgspec.structs.replace(config, input=config.input.without_cache())
    model = ParsingModel(config, *folder.read_symbols())
    tensors, state = read_tensors(folder.best if which == "best" else folder.last)
    load_weights(model, tensors, str(folder.path))
    return LoadedRun(folder, model, state)


def load_weights(model: ParsingModel, tensors: dict[str, Tensor], source: str) -> None:
    """Take the ``model.`` tensors of a checkpoint; those of a frozen encoder are not in it."""
    weights = {name[6:]: tensor for name, tensor in tensors.items() if name.startswith("model.")}
    try:
        result = model.load_state_dict(weights, strict=False)
    except RuntimeError as error:  # of another shape
        raise InputError(f"{source}: the weights do not fit the configuration: {error}") from None
    missing = [name for name in result.missing_keys if name in saved_weights(model)]
    if missing or result.unexpected_keys:
        raise InputError(
            f"{source}: the weights do not fit the configuration: {missing or result.unexpected_keys}"
        )


def saved_weights(model: ParsingModel) -> dict[str, Tensor]:
    """What a checkpoint holds of the model: everything but what never changes."""
    frozen = model.frozen_prefixes()
    return {name: tensor for name, tensor in model.state_dict().items() if not name.startswith(frozen)}
