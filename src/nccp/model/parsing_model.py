"""The module that is trained: an input and a network, built from a configuration."""

from __future__ import annotations

from torch import Tensor, nn

from nccp.config import Config
from nccp.inputs import build_module
from nccp.model.engine import TorchEngine
from nccp.model.network import Losses, Network
from nccp.model.plan import Plan
from nccp.trees import Symbols


class ParsingModel(nn.Module):
    """An input and a network: all that is trained."""

    def __init__(self, config: Config, symbols: Symbols, words: list[str]) -> None:
        super().__init__()
        self.config, self.symbols, self.words = config, symbols, words
        self.input = build_module(config.input, words)
        self.network = Network(config.model, self.input.size, len(symbols.tags), len(symbols.labels))

    def forward(self, e: Tensor, plan: Plan) -> Losses:
        """The losses of a batch, given what ``input`` says of its words: exploring needs that too."""
        losses: Losses = self.network(e, plan)
        return losses

    def frozen_prefixes(self) -> tuple[str, ...]:
        """Prefixes of the names of weights that never change."""
        return tuple(f"input.{prefix}" for prefix in self.input.frozen_prefixes())

    def engine(self) -> TorchEngine:
        """For decoding; puts the network into evaluation mode."""
        return TorchEngine(self.input, self.network, self.symbols)
