"""Word vectors for training: frozen, tuned or learned, alone or side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nccp.errors import InputError
from nccp.inputs.lookup import Floats
from nccp.inputs.torch_dropout import Dropout
from nccp.inputs.torch_module import InputModule
from nccp.inputs.words.config import WordsConfig
from nccp.inputs.words.table import WordTable
from nccp.inputs.words.vector_files import load_vectors

_LIMIT = 500_000  # words that are remembered


class _Known(NamedTuple):
    """What the table says about a word."""

    row: int
    vector: Floats  # (dim,)
    ngrams: NDArray[np.int64]


class WordModule(InputModule):
    """Word vectors: up to three parts side by side, each optional.

    =========  ==============================================  ======================================
    part       what                                            paper
    =========  ==============================================  ======================================
    vectors    from a file, frozen or (``tune``) trained        B, B/E; tuned B/ε
    words      learned for each frequent training word          B/e
    ngrams     learned, mean over hashed character n-grams      (so that unseen words have a vector)
    =========  ==============================================  ======================================
    """

    def __init__(self, config: WordsConfig, table: WordTable) -> None:
        super().__init__()
        self.config, self.table = config, table
        self.size = table.dim + config.words + config.ngrams
        self.dropout = Dropout(config.dropout)
        self._known: dict[str, _Known] = {}
        rows = len(table.learned) + 1
        if config.words:
            self.words = nn.Embedding(rows, config.words, padding_idx=0)
        if config.ngrams:
            self.ngrams = nn.EmbeddingBag(table.buckets, config.ngrams, mode="mean")
        if table.dim and config.tune:
            # what training adds to each known word's vector: zero at first, so a word starts from its file
            self.shift = nn.Embedding(rows, table.dim, padding_idx=0)
            nn.init.zeros_(self.shift.weight)

    def word_tables(self) -> tuple[str, ...]:
        return "words.", "shift."

    def features(self, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
        words = [word for sentence in sentences for word in sentence]
        self._remember(words)
        known = [self._known[word] for word in words]
        features = {"rows": torch.tensor([word.row for word in known], dtype=torch.long)}
        if self.table.dim:
            vectors = np.concatenate([np.zeros(0, np.float32), *(word.vector for word in known)])
            features["vectors"] = torch.from_numpy(vectors.reshape(-1, self.table.dim))
        if self.config.ngrams:
            sizes = np.array([len(word.ngrams) for word in known], np.int64)
            ids = np.concatenate([np.zeros(0, np.int64), *(word.ngrams for word in known)])
            features["ngrams"] = torch.from_numpy(ids)
            features["offsets"] = torch.from_numpy(np.cumsum(sizes) - sizes)
        return features

    def _remember(self, words: list[str]) -> None:
        """Look new words up in the table; when too many are known, all are forgotten."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if len(self._known) + len(new) > _LIMIT:
            self._known.clear()
            new = list(dict.fromkeys(words))
        runs = self.table.ngrams(new)
        parts = np.split(runs.ids.astype(np.int64), runs.offsets[1:-1])
        for word, row, vector, ngrams in zip(new, self.table.rows(new), self.table.frozen(new), parts):
            self._known[word] = _Known(int(row), vector, ngrams)

    def vectors(self, features: dict[str, Tensor]) -> Tensor:
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
        return torch.cat(parts, 1)


def build_module(config: WordsConfig, words: list[str]) -> WordModule:
    """The module for these frequent training words."""
    vectors = load_vectors(config.vectors) if config.vectors else None
    if vectors is not None and config.standardise:
        known = vectors.lookup(words)
        known = known[known.any(1)]
        if not len(known):
            raise InputError(f"{config.vectors}: no vector for any training word (input.vectors)")
        center = known.mean(0)
        vectors = vectors.affine(center, 1 / float((known - center).std()))
    learned = words if config.words or config.tune else []
    return WordModule(config, WordTable(learned, vectors, config.buckets if config.ngrams else 0))
