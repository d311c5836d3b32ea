"""What decides the output of a run, and so must stay the same when it is resumed."""

from __future__ import annotations

import codecs
from typing import Literal

import msgspec

from nccp.characters import has_surrogates
from nccp.decoding.stream import BATCH
from nccp.errors import ConfigError

Form = Literal["text", "lines", "tokens"]
Format = Literal["parquet", "jsonl", "brackets"]
Compression = Literal["gz", "zst", "none"]
Bad = Literal["stop", "skip"]

_CHARS_PER_SENTENCE = 1_000  # about ten times as many as in ordinary text


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a run that its shards depend on."""

    model: str = "en"
    """Name or path of the model."""
    input: Form = "text"
    """Raw text; one sentence per line; or one tokenised sentence per line."""
    column: str = "text"
    """The column of JSON lines and Parquet files that holds a document's text."""
    id_column: str | None = None
    """The column that holds a document's identifier, if any."""
    format: Format = "parquet"
    compression: Compression = "gz"
    """Of JSON lines and brackets. Parquet files are always compressed inside, with zstd."""
    root: str | None = None
    """Label of a root node to put on every tree."""
    scores: bool = True
    """Whether to compute confidence scores."""
    shard_size: int = 10_000
    """Sentences per shard; fewer where they are very long (`shard_chars`). A document of a JSON lines or
    Parquet file is never divided."""
    batch_size: int = BATCH
    encoding: str = "utf-8"
    """Of text files."""
    bad: Bad = "stop"
    """What to do about input files that cannot be read."""

    @property
    def shard_chars(self) -> int:
        """Characters per shard: with very long lines a shard takes no longer than with ordinary ones, so that
        little is parsed again after an interruption."""
        return self.shard_size * _CHARS_PER_SENTENCE

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            if (value := getattr(self, name)) not in known:
                raise ConfigError(f"{name} is {value!r}, but must be one of {', '.join(known)}")
        for name in ("shard_size", "batch_size"):
            if (value := getattr(self, name)) < 1:
                raise ConfigError(f"{name} is {value}, but must be at least 1")
        for name in ("model", "column", "id_column", "root"):
            if has_surrogates(getattr(self, name) or ""):
                raise ConfigError(f"{name} is {getattr(self, name)!r}, which is not valid Unicode")
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            raise ConfigError(f"unknown encoding {self.encoding!r}") from None


_CHOICES: dict[str, tuple[str, ...]] = {
    "input": ("text", "lines", "tokens"),
    "format": ("parquet", "jsonl", "brackets"),
    "compression": ("gz", "zst", "none"),
    "bad": ("stop", "skip"),
}
