"""The processes of a run, one or several (torchrun): rank, world size, and communication between them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

T = TypeVar("T")


@dataclass(frozen=True)
class Team:
    """The processes of a run, seen from one of them."""

    rank: int = 0
    world: int = 1
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    @property
    def leads(self) -> bool:
        """Whether this process evaluates, logs and saves."""
        return self.rank == 0

    def total(self, values: Tensor) -> Tensor:
        """The sum over all processes."""
        if self.world > 1:
            values = values.clone()
            dist.all_reduce(values)
        return values

    def gather(self, items: list[T], counts: Counter[str]) -> tuple[list[T], Counter[str]]:
        """The items of all processes, each of which has ``whole[rank::world]``, and the sum of the counts."""
        if self.world == 1:
            return items, counts
        parts: list[Any] = [None] * self.world
        dist.all_gather_object(parts, (items, counts))
        whole = [item for row in zip_longest(*(part for part, _ in parts)) for item in row]
        return whole[: sum(len(part) for part, _ in parts)], sum((counts for _, counts in parts), Counter())

    def tell(self, value: float) -> float:
        """The leader's value, sent to all processes."""
        if self.world == 1:
            return value
        told = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.broadcast(told, 0)
        return float(told)


@contextmanager
def join_team() -> Iterator[Team]:
    """The team that torchrun has set up in the environment: nccl on GPUs, gloo on CPUs."""
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
    if "WORLD_SIZE" not in os.environ or os.environ["WORLD_SIZE"] == "1":
        yield Team(device=device)
        return
    dist.init_process_group("nccl" if cuda else "gloo")
    try:
        yield Team(dist.get_rank(), dist.get_world_size(), device)
    finally:
        dist.destroy_process_group()
