"""The optimiser with its learning rates, the running mean of the weights, and a guard on the loss."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from nccp.config import Config
from nccp.errors import TrainingError
from nccp.model.parsing_model import ParsingModel


def make_optimizer(model: ParsingModel, config: Config) -> torch.optim.Optimizer:
    """AdamW; parts of the input may have learning rates of their own."""
    rates = {f"input.{prefix}": rate for prefix, rate in model.input.learning_rates().items()}
    groups: dict[str, list[Tensor]] = {prefix: [] for prefix in ("", *rates)}
    for name, parameter in model.named_parameters():
        if not name.startswith(model.frozen_prefixes()):
            groups[next((prefix for prefix in rates if name.startswith(prefix)), "")].append(parameter)
    rates[""] = config.train.learning_rate
    return torch.optim.AdamW(
        [{"params": params, "base": rates[prefix]} for prefix, params in groups.items()],
        lr=config.train.learning_rate,
        betas=config.train.betas,
        eps=config.train.adam_eps,
        weight_decay=config.train.weight_decay,
        fused=True,
    )


class Average:
    """A running mean of the weights: smoother, and often better, than the weights themselves."""

    def __init__(self, model: ParsingModel, decay: float) -> None:
        self.model, self.decay = model, decay
        self.updates = 0
        self.shadow = {name: p.detach().clone() for name, p in self._weights()}

    def _weights(self) -> Iterator[tuple[str, Tensor]]:
        return ((name, p) for name, p in self.model.named_parameters() if p.requires_grad)

    @torch.no_grad()
    def update(self) -> None:
        """Move the mean towards the weights; faster at first, so that the initial weights fade out."""
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 10))
        names, weights = zip(*self._weights())
        torch._foreach_lerp_([self.shadow[name] for name in names], list(weights), 1 - decay)

    def load(self, shadow: dict[str, Tensor], updates: int) -> None:
        """Continue from a checkpoint."""
        self.shadow, self.updates = shadow, updates

    @contextmanager
    def swapped(self) -> Iterator[None]:
        """Within the block, the model has the mean weights."""
        own = {name: p.detach().clone() for name, p in self._weights()}
        self._put(self.shadow)
        try:
            yield
        finally:
            self._put(own)

    @torch.no_grad()
    def _put(self, values: dict[str, Tensor]) -> None:
        for name, p in self._weights():
            p.copy_(values[name])


class Guard:
    """Stops a run whose loss is not finite, or has grown far above its first value."""

    def __init__(self, first: float = 0.0, smooth: float = 0.0) -> None:
        self.first, self.smooth = first, smooth

    def state(self) -> list[float]:
        return [self.first, self.smooth]

    def check(self, loss: float, norm: float, step: int) -> None:
        """Raise a `TrainingError` with advice if training has gone wrong."""
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise TrainingError(
                f"the loss became {loss} (gradient norm {norm}) at step {step}: lower train.learning_rate, "
                "lengthen train.warmup or set train.clip; --resume continues from the last checkpoint"
            )
        self.first = self.first or loss
        self.smooth = 0.98 * self.smooth + 0.02 * loss if self.smooth else loss
        if self.smooth > 3 * self.first + 1:
            raise TrainingError(
                f"the loss has grown from {self.first:.3f} to {self.smooth:.3f} by step {step}: "
                "lower train.learning_rate or set train.clip"
            )
