"""The torch half of an input: what training asks for the vectors of words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from torch import Tensor, nn

from nccp.errors import InputError
from nccp.inputs.torch_dropout import Dropout


class InputModule(nn.Module):
    """Words to vectors, with gradients where the input learns."""

    size: int
    """Numbers per word."""
    dropout: Dropout

    def features(self, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
        """What `forward` needs to know about these sentences, computed without gradients."""
        raise NotImplementedError

    def vectors(self, features: dict[str, Tensor]) -> Tensor:
        """The vectors of all words, sentences end to end, before dropout: (N, size)."""
        raise NotImplementedError

    def forward(self, features: dict[str, Tensor]) -> Tensor:
        """The vectors of all words, with dropout in training: (N, size)."""
        return self.dropout(self.vectors(features))  # type: ignore[no-any-return]

    def start_epoch(self, epoch: int) -> None:
        """Called before every step, with the number of its epoch, counted from 1."""

    @property
    def reuses_vectors(self) -> bool:
        """Whether exploring starts from the vectors of the training step instead of computing them again."""
        return False

    def learning_rates(self) -> dict[str, float]:
        """Learning rates of the parameters whose names begin with these prefixes, if not the usual one."""
        return {}

    def word_tables(self) -> tuple[str, ...]:
        """Prefixes of the names of weights with one row per training word, after a row for unknown words."""
        return ()

    def save_encoder(self, folder: Path) -> None:
        """Write the pretrained encoder, as trained, to a folder in the format of Hugging Face."""
        raise InputError("this run has no encoder to write")

    def frozen_prefixes(self) -> tuple[str, ...]:
        """Prefixes of the names of weights that never change: not in checkpoints, not in the optimiser."""
        return ()
