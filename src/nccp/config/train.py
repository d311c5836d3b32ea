"""The section ``[train]``: optimisation, schedule and evaluation."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from nccp.sections import PathOrName, Section

Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Decay = Annotated[float, Meta(ge=0, lt=1)]
Count = Annotated[int, Meta(ge=0)]


class TrainConfig(Section, frozen=True):
    """Optimisation, schedule and evaluation."""

    seed: Annotated[int, Meta(ge=0, lt=2**32)] = 0
    """Seed of all random numbers."""
    start: PathOrName = ""
    """Run folder, model name ("en") or bundle folder to initialise weights from, matched by name; its
    treebanks may differ. Keys of [model] and [input] that are not set are as there. Empty means random
    initialisation."""
    teacher: PathOrName = ""
    """Model name or bundle folder whose word vectors this model learns to reproduce, beside its trees: what
    a small encoder learns from the large one of `start`. Both must have vectors of the same size. Empty
    means none."""
    teacher_weight: Positive = 1.0
    """Weight of the distance to the teacher's vectors, a mean of squares relative to their variance."""
    epochs: Count = 0
    """Largest number of epochs; 0 for no limit (schedule = "paper" ends by itself)."""
    minutes: NotNegative = 0.0
    """Time limit in minutes; with schedule = "linear" the learning rate reaches zero by then. 0 for none."""
    batch: Annotated[int, Meta(ge=1)] = 80
    """Sentences per batch."""
    batch_words: Count = 0
    """Words per batch, instead of a number of sentences; 0 to use `batch`."""
    learning_rate: Positive = 1e-3
    """Learning rate of Adam."""
    betas: tuple[Decay, Decay] = (0.9, 0.999)
    """The two decay rates of Adam."""
    adam_eps: Positive = 1e-8
    """Epsilon of Adam."""
    weight_decay: NotNegative = 0.0
    """Weight decay of AdamW."""
    clip: NotNegative = 5.0
    """Largest norm of the gradient; 0 for no limit."""
    schedule: Literal["paper", "linear", "constant"] = "paper"
    """"paper": warm up, then lower the rate after `patience` evaluations without a new best, and
    return to the full rate after one; "linear": warm up, then fall linearly to zero at the last epoch or
    minute; "constant": warm up only."""
    warmup: NotNegative = 1.0
    """Epochs of warm-up, in which the learning rate rises from zero."""
    patience: Count = 15
    """Evaluations without a new best before the rate begins to fall (schedule = "paper")."""
    stop: Annotated[int, Meta(ge=1)] = 100
    """Evaluations without a new best before training ends."""
    tag_weight: NotNegative = 0.2
    """Weight of the tag loss, a mean over words. The authors' code sums over nodes instead of taking means,
    so its weights are on another scale."""
    label_weight: NotNegative = 0.3
    """Weight of the label loss, a mean over nodes."""
    joint_weight: NotNegative = 0.5
    """Weight of the orientation or chunk loss, a mean over nodes or boundaries."""
    average: Decay = 0.0
    """Decay of a running mean of the weights, which is then what is evaluated and saved; 0 for none."""
    evaluate_every: Positive = 1.0
    """Epochs between evaluations on the development sets."""
    save_minutes: NotNegative = 10.0
    """Minutes between checkpoints within an epoch."""
    threads: Count = 0
    """CPU threads; 0 leaves the choice to torch."""

    def __post_init__(self) -> None:
        if self.schedule == "linear" and not (self.epochs or self.minutes):
            raise ValueError('train.schedule = "linear" needs a budget: set train.epochs or train.minutes')
