"""The layers of DeBERTa-v3: the implementation in transformers can neither be packed nor exported well.

The attention score of two pieces depends on both and on their distance (content to position and back)::

    score(i, j) = qᵢ·kⱼ + qᵢ·K(i - j) + kⱼ·Q(i - j)        K, Q: projections of the distances

A smaller encoder may lack the last part (``pos_att_type = ["c2p"]``).

transformers multiplies by the whole table and gathers with an index for each pair. Windows of c pieces have
only 2c - 1 distances: the products with these are side by side, and `_skew` shifts each row into place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

Groups = Sequence[tuple[int, ...]]


class Output(NamedTuple):
    """The output of an encoder of transformers, as far as it is used here."""

    hidden_states: list[Tensor]  # (1, P, size) of the embeddings and each layer
    last_hidden_state: Tensor


def is_deberta(config: Any) -> bool:
    """Whether an encoder is of the kind implemented here, with relative positions only."""
    return (
        config.model_type == "deberta-v2"
        and config.relative_attention
        and config.share_att_key
        and config.position_buckets > 0
        and not config.position_biased_input
        and config.type_vocab_size == 0
        and {"c2p"} <= set(config.pos_att_type) <= {"c2p", "p2c"}
        and getattr(config, "conv_kernel_size", 0) == 0
    )


def run_deberta(
    model: Any, ids: Tensor, groups: Groups, mask: Tensor | None = None, distances: Tensor | None = None
) -> Output:
    """The encoder's output for one row of pieces (1, P), in which ``groups`` (rows, columns) lie end to end.

    ``mask`` (1, P): 0 for padding, if there is any. ``distances``: the result of `distance_table`.
    """
    embeddings = model.embeddings
    if distances is None:
        distances = distance_table(model, max(columns for _, columns in groups))
    x = embeddings.word_embeddings(ids)
    if embeddings.embed_proj is not None:
        x = embeddings.embed_proj(x)
    x = embeddings.dropout(embeddings.LayerNorm(x))
    if mask is not None:
        mask = (mask - 1) * -torch.finfo(x.dtype).min  # added to scores: 0, or as little as there is
    states = [x]
    back = "p2c" in model.config.pos_att_type
    for layer in model.encoder.layer:
        seen = _attend(layer.attention.self, x, distances, groups, mask, back)
        x = layer.attention.output(seen, x)
        x = layer.output(layer.intermediate(x), x)
        states.append(x)
    return Output(states, x)


def distance_table(model: Any, longest: int) -> Tensor:
    """Vectors for all distances in windows of up to ``longest`` pieces, (1, 2 · longest - 1, size).

    From the one farthest to the left, 1 - longest, to the one farthest to the right.
    """
    encoder = model.encoder
    table = encoder.get_rel_embedding()
    rows = distance_rows(encoder.position_buckets, encoder.max_relative_positions, longest)
    return table.index_select(0, rows.to(table.device))[None]  # type: ignore[no-any-return]


def distance_rows(span: int, most: int, longest: int) -> Tensor:
    """The rows of the encoder's table for the distances 1 - ``longest`` to ``longest`` - 1."""
    from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position

    apart = torch.arange(1 - longest, longest)
    buckets: Tensor = make_log_bucket_position(apart, span, most).long()
    return (buckets + span).clamp(0, 2 * span - 1)


def _attend(
    attention: Any, x: Tensor, distances: Tensor, groups: Groups, mask: Tensor | None, back: bool
) -> Tensor:
    """Attention within each group: (1, P, size). ``back``: scores have the part from position to content.

    Heads come first, (heads, rows, columns, ..), so that the products with the distances are one large
    product per head. Distances are projected whole: their projections are constants of an exported graph.
    """
    heads, size = attention.num_attention_heads, attention.attention_head_size
    middle, scale = distances.shape[1] // 2, ((3 if back else 2) * size) ** -0.5
    distances = attention.pos_dropout(distances)
    query, key, value, far_key = (
        projection(given).view(-1, heads, size)
        for projection, given in (
            (attention.query_proj, x),
            (attention.key_proj, x),
            (attention.value_proj, x),
            (attention.key_proj, distances),
        )
    )
    far_key = far_key.flip(0).permute(1, 2, 0) * scale  # (heads, d, distances)
    if back:
        far_query = attention.query_proj(distances).view(-1, heads, size).permute(1, 2, 0) * scale
    parts = []
    for (rows, columns), q, k, v in zip(groups, *(_split(whole, groups) for whole in (query, key, value))):
        q, k, v = (part.transpose(0, 1) for part in (q, k, v))  # (heads, rows · columns, d)
        cut = slice(middle - columns + 1, middle + columns)  # the distances that these windows have
        shape = (heads, rows, columns, -1)
        to_position = _skew((q @ far_key[..., cut]).view(shape), columns)
        scores = (q.reshape(shape) @ k.reshape(shape).transpose(-1, -2)) * scale + to_position
        if back:
            scores = scores + _skew((k @ far_query[..., cut]).view(shape), columns).transpose(-1, -2)
        if mask is not None:
            scores = scores + mask.view(1, rows, 1, columns)
        seen = attention.dropout(scores.softmax(-1)) @ v.reshape(shape)  # (heads, rows, c, d)
        parts.append(seen.permute(1, 2, 0, 3).reshape(1, rows * columns, -1))
    return parts[0] if len(parts) == 1 else torch.cat(parts, 1)


def _split(rows: Tensor, groups: Groups) -> tuple[Tensor, ...]:
    """The part of each group, split in one operation, so that its gradient is one operation too."""
    if len(groups) == 1:
        return (rows,)
    return torch.split(rows, [count * columns for count, columns in groups])


def _skew(products: Tensor, count: int) -> Tensor:
    """Row i of (.., .., c, 2c - 1) from position c - 1 - i on: (.., .., c, c).

    ::

        . . a b c
        . d e f .      ->      a b c        each row starts one column further left: in memory, rows of
        g h i . .              d e f        2c - 2 instead of 2c - 1
                               g h i
    """
    if count == 1:
        return products
    width = 2 * count - 2
    flat = products.flatten(-2)[..., count - 1 : count - 1 + count * width]
    return flat.reshape(*products.shape[:2], count, width)[..., :count]
