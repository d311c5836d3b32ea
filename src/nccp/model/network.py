"""The whole network: input, BiLSTM_cxt, heads and one of the two combinators (paper, Alg. 1)."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nccp.config import ModelConfig
from nccp.model.bilstm import BiLSTM, Sequences
from nccp.model.binary import Binary
from nccp.model.heads import Heads
from nccp.model.multi import Multi
from nccp.model.plan import Plan
from nccp.trees.layers import NIL


class Losses(NamedTuple):
    """Sums of the three losses over a batch, and the numbers of words, labels and joints they cover."""

    sums: Tensor  # (3,) tag, label, orientation or chunk
    counts: Tensor  # (3,)


class Network(nn.Module):
    """Word features (N, in) and a plan to losses; its parts serve the decoder one by one."""

    def __init__(self, config: ModelConfig, inputs: int, tags: int, labels: int) -> None:
        super().__init__()
        self.config = config
        if config.context_layers:
            self.bilstm_cxt: nn.Module = BiLSTM(
                inputs, config.size // 2, config.context_layers, config.recurrent_dropout
            )
        else:
            self.ffnn_cxt = nn.Linear(inputs, config.size)
        self.heads = Heads(config.size, config.label_hidden, tags, labels, config.dropout)
        self.combinator = Binary(config) if config.kind == "binary" else Multi(config)

    def context(self, e: Tensor, words: Sequences) -> Tensor:
        """Alg. 1, line 2: (N, in) to x⁰ (N, d)."""
        if self.config.context_layers:
            return torch.cat(self.bilstm_cxt(e, words), 1)
        return self.ffnn_cxt(e).relu()  # type: ignore[no-any-return]  # B/0, as in the authors' code

    def forward(self, e: Tensor, plan: Plan) -> Losses:
        x = self.context(e, plan.words)
        nodes, joints = self._binary(x, plan) if isinstance(self.combinator, Binary) else self._multi(x, plan)
        tag_loss = F.cross_entropy(self.heads.tags(x), plan.tags, reduction="sum")
        label_loss = F.cross_entropy(
            self.heads.labels(nodes), plan.labels, ignore_index=NIL, reduction="none"
        )
        joint_loss, joint_count = joints
        return Losses(
            torch.stack((tag_loss, (label_loss * plan.lives).sum(), joint_loss)),
            torch.stack((plan.lives.new_tensor(len(plan.tags)), plan.lives.sum(), joint_count)),
        )

    def _binary(self, x: Tensor, plan: Plan) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The vectors of all nodes under the gold structure, and the loss of all orientations.

        Gold structure makes the layers independent of the orientations, so BiLSTM_ori sees the layers of
        all sentences at once.
        """
        assert isinstance(self.combinator, Binary)
        assert plan.layers is not None
        layers, nodes = [x], [x]
        for step in plan.steps:
            new, _ = self.combinator.binary(x.index_select(0, step.left), x.index_select(0, step.right))
            nodes.append(new)
            x = _next_layer(x, new, step.order)
            layers.append(x)
        scores = self.combinator.orient(torch.cat(layers), plan.layers)
        return torch.cat(nodes), self._joint_loss(scores, plan.orientations)

    def _multi(self, x: Tensor, plan: Plan) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """As `_binary`; but here a chunk's vector depends on its layer's BiLSTM_chk."""
        assert isinstance(self.combinator, Multi)
        nodes, scores, targets = [x], [x.new_zeros(0)], [plan.tags.new_zeros(0, dtype=torch.int8)]
        for step in plan.steps:
            chunks = step.chunks
            assert chunks is not None
            c, logits = self.combinator.chunk(x, chunks.layer, chunks.ends)
            scores.append(c)
            targets.append(chunks.targets)
            members = x.index_select(0, chunks.members), logits.index_select(0, chunks.members)
            new, _ = self.combinator.merge(*members, chunks.segment, len(step.left))
            nodes.append(new)
            x = _next_layer(x, new, step.order)
        leaning = torch.cat(scores) + self.config.chunk_lean  # what is at 0 here the decoder joins
        return torch.cat(nodes), self._joint_loss(leaning, torch.cat(targets))

    def _joint_loss(self, scores: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        real = (targets >= 0).to(scores.dtype)
        if self.config.loss == "hinge":
            signs = (2 * targets - 1).to(scores.dtype)  # +1 for right or a boundary, -1 else
            losses = (1 - signs * scores).relu()  # Alg. 2, line 5
        else:
            losses = F.binary_cross_entropy_with_logits(
                scores, targets.clamp(0).to(scores.dtype), reduction="none"
            )
        return (losses * real).sum(), real.sum()


def _next_layer(x: Tensor, new: Tensor, order: Tensor) -> Tensor:
    """x⁽ʲ⁺¹⁾ from xʲ, the vectors that combined, and a row of zeros for ``<0>``."""
    return torch.cat((x, new, x.new_zeros(1, x.shape[1]))).index_select(0, order)
