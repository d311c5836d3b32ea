"""The torch engine: lets the decoder run a network that is being trained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nccp.decoding import Context
from nccp.decoding.layers import merge
from nccp.inputs.torch_module import InputModule
from nccp.model.bilstm import Sequences
from nccp.model.binary import Binary
from nccp.model.multi import BoundaryTensors, Multi
from nccp.model.network import Network
from nccp.runtime.padding import boundaries
from nccp.trees import Symbols

Floats = NDArray[np.float32]
Lengths = NDArray[np.int64]


class TorchEngine:
    """An `Engine` over an input and a network, which it puts into evaluation mode."""

    def __init__(self, input: InputModule, network: Network, symbols: Symbols) -> None:
        self.input, self.network, self.symbols = input, network, symbols
        self.binary = network.config.kind == "binary"
        self.triangular = network.config.format == "triangular"
        self.device = next(network.parameters()).device
        for module in (input, network):
            if isinstance(module, torch.nn.Module):
                module.eval()

    @torch.inference_mode()
    def context(self, sentences: Sequence[Sequence[str]]) -> Context:
        lengths = np.array([len(words) for words in sentences], np.int64)
        e = self.input(self.input.features(sentences)).to(self.device)
        return self.context_of(e, lengths)

    @torch.inference_mode()
    def context_of(self, e: Tensor, lengths: Lengths) -> Context:
        """`context` of words whose vectors ``e`` are known already, (N, in)."""
        x = self.network.context(e, Sequences(lengths, device=self.device))
        return Context(x.cpu().numpy(), self.network.heads.tags(x).cpu().numpy())

    @torch.inference_mode()
    def labels(self, x: Floats) -> Floats:
        return self.network.heads.labels(self._tensor(x)).cpu().numpy()

    @torch.inference_mode()
    def orient(self, x: Floats, lengths: Lengths) -> Floats:
        assert isinstance(self.network.combinator, Binary)
        layer = Sequences(lengths, device=self.device)
        return self.network.combinator.orient(self._tensor(x), layer).cpu().numpy()

    @torch.inference_mode()
    def compose(self, x_L: Floats, x_R: Floats) -> tuple[Floats, Floats | None]:
        assert isinstance(self.network.combinator, Binary)
        x, lam = self.network.combinator.binary(self._tensor(x_L), self._tensor(x_R))
        return x.cpu().numpy(), None if lam is None else lam.mean(1).cpu().numpy()

    @torch.inference_mode()
    def chunk(self, x: Floats, lengths: Lengths) -> tuple[Floats, Floats]:
        assert isinstance(self.network.combinator, Multi)
        ends = BoundaryTensors(*map(self._tensor, boundaries(lengths)))
        c, logits = self.network.combinator.chunk(
            self._tensor(x), Sequences(lengths, device=self.device), ends
        )
        return c.cpu().numpy(), logits.cpu().numpy()

    def merge(self, x: Floats, hints: Floats, begins: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        return merge(x, hints, begins)

    def _tensor(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(array).to(self.device)
