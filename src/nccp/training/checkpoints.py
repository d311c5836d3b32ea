"""The folder of a run, and its checkpoints: one safetensors file each, replaced whole or not at all.

RUN/
  config.json          the full configuration, with the version of nccp
  symbols.json         labels, tags and learned words
  log.txt              for a person
  history.jsonl        one line an evaluation, for a program
  events/              for TensorBoard
  last.safetensors     to go on from: weights, optimiser, random states
  best.safetensors     the weights with the best development F1
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from nccp import __version__
from nccp.config import Config, check_config
from nccp.errors import InputError
from nccp.files import atomic_write
from nccp.model.parsing_model import ParsingModel
from nccp.trees import Symbols


@dataclass(frozen=True)
class RunFolder:
    """The files of a run by name."""

    path: Path

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def symbols(self) -> Path:
        return self.path / "symbols.json"

    @property
    def log(self) -> Path:
        return self.path / "log.txt"

    @property
    def history(self) -> Path:
        return self.path / "history.jsonl"

    @property
    def events(self) -> Path:
        return self.path / "events"

    @property
    def last(self) -> Path:
        return self.path / "last.safetensors"

    @property
    def best(self) -> Path:
        return self.path / "best.safetensors"

    def write_config(self, config: Config) -> None:
        """The configuration as it was completed by defaults."""
        tree = {"version": __version__, "config": msgspec.to_builtins(config)}
        with atomic_write(self.config) as file:
            json.dump(tree, file, indent=2)

    def read_config(self) -> Config:
        return check_config(_read_json(self.config)["config"], str(self.config))

    def summary(self) -> dict[str, Any]:
        """How long the run was, and its best development score; nothing if it has no history."""
        try:
            rows = [json.loads(line) for line in self.history.read_text(encoding="utf-8").splitlines()]
        except FileNotFoundError:
            rows = []
        if not rows:
            return {}
        best = max(rows, key=lambda row: row["f1"])
        return {
            "epochs": round(rows[-1]["epoch"], 2),
            "minutes": round(rows[-1]["minutes"], 1),
            "best_epoch": round(best["epoch"], 2),
            "words_per_second": round(sum(row["words_per_second"] for row in rows) / len(rows)),
        }

    def write_symbols(self, symbols: Symbols, words: list[str]) -> None:
        tree = {"labels": symbols.labels.names, "tags": symbols.tags.names, "words": words}
        with atomic_write(self.symbols) as file:
            json.dump(tree, file, ensure_ascii=False)

    def read_symbols(self) -> tuple[Symbols, list[str]]:
        """The symbols, frozen, and the words that have a learned vector."""
        tree = _read_json(self.symbols)
        return Symbols(tree["labels"], tree["tags"], frozen=True), tree["words"]

    def add_history(self, record: dict[str, Any]) -> None:
        """Append one line; a line that a crash cut short is left out by `read_history`."""
        with open(self.history, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def read_history(self) -> list[dict[str, Any]]:
        """All complete lines; where a resumed run repeats an evaluation, its last one counts."""
        if not self.history.exists():
            return []
        records = {}
        for line in self.history.read_text(encoding="utf-8").splitlines():
            if line.endswith("}"):
                record = json.loads(line)
                records[record["step"]] = record
        return [records[step] for step in sorted(records)]


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: is this the folder of a run?") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def write_tensors(path: Path, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
    """Tensors and a JSON state in one file."""
    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with atomic_write(path, binary=True) as file:
        file.write(save(contiguous, {"state": json.dumps(state)}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The inverse of `write_tensors`; nothing in the file is ever run."""
    try:
        with safe_open(path, framework="pt") as file:
            names = file.keys()  # the file itself is no mapping
            return {name: file.get_tensor(name) for name in names}, json.loads(file.metadata()["state"])
    except FileNotFoundError:
        raise InputError(f"{path}: there is no checkpoint here") from None
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not a checkpoint of nccp: {error}") from None


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
    """A run's parser, and what its checkpoint says of itself."""

    folder: RunFolder
    parser: ParsingModel
    state: dict[str, Any]


def load_run(path: str | Path, which: str = "best") -> LoadedRun:
    """The parser of a run folder with its ``best`` or ``last`` weights."""
    folder = RunFolder(Path(path))
    config = folder.read_config()
    config = msgspec.structs.replace(config, input=msgspec.structs.replace(config.input, cache=""))
    parser = ParsingModel(config, *folder.read_symbols())
    tensors, state = read_tensors(folder.best if which == "best" else folder.last)
    load_weights(parser, tensors, str(folder.path))
    return LoadedRun(folder, parser, state)


def load_weights(parser: ParsingModel, tensors: dict[str, Tensor], source: str) -> None:
    """Take the ``model.`` tensors of a checkpoint; those of a frozen encoder are not in it."""
    weights = {name[6:]: tensor for name, tensor in tensors.items() if name.startswith("model.")}
    result = parser.load_state_dict(weights, strict=False)
    missing = [name for name in result.missing_keys if name in saved_weights(parser)]
    if missing or result.unexpected_keys:
        raise InputError(
            f"{source}: the weights do not fit the configuration: {missing or result.unexpected_keys}"
        )


def saved_weights(parser: ParsingModel) -> dict[str, Tensor]:
    """What a checkpoint holds of the parser: everything but a frozen encoder."""
    frozen = parser.config.input.encoder and not parser.config.input.tune
    return {
        name: tensor
        for name, tensor in parser.state_dict().items()
        if not (frozen and name.startswith("input.encoder."))
    }
