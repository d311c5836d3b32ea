"""Sentences of all lengths through an encoder as one long row of pieces, each seeing only its own.

Padded together in groups, every group multiplies by every weight anew, and every group's gradients are
added to the others'. All but attention works on a piece alone, so here the pieces of a batch go through
together, and only attention takes them apart again, in groups of windows of one length, which need neither
padding nor masks: a fifth less time for a training step::

    [CLS] the cat [SEP] [CLS] a dog [SEP] [CLS] no [SEP]        one row of pieces ...
    0     1   2   3     0     1 2   3     0     1  2            ... their positions ...
    └─────── 2 windows of 4 ────────────┘ └ 1 of 3 ────┘        ... and the groups that attention sees
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nccp.inputs.encoder.torch_deberta import is_deberta, run_deberta

_NAME = "nccp_packed"
_KINDS = {"bert", "distilbert"}  # positions are given, and nothing but attention looks beyond a piece


def can_pack(encoder: Any) -> bool:
    """Whether an encoder's layers allow it; if so, transformers gets to know our attention."""
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

    No group has padding, so an ``attention_mask`` says nothing and is not looked at.
    """
    if is_deberta(encoder.config):
        return run_deberta(encoder, given["input_ids"], groups)
    device = given["input_ids"].device
    positions = [torch.arange(columns, device=device).repeat(rows) for rows, columns in groups]
    with _packing(encoder):
        return encoder(**given, position_ids=torch.cat(positions)[None], groups=groups)


@contextmanager
def _packing(encoder: Any) -> Iterator[None]:
    """Inside, the encoder's attention is ours."""
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
    """Attention of each group for itself: (1, P, heads, size)."""
    parts, start = [], 0
    for rows, columns in groups:
        end = start + rows * columns
        q, k, v = (
            t[0, :, start:end].reshape(-1, rows, columns, t.shape[3]).transpose(0, 1)
            for t in (query, key, value)
        )
        seen = F.scaled_dot_product_attention(q, k, v, scale=scaling)  # (rows, heads, columns, size)
        parts.append(seen.transpose(1, 2).flatten(0, 1))
        start = end
    return torch.cat(parts)[None], None
