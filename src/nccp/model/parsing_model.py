"""The module that is trained: an input and a network, built from a configuration."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from nccp.config import Config, InputConfig
from nccp.inputs.words.table import WordTable
from nccp.inputs.words.torch_module import WordInput
from nccp.inputs.words.vector_files import load_vectors
from nccp.model.engine import TorchEngine
from nccp.model.network import Losses, Network
from nccp.model.plan import Plan
from nccp.trees import Symbols


class ParsingModel(nn.Module):
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
        from nccp.inputs.encoder.torch_module import EncoderInput

        return EncoderInput(config)
    vectors = load_vectors(config.vectors) if config.vectors else None
    if vectors is not None and config.standardise:
        known = vectors.lookup(words)
        known = known[known.any(1)]
        center = known.mean(0)
        vectors = vectors.affine(center, 1 / float((known - center).std()))
    learned = words if config.words or config.tune else []
    return WordInput(config, WordTable(learned, vectors, config.buckets if config.ngrams else 0))
