"""A teacher: a model whose word vectors another one learns to reproduce.

A small encoder that learns from trees alone forgets much of what the large one knew. Here it also learns the
vectors that the large one gives to the same words; the network above may then be the large one's
(``train.start``).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from nccp.config import check_config
from nccp.errors import ConfigError
from nccp.model.parsing_model import ParsingModel
from nccp.training.warm_start import complete_config, load_start, take_weights
from nccp.trees import Symbols


class Teacher:
    """The input of a trained model, frozen; ``halves``: with matrix products in bfloat16."""

    def __init__(self, source: str, size: int, device: torch.device, *, halves: bool = False) -> None:
        start = load_start(source)
        config = check_config(complete_config({"train": {"start": source}}), "train.teacher")
        model = ParsingModel(config, Symbols(start.labels, start.tags), list(start.words))
        take_weights(model, start)
        self._input = model.input.requires_grad_(False).to(device).eval()
        self._device, self._halves = device, halves
        if self._input.size != size:
            raise ConfigError(
                f"train.teacher: {source} has vectors of {self._input.size} numbers, but this model of {size}"
            )

    def distance(self, vectors: Tensor, sentences: Sequence[Sequence[str]]) -> Tensor:
        """How far these vectors (N, size) are from the teacher's: mean square, relative to its variance."""
        with torch.no_grad(), torch.autocast(self._device.type, torch.bfloat16, enabled=self._halves):
            features = self._input.features(sentences)
            target = self._input.vectors({name: tensor.to(self._device) for name, tensor in features.items()})
        return (vectors - target).square().mean() / target.var()
