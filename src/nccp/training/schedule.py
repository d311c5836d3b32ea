"""The learning rate over time (paper, A.2), and when to stop."""

from __future__ import annotations

from dataclasses import dataclass

from nccp.config import TrainConfig


@dataclass
class Schedule:
    """The factor of the learning rate, and the number of evaluations since the best one."""

    config: TrainConfig
    best: float = -1.0
    since_best: int = 0

    def factor(self, epoch: float, minutes: float) -> float:
        """The factor of the learning rate after ``epoch`` epochs (with a fraction) and ``minutes``."""
        config = self.config
        warm = min(1.0, epoch / config.warmup) if config.warmup > 0 else 1.0
        if config.schedule == "constant":
            return warm
        if config.schedule == "linear":
            done = epoch / config.epochs if config.epochs else 0.0
            if config.minutes:
                done = max(done, minutes / config.minutes)
            return min(warm, max(0.0, 1.0 - done))
        # "paper": full again after a new best, as in the authors' code
        late = max(0, self.since_best - config.patience)
        return min(warm, max(0.0, 1.0 - late / max(1, config.stop - config.patience)))

    def evaluated(self, f1: float) -> bool:
        """Record an evaluation; True if it is the best so far."""
        if f1 > self.best:
            self.best, self.since_best = f1, 0
            return True
        self.since_best += 1
        return False

    def over(self, epoch: float, minutes: float) -> bool:
        """Whether to stop."""
        config = self.config
        return (
            bool(config.epochs and epoch >= config.epochs)
            or bool(config.minutes and minutes >= config.minutes)
            or self.since_best >= config.stop
        )
