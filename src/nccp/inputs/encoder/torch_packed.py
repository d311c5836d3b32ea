"""Sentences of all lengths through an encoder as one long row of pieces, without padding.

In padded groups, every group is multiplied by every weight separately, and the gradients of the groups are
added up. All operations but attention treat pieces independently, so here all pieces of a batch are computed
together; only attention separates them again, into groups of windows of equal length, which need neither
padding nor masks. A training step takes a fifth less time::

    [CLS] the cat [SEP] [CLS] a dog [SEP] [CLS] no [SEP]        one row of pieces ...
    0     1   2   3     0     1 2   3     0     1  2            ... their positions ...
    └─────── 2 windows of 4 ────────────┘ └ 1 of 3 ────┘        ... and the groups for attention
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from nccp.inputs.encoder.torch_deberta import is_deberta, run_deberta

_NAME = "nccp_packed"
_KINDS = {"bert", "distilbert"}  # they take positions, and only attention relates pieces to each other


def can_pack(encoder: Any) -> bool:
    """Whether an encoder's layers allow packing; if so, our attention is registered with transformers."""
    if is_deberta(encoder.config):
        return True
    if encoder.config.model_type not in _KINDS:
        return False
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(_NAME, _attend)
    AttentionMaskInterface.register(_NAME, lambda *_, **__: None)
    return True


def run_packed(encoder: Any, groups: list[tuple[int, int]], **given: Any) -> Any:
    """The encoder's output for one row of pieces, in which ``groups`` (rows, columns) lie end to end.

    No group has padding, so an ``attention_mask`` is ignored.
    """
    if is_deberta(encoder.config):
        return run_deberta(encoder, given["input_ids"], groups)
    device = given["input_ids"].device
    positions = [torch.arange(columns, device=device).repeat(rows) for rows, columns in groups]
    with _packing(encoder):
        return encoder(**given, position_ids=torch.cat(positions)[None], groups=groups)


@contextmanager
def _packing(encoder: Any) -> Iterator[None]:
    """Within this context the encoder uses our attention."""
    before = encoder.config._attn_implementation
    encoder.config._attn_implementation = _NAME
    try:
        yield
    finally:
        encoder.config._attn_implementation = before


def _attend(
    module: nn.Module,
    query: Tensor,  # (1, heads, P, size)
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    groups: list[tuple[int, int]],
    scaling: float | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Attention within each group: (1, P, heads, size)."""
    scale = query.shape[3] ** -0.5 if scaling is None else scaling
    parts, start = [], 0
    for rows, columns in groups:
        end = start + rows * columns
        q, k, v = (
            t[0, :, start:end].reshape(-1, rows, columns, t.shape[3]).transpose(0, 1)
            for t in (query, key, value)
        )
        # torch's fused attention takes several times as long on windows as short as sentences, above all its
        # gradient in bfloat16
        scores = (q @ k.transpose(-1, -2)) * scale  # (rows, heads, columns, columns)
        seen = scores.softmax(-1).to(v.dtype) @ v  # (rows, heads, columns, size)
        parts.append(seen.transpose(1, 2).flatten(0, 1))
        start = end
    return torch.cat(parts)[None], None
