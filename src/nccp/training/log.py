"""What a run says while it runs: a bar, a text for a person, lines for a program, TensorBoard events."""

from __future__ import annotations

import time
from collections import Counter
from datetime import datetime
from typing import Any

from torch import Tensor, nn
from tqdm import tqdm

from nccp import __version__
from nccp.config import Config
from nccp.disk import append
from nccp.scoring import Score
from nccp.training.corpus import Corpus
from nccp.training.run_folder import RunFolder

_LOSSES = ("tag", "label", "joint", "teacher")
"""The losses of a step; the last only with ``train.teacher``."""


class Log:
    """The log of one run; silent in all processes but the leader's."""

    def __init__(self, folder: RunFolder, *, active: bool, quiet: bool) -> None:
        self.folder, self.active = folder, active
        self.quiet = quiet or not active
        self._events: Any = None
        self._reset()

    def _reset(self) -> None:
        self._losses: dict[str, float] = {}
        self._steps = self._words = 0
        self._since = time.monotonic()

    def start(self, config: Config, corpus: Corpus, model: nn.Module, step: int) -> None:
        """The run's heading."""
        if not self.active:
            return
        from nccp.training.events import Events

        repeats = step + 1 if step else None  # steps that a resumed run repeats replace the earlier ones
        self._events = Events(self.folder.events, repeats)
        weights = sum(p.numel() for p in model.parameters() if p.requires_grad)
        words, symbols = sum(map(len, corpus.train)), corpus.symbols
        self.say(
            f"nccp {__version__}, {datetime.now():%Y-%m-%d %H:%M}, seed {config.train.seed}: "
            f"{config.model.kind}, {weights:,} weights; {len(corpus.train):,} trees, {words:,} words; "
            f"{len(corpus.dev):,} for development; {len(symbols.labels)} labels, {len(symbols.tags)} tags"
            + (f"; going on from step {step}" if step else "")
        )
        self._reset()

    def bar(self, batches: int, done: int, epoch: int) -> Any:
        """The bar of an epoch; none where nobody looks."""
        hidden = True if self.quiet else None  # None: only on a terminal
        return tqdm(total=batches, initial=done, desc=f"epoch {epoch}", unit="batch", disable=hidden)

    def say(self, line: str) -> None:
        """A line to the log, and to the terminal above the bar."""
        append(self.folder.log, f"{line}\n".encode())
        if not self.quiet:
            tqdm.write(line)

    def step(self, bar: Any, losses: Tensor, words: int, step: int) -> None:
        """One batch."""
        values = dict(zip(_LOSSES, losses.tolist()))
        for name, value in values.items():
            self._losses[name] = self._losses.get(name, 0.0) + value
        self._steps += 1
        self._words += words
        bar.update()
        if not self.quiet:
            speed = self._words / (time.monotonic() - self._since)
            bar.set_postfix_str(
                f"loss {sum(self._losses.values()) / self._steps:.3f}, {speed:,.0f} words/s", refresh=False
            )
        if self._events is not None and step % 20 == 0:
            self._events.add({f"loss/{name}": value for name, value in values.items()}, step)

    def evaluation(
        self,
        epoch: float,
        step: int,
        minutes: float,
        score: Score,
        counts: Counter[str],
        rate: float,
        best: bool,
    ) -> None:
        """One evaluation, with the mean losses since the last one."""
        if not self.active:
            return
        losses = {name: total / max(1, self._steps) for name, total in self._losses.items()}
        shown = " ".join(f"{name} {loss:.4f}" for name, loss in losses.items())
        speed = self._words / (time.monotonic() - self._since)
        self.say(
            f"epoch {epoch:6.2f}  {minutes:6.1f} min  loss {shown}  "
            f"rate {rate:.2e}  F1 {score.f1:5.2f}  P {score.precision:5.2f}  "
            f"R {score.recall:5.2f}  tags {score.tag_accuracy:5.2f}  fallbacks {counts['fallbacks']}  "
            f"invalid layers {counts['invalid_layers']}  {speed:,.0f} words/s" + ("  best" if best else "")
        )
        record = {
            "epoch": epoch,
            "step": step,
            "minutes": minutes,
            **losses,
        }
        record |= {"f1": score.f1, "precision": score.precision, "recall": score.recall}
        record |= {"tags": score.tag_accuracy, **counts, "words_per_second": speed}
        self.folder.add_history(record)
        named = ("f1", "precision", "recall", "tag_accuracy")
        self._events.add({f"dev/{name}": getattr(score, name) for name in named}, step)
        self._reset()

    def finish(self, best: float, minutes: float) -> None:
        """The run's last line."""
        if self.active:
            self.say(f"done after {minutes:.1f} min: best development F1 {best:.2f}")
