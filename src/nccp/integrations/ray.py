"""Parsing a Ray data set: a model loaded once in each worker, on as many machines as the cluster has.

    lines = ray.data.read_text("s3://corpus/")              # a column "text", a sentence a row
    trees = lines.map_batches(RayParser, fn_constructor_args=("en",), batch_size=1024, concurrency=8)
    trees.write_parquet("s3://trees/")                      # beside it "tree", "score", "joined"

Nothing here imports ray: a `RayParser` is a callable that takes a batch of columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nccp.runtime import load


class RayParser:
    """Adds to a batch the columns ``tree`` (brackets), ``score`` and ``joined`` (whether a fallback was)."""

    def __init__(self, model: str | Path = "en", *, column: str = "text", threads: int = 1) -> None:
        """``column`` holds the sentences: texts, or lists of words that are taken as they are."""
        self.column, self.parser = column, load(model, threads=threads)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        column = batch[self.column]
        sentences = [one if isinstance(one, str) else [str(word) for word in one] for one in column]
        parses = list(self.parser.parse_many(sentences))
        return {
            **batch,
            "tree": np.array([parse.brackets() for parse in parses], object),
            "score": np.array([parse.score for parse in parses], np.float64),  # NaN without words
            "joined": np.array([parse.joined for parse in parses], bool),
        }
