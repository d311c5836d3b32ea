"""Inputs and networks made from a configuration, new or with a run's weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from torch import Tensor, nn

from nccp.config import Config, InputConfig
from nccp.errors import InputError
from nccp.model.engine import TorchEngine
from nccp.model.inputs import WordInput
from nccp.model.network import Losses, Network
from nccp.model.plan import Plan
from nccp.text.vector_files import load_vectors
from nccp.text.words import WordTable
from nccp.training.runs import RunFolder, read_tensors
from nccp.trees import Symbols


class Parser(nn.Module):
    """An input and a network: all that is trained."""

    def __init__(self, config: Config, symbols: Symbols, words: list[str]) -> None:
        super().__init__()
        self.config, self.symbols, self.words = config, symbols, words
        self.input = build_input(config.input, words)
        self.network = Network(config.model, self.input.size, len(symbols.tags), len(symbols.labels))

    def forward(self, e: Tensor, plan: Plan) -> Losses:
        """The losses of a batch, given what ``input`` says of its words: exploring needs that too."""
        losses: Losses = self.network(e, plan)
        return losses

    def engine(self) -> TorchEngine:
        """For decoding; puts the network into evaluation mode."""
        return TorchEngine(self.input, self.network, self.symbols)


def build_input(config: InputConfig, words: list[str]) -> Any:
    """What the configuration says a word is; ``words`` have learned vectors."""
    if config.encoder:
        from nccp.model.encoder import EncoderInput

        return EncoderInput(config)
    vectors = load_vectors(config.vectors) if config.vectors else None
    if vectors is not None and config.standardise:
        known = vectors.lookup(words)
        known = known[known.any(1)]
        center = known.mean(0)
        vectors = vectors.affine(center, 1 / float((known - center).std()))
    learned = words if config.words or config.tune else []
    return WordInput(config, WordTable(learned, vectors, config.buckets if config.ngrams else 0))


@dataclass(frozen=True)
class LoadedRun:
    """A run's parser, and what its checkpoint says of itself."""

    folder: RunFolder
    parser: Parser
    state: dict[str, Any]


def load_run(path: str | Path, which: str = "best") -> LoadedRun:
    """The parser of a run folder with its ``best`` or ``last`` weights."""
    folder = RunFolder(Path(path))
    config = folder.read_config()
    config = msgspec.structs.replace(config, input=msgspec.structs.replace(config.input, cache=""))
    parser = Parser(config, *folder.read_symbols())
    tensors, state = read_tensors(folder.best if which == "best" else folder.last)
    load_weights(parser, tensors, str(folder.path))
    return LoadedRun(folder, parser, state)


def load_weights(parser: Parser, tensors: dict[str, Tensor], source: str) -> None:
    """Take the ``model.`` tensors of a checkpoint; those of a frozen encoder are not in it."""
    weights = {name[6:]: tensor for name, tensor in tensors.items() if name.startswith("model.")}
    result = parser.load_state_dict(weights, strict=False)
    missing = [name for name in result.missing_keys if name in saved_weights(parser)]
    if missing or result.unexpected_keys:
        raise InputError(
            f"{source}: the weights do not fit the configuration: {missing or result.unexpected_keys}"
        )


def saved_weights(parser: Parser) -> dict[str, Tensor]:
    """What a checkpoint holds of the parser: everything but a frozen encoder."""
    frozen = parser.config.input.encoder and not parser.config.input.tune
    return {
        name: tensor
        for name, tensor in parser.state_dict().items()
        if not (frozen and name.startswith("input.encoder."))
    }
