"""The keys of ``[input]`` with ``kind = "encoder"``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from nccp.inputs.base import InputSection
from nccp.sections import FilePath, PathOrName

if TYPE_CHECKING:
    from typing_extensions import Self

Subword = Literal["first", "last", "mean"]


class EncoderConfig(InputSection, frozen=True, kw_only=True, tag="encoder"):
    """A pretrained transformer encoder, frozen or tuned."""

    encoder: PathOrName
    """Hugging Face encoder: a folder, or a name on the hub."""
    subword: Subword = "first"
    """Which of a word's pieces represents it: the first, the last, or the mean of all."""
    encoder_layers: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Number of the encoder's layers to keep, from the first one; 0 for all."""
    mix_layers: bool = False
    """Use a learned mix of all layers instead of the last layer."""
    tune: bool = False
    """Train the encoder too."""
    tune_from: Annotated[int, Meta(ge=1)] = 1
    """First epoch that trains the encoder (the paper: 5)."""
    tune_embeddings: bool = True
    """Whether tuning includes the encoder's embedding table, often half of its weights, and slow."""
    packed: bool = True
    """Compute sentences of all lengths as one row (BERT, DistilBERT and DeBERTa-v3), and let exploring start
    from the vectors of the training step: a quarter less time."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Precision of the matrix products of a tuned encoder in training. bfloat16 takes a fifth less time on
    some processors (AMD Zen 4), more on others; weights, gradients and evaluations stay in float32."""
    encoder_learning_rate: Annotated[float, Meta(gt=0, le=1)] = 1e-5
    """Learning rate of a tuned encoder."""
    cache: FilePath = ""
    """Folder that keeps the vectors of a frozen encoder between epochs and runs; empty for none."""

    def __post_init__(self) -> None:
        if not self.encoder:
            raise ValueError("input.encoder is empty; expected a folder or a name on the Hugging Face hub")
        if self.cache and self.tune:
            raise ValueError("input.cache keeps the vectors of a frozen encoder: it needs input.tune = false")

    def without_cache(self) -> Self:
        return replace(self, cache="")

    def summary(self) -> str:
        path = Path(self.encoder)
        return f"the encoder {path.name if path.is_absolute() else self.encoder}"
