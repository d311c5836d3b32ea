"""Bidirectional LSTMs over sequences laid end to end; no sequence influences another.

Sequences of similar length are padded together, and the backward LSTM reads each sequence reversed within
its own length. So padding always comes *after* what is read and never touches it, and the plain padded
kernel can be used: on a CPU it trains four times faster than torch's packed one, whose backward pass
touches the whole input once for every time step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nccp.inputs.torch_dropout import SharedDropout


@dataclass(frozen=True)
class _Group:
    """Sequences padded together: (T, S) places in the flat input, and the way back."""

    steps: int
    padded: Tensor  # (T * S,) flat place of each padded one; 0 where there is none
    reverse: Tensor  # (T * S,) padded place of the mirror image within its sequence
    unpadded: Tensor  # (N_group,) padded place of each flat one, in the order of `flat`
    flat: Tensor  # (N_group,) their flat places


class Sequences:
    """Where sequences of these lengths lie in a flat batch, grouped so that little is padded."""

    def __init__(self, lengths: NDArray[np.int64], *, waste: float = 1.4, device: torch.device | None = None):
        lengths = np.asarray(lengths, np.int64)
        self.total = int(lengths.sum())
        self.groups: list[_Group] = []
        starts = np.cumsum(lengths) - lengths
        order = np.argsort(lengths, kind="stable")
        order = order[np.searchsorted(lengths[order], 1) :]  # without empty ones
        while len(order):
            longest = lengths[order[-1]]
            first = np.searchsorted(lengths[order], longest / waste)
            self.groups.append(_group(starts[order[first:]], lengths[order[first:]], device))
            order = order[:first]
        places = [group.flat for group in self.groups]
        joined = torch.cat(places) if places else torch.zeros(0, dtype=torch.long, device=device)
        self.restore = torch.empty_like(joined)  # from the groups' order to the flat one
        self.restore[joined] = torch.arange(len(joined), device=device)


def _group(starts: NDArray[np.int64], lengths: NDArray[np.int64], device: torch.device | None) -> _Group:
    steps, count = int(lengths.max()), len(lengths)
    time = np.arange(steps)[:, None]  # (T, 1)
    column = np.arange(count)[None, :]  # (1, S)
    real = time < lengths  # (T, S)
    padded = np.where(real, starts + time, 0)
    mirrored = np.where(real, lengths - 1 - time, time) * count + column
    tensors = (padded.ravel(), mirrored.ravel(), np.flatnonzero(real), padded[real])
    return _Group(steps, *(torch.from_numpy(np.ascontiguousarray(a)).to(device) for a in tensors))


class BiLSTM(nn.Module):
    """``layers`` bidirectional LSTM layers; (N, in) to the forward and the backward states (N, hidden)."""

    def __init__(self, inputs: int, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.hidden = hidden
        sizes = [inputs] + [2 * hidden] * (layers - 1)
        self.forwards = nn.ModuleList(nn.LSTM(size, hidden) for size in sizes)
        self.backwards = nn.ModuleList(nn.LSTM(size, hidden) for size in sizes)
        self.dropout = SharedDropout(dropout)

    def forward(self, x: Tensor, sequences: Sequences) -> tuple[Tensor, Tensor]:
        ahead, back = zip(*(self._run(x, group) for group in sequences.groups))
        return (
            torch.cat(ahead).index_select(0, sequences.restore),
            torch.cat(back).index_select(0, sequences.restore),
        )

    def _run(self, x: Tensor, group: _Group) -> tuple[Tensor, Tensor]:
        h = x.index_select(0, group.padded).view(group.steps, -1, x.shape[1])  # (T, S, d)
        states: tuple[Tensor, ...] = ()
        for ahead, back in zip(self.forwards, self.backwards):
            if states:
                h = self.dropout(torch.cat(states, 2))
            states = ahead(h)[0], _mirror(back(_mirror(h, group))[0], group)
        h_ahead, h_back = (_flat(state).index_select(0, group.unpadded) for state in states)
        return h_ahead, h_back


def _flat(h: Tensor) -> Tensor:
    return h.reshape(-1, h.shape[-1])  # (T * S, d)


def _mirror(h: Tensor, group: _Group) -> Tensor:
    """Each sequence reversed within its own length."""
    return _flat(h).index_select(0, group.reverse).view_as(h)
