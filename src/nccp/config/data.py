"""The section ``[data]``: the treebanks to train on, and how their trees are used."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from nccp.sections import FilePath, Section
from nccp.treebanks import FORMATS, Cleaning

Share = Annotated[float, Meta(ge=0, le=1)]


class TreebankConfig(Section, frozen=True):
    """One treebank."""

    path: FilePath
    """The treebank's file or folder."""
    format: str = ""
    """Format of the treebank; empty to detect it. `nccp treebank --help` lists the formats."""
    train: str = "train"
    """Split to train on; empty to train on none of it."""
    dev: str = "dev"
    """Split for development scores, by which the best weights are chosen; empty to use none of it."""
    weight: Annotated[float, Meta(ge=0, le=1000)] = 1.0
    """How often each of its sentences is used per epoch: 2.0 is twice, 0.5 every other epoch."""
    exclude: tuple[str, ...] = ()
    """Documents to leave out of its training split: names with wildcards, e.g. GUM_fiction_*, or
    "non-commercial" for those whose licence forbids commercial use. Development and test sets stay whole."""
    cleaning: Cleaning = Cleaning()

    def __post_init__(self) -> None:
        if self.format and self.format not in FORMATS:
            formats = ", ".join(FORMATS)
            raise ValueError(f"data.treebanks.format is {self.format!r}; expected one of {formats}, or empty")


class DataConfig(Section, frozen=True):
    """The training data and how it is sampled."""

    treebanks: tuple[TreebankConfig, ...] = ()
    max_length: Annotated[int, Meta(ge=0)] = 0
    """Leave out training sentences of more words; 0 keeps all."""
    left: Share = 0.85
    """Probability of left factoring for a sentence, relative to right, midin and midout. L85R15 of the paper
    is left = 0.85, right = 0.15."""
    right: Share = 0.15
    """Probability of right factoring."""
    midin: Share = 0.0
    """Probability of midin factoring: children are split off alternately from the left and the right."""
    midout: Share = 0.0
    """Probability of midout factoring: children are split in the middle."""
    group: Share = 0.0
    """Probability that flat structure is grouped into sub-constituents (paper, appendix A.1)."""
    explore: Share = 0.0
    """Share of sentences trained along the model's own predictions, errors included, with the best targets
    that are still reachable (dynamic oracle)."""
    respell: Share = 0.0
    """English: share of training sentences with varied spelling, such as other quotes or capitals."""

    def __post_init__(self) -> None:
        if not self.left + self.right + self.midin + self.midout > 0:
            raise ValueError("data.left, data.right, data.midin and data.midout must not all be 0")
        if self.explore and (self.midin or self.midout or self.group):
            raise ValueError("data.explore works only with left and right factoring and without grouping")
