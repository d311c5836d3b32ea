"""The multi-branching combinator: chunk boundaries of a layer, and a chunk into one vector (Alg. 3)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nccp.config import ModelConfig
from nccp.inputs.torch_dropout import Dropout
from nccp.model.bilstm import BiLSTM, Sequences


@dataclass(frozen=True)
class BoundaryTensors:
    """Where the n + 1 boundaries of each sequence of a layer find their neighbours.

    ``before`` and ``behind`` are places of nodes in the flat layer, or its length N where a sequence ends.
    """

    before: Tensor  # (N + S,)
    behind: Tensor  # (N + S,)
    previous: Tensor  # (N,) the node before each node in its sequence, or N
    following: Tensor  # (N,)


class Multi(nn.Module):
    """``chunk`` scores the boundaries of a layer and each node's weight, ``merge`` joins chunks."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.dropout = Dropout(config.dropout)
        self.bilstm_chk = BiLSTM(config.size, config.chunk_hidden)
        self.ffnn_chk = nn.Linear(2 * config.chunk_hidden, 1)
        self.ffnn_multi = nn.Linear(2 * config.chunk_hidden, config.size)

    def chunk(self, x: Tensor, layer: Sequences, ends: BoundaryTensors) -> tuple[Tensor, Tensor]:
        """Alg. 3, lines 2 to 9: boundary scores (N + S,) and weight logits FFNN_multi(d) (N, size)."""
        ahead, back = self.bilstm_chk(self.dropout(x), layer)  # (N, h) each
        none = ahead.new_zeros(1, ahead.shape[1])  # the state before the first and behind the last
        ahead_padded, back_padded = torch.cat((ahead, none)), torch.cat((back, none))
        h = torch.cat((_rows(ahead_padded, ends.before), _rows(back_padded, ends.behind)), 1)  # line 5
        c = self.ffnn_chk(self.dropout(h)).squeeze(1)
        d_ahead = ahead - _rows(ahead_padded, ends.previous)  # line 9
        d_back = back - _rows(back_padded, ends.following)
        return c, self.ffnn_multi(torch.cat((d_ahead, d_back), 1))

    @staticmethod
    def merge(x: Tensor, logits: Tensor, segment: Tensor, count: int) -> tuple[Tensor, Tensor]:
        """MULTI of Alg. 3 over ``count`` chunks: (M, d) members to (count, d), and their λ (M, d)."""
        lam = segment_softmax(logits, segment, count)
        return x.new_zeros(count, x.shape[1]).index_add(0, segment, lam * x), lam


def segment_softmax(logits: Tensor, segment: Tensor, count: int) -> Tensor:
    """Softmax over the rows of each segment, for each dimension by itself."""
    index = segment[:, None].expand_as(logits)
    top = logits.new_full((count, logits.shape[1]), -torch.inf)
    top = top.scatter_reduce(0, index, logits.detach(), "amax")
    exp = (logits - _rows(top, segment)).exp()
    return exp / _rows(exp.new_zeros(count, exp.shape[1]).index_add(0, segment, exp), segment)


def _rows(x: Tensor, places: Tensor) -> Tensor:
    return x.index_select(0, places)  # unlike x[places] also fast backward
