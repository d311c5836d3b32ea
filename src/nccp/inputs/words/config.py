"""The keys of ``[input]`` with ``kind = "words"``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from nccp.inputs.base import InputSection
from nccp.sections import FilePath

Width = Annotated[int, Meta(ge=0, le=10_000)]


class WordsConfig(InputSection, frozen=True, tag="words"):
    """Word vectors from a file, learned for each word, or learned for character n-grams, side by side."""

    vectors: FilePath = ""
    """File of word vectors (.bin of fastText, .vec, .npz, .safetensors); empty for none."""
    standardise: bool = False
    """Centre the vectors of the file and scale them to variance 1, over the training words."""
    tune: bool = False
    """Train the vectors of the file too (B/ε in the paper)."""
    words: Width = 0
    """Size of a vector learned for each frequent training word (B/e in the paper); 0 for none."""
    min_count: Annotated[int, Meta(ge=1)] = 2
    """Occurrences in the training data that a word needs to get a learned vector."""
    ngrams: Width = 0
    """Size of a vector learned from a word's character n-grams, so that unseen words have one; 0 for none."""
    buckets: Annotated[int, Meta(ge=1, le=100_000_000)] = 20_000
    """Rows of the table that n-grams are hashed into."""
    word_dropout: Annotated[float, Meta(ge=0, le=1)] = 0.25
    """Probability of hiding a learned word vector in training, so that n-grams learn to stand alone."""

    def __post_init__(self) -> None:
        if not (self.vectors or self.words or self.ngrams):
            raise ValueError("input needs at least one of vectors, words and ngrams")

    def select_words(self, counts: Counter[str]) -> list[str]:
        return [word for word, count in counts.most_common() if count >= self.min_count]

    def required_files(self) -> dict[str, str]:
        return {"input.vectors": self.vectors} if self.vectors else {}

    def summary(self) -> str:
        parts = []
        if self.vectors:
            parts.append(f"vectors {Path(self.vectors).name}" + (" (tuned)" if self.tune else ""))
        if self.words:
            parts.append(f"{self.words} numbers learned for each frequent word")
        if self.ngrams:
            parts.append(f"{self.ngrams} numbers learned from its character n-grams")
        return "; ".join(parts)
