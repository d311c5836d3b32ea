"""From words to the vectors e that BiLSTM_cxt reads: frozen, tuned or learned, alone or side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from nccp.config import InputConfig
from nccp.inputs.torch_dropout import Dropout
from nccp.inputs.words.table import WordTable


class Input(Protocol):
    """What a network takes its words from."""

    size: int

    def features(self, sentences: Sequence[Sequence[str]]) -> Any:
        """What `forward` needs of these sentences: work for another thread, without gradients."""

    def __call__(self, features: Any) -> Tensor:
        """The vectors of all words, end to end: (N, size)."""


class WordInput(nn.Module):
    """Word vectors: up to three parts side by side, each optional.

    =========  ==============================================  ======================================
    part       what                                            paper
    =========  ==============================================  ======================================
    vectors    from a file, frozen or (``tune``) trained        B, B/E; tuned B/ε
    words      learned for each frequent training word          B/e
    ngrams     learned, mean over hashed letters of any word    (so that unseen words have a vector)
    =========  ==============================================  ======================================
    """

    def __init__(self, config: InputConfig, table: WordTable) -> None:
        super().__init__()
        self.config, self.table = config, table
        dim = table.vectors.dim if table.vectors is not None else 0
        self.size = dim + config.words + config.ngrams
        self.dropout = Dropout(config.dropout)
        rows = len(table.learned) + 1
        if config.words:
            self.words = nn.Embedding(rows, config.words, padding_idx=0)
        if config.ngrams:
            self.ngrams = nn.EmbeddingBag(table.buckets, config.ngrams, mode="mean")
        if dim and config.tune:
            # what training adds to each known word's vector: zero at first, so a word starts from its file
            self.shift = nn.Embedding(rows, dim, padding_idx=0)
            nn.init.zeros_(self.shift.weight)

    def features(self, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
        numbers = self.table.numbers([word for sentence in sentences for word in sentence])
        features = {"rows": torch.from_numpy(self.table.rows(numbers))}
        if self.table.vectors is not None:
            features["vectors"] = torch.from_numpy(self.table.frozen(numbers))
        if self.config.ngrams:
            runs = self.table.ngrams(numbers)
            features["ngrams"] = torch.from_numpy(runs.ids.astype(np.int64))
            features["offsets"] = torch.from_numpy(runs.offsets[:-1])
        return features

    def forward(self, features: dict[str, Tensor]) -> Tensor:
        rows, parts = features["rows"], []
        if "vectors" in features:
            vectors = features["vectors"]
            parts.append(vectors + self.shift(rows) if self.config.tune else vectors)
        if self.config.words:
            hidden = self.training and self.config.word_dropout
            seen = torch.rand(rows.shape, device=rows.device) >= self.config.word_dropout if hidden else None
            parts.append(self.words(rows if seen is None else rows * seen))
        if self.config.ngrams:
            parts.append(self.ngrams(features["ngrams"], features["offsets"]))
        return self.dropout(torch.cat(parts, 1))  # type: ignore[no-any-return]
