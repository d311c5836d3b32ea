"""The binary combinator: orientations of a layer, and two vectors into one (paper, Alg. 2 and 4)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nccp.config import Compose, ModelConfig
from nccp.inputs.torch_dropout import Dropout
from nccp.model.bilstm import BiLSTM, Sequences


class Binary(nn.Module):
    """``orient`` says which way each node of a layer points, ``compose`` joins a pair that meets."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        size, hidden = config.size, config.orientation_hidden
        self.dropout = Dropout(config.dropout)
        self.bilstm_ori = BiLSTM(size, hidden) if config.orientation == "bilstm" else None
        if self.bilstm_ori is None:
            self.ffnn_hidden = nn.Linear(size, 2 * hidden)  # B/F: as wide as BiLSTM_ori
        self.ffnn_ori = nn.Linear(2 * hidden, 1)
        self.binary = BinaryCompose(size, config.compose)

    def orient(self, x: Tensor, layers: Sequences) -> Tensor:
        """Alg. 2, lines 2 to 4: the score of pointing right of each node of many layers, (N, d) to (N,)."""
        if self.bilstm_ori is None:
            h = self.ffnn_hidden(self.dropout(x)).relu()
        else:
            h = torch.cat(self.bilstm_ori(self.dropout(x), layers), 1)
        return self.ffnn_ori(self.dropout(h)).squeeze(1)  # type: ignore[no-any-return]


class BinaryCompose(nn.Module):
    """BINARY of Alg. 4 for pairs that combine; ``lam`` weights the left one."""

    def __init__(self, size: int, variant: Compose) -> None:
        super().__init__()
        self.variant = variant
        width = 1 if variant in (Compose.NS, Compose.CS) else size
        if variant in (Compose.NS, Compose.NV):
            self.bias = nn.Parameter(torch.zeros(width))
        elif variant in (Compose.CS, Compose.CV):
            self.ffnn_binary: nn.Linear | nn.Bilinear = nn.Linear(2 * size, width)
        elif variant is Compose.BV:
            self.ffnn_binary = nn.Bilinear(size, size, width)

    def forward(self, x_L: Tensor, x_R: Tensor) -> tuple[Tensor, Tensor | None]:
        """The vectors of the pairs (P, d) and their λ: (P, d), (P, 1) for a scalar, None for a sum."""
        if self.variant is Compose.ADD:
            return x_L + x_R, None  # Alg. 4, line 6
        lam = self._weight(x_L, x_R)
        return torch.lerp(x_R, x_L, lam), lam  # lines 15 and 17: lam x_L + (1 - lam) x_R

    def _weight(self, x_L: Tensor, x_R: Tensor) -> Tensor:
        if self.variant in (Compose.NS, Compose.NV):
            return self.bias.sigmoid().expand(len(x_L), -1)  # Alg. 4, line 9
        if self.variant is Compose.BV:
            return _bilinear(self.ffnn_binary, x_L, x_R).sigmoid()  # line 13
        return self.ffnn_binary(torch.cat((x_L, x_R), 1)).sigmoid()  # type: ignore[no-any-return]  # line 11


def _bilinear(layer: nn.Linear | nn.Bilinear, x_L: Tensor, x_R: Tensor) -> Tensor:
    """What ``layer`` gives, as one large matrix product: ``nn.Bilinear`` is many times slower on a CPU."""
    width, size, _ = layer.weight.shape
    products = (x_R @ layer.weight.view(width * size, -1).T).view(-1, width, size)  # (P, width, d)
    return torch.bmm(products, x_L.unsqueeze(2)).squeeze(2) + layer.bias
