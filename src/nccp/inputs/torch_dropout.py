"""Dropout that is fast on a CPU.

torch draws one Mersenne Twister number for each element, on one core: 15 % of a training step. Here one
torch number seeds a fast generator that fills the mask with random bytes. Runs are still repeatable from
torch's seed; the probability is rounded to 1/256.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Zeroes elements with probability ``p`` in training and scales the rest."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        return x * self.mask(x) if self.training and self.p else x

    def mask(self, x: Tensor) -> Tensor:
        """A mask of x's shape; its mean is 1."""
        if x.device.type != "cpu":
            return nn.functional.dropout(torch.ones_like(x), self.p)
        bar = round(256 * self.p)
        seed = int(torch.randint(2**62, ()))
        drawn = np.frombuffer(np.random.Generator(np.random.SFC64(seed)).bytes(x.numel()), np.uint8)
        kept = torch.from_numpy(drawn >= bar).view(x.shape)
        return kept.to(x.dtype).mul_(256 / (256 - bar))

    def extra_repr(self) -> str:
        return f"p={self.p}"


class SharedDropout(Dropout):
    """Drops the same dimensions at all time steps of a sequence: (T, S, d)."""

    def forward(self, x: Tensor) -> Tensor:
        return x * self.mask(x[:1]) if self.training and self.p else x
