"""Small parsers with random weights, of every kind, and sentences for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from nccp.config import Config, ModelConfig
from nccp.decoding import Decoded
from nccp.inputs import InputConfig
from nccp.model.parsing_model import ParsingModel
from nccp.trees import Symbols

KINDS: dict[str, dict[str, Any]] = {
    **{name: {"compose": name} for name in ("NS", "NV", "CS", "CV", "BV", "ADD")},
    "ffnn": {"orientation": "ffnn"},
    "no context": {"context_layers": 0},
    "eight layers": {"context_layers": 8},
    "triangular": {"format": "triangular"},
    "triangular ffnn": {"format": "triangular", "orientation": "ffnn"},
    "multi": {"kind": "multi"},
    "multi, no context": {"kind": "multi", "context_layers": 0},
}
SMALL = {"size": 20, "context_layers": 2, "label_hidden": 10, "orientation_hidden": 5, "chunk_hidden": 6}
VOCABULARY = ["the", "cat", "sat", "-LRB-", "``", "’", "ça", "東京", "x" * 40, "3\\/4", "", "🙂"]


def random_parser(
    model: dict[str, Any] | None = None, input: dict[str, Any] | None = None, seed: int = 0
) -> ParsingModel:
    """Its weights are larger than at the start of a training, so that it does not say the same of all."""
    torch.manual_seed(seed)
    symbols = Symbols(["S", "NP", "_S", "_NP", "#DT", "#NN", "S+VP"], ["DT", "NN", "VB"], frozen=True)
    kind = "encoder" if "encoder" in (input or {}) else "words"
    config = Config(
        name="small",
        model=_struct(ModelConfig, SMALL | (model or {})),
        input=_struct(InputConfig, {"kind": kind} | (input or {"ngrams": 8, "buckets": 50})),
    )
    parser = ParsingModel(config, symbols, ["the", "cat", "("])
    with torch.no_grad():
        for name, parameter in parser.named_parameters():
            if not name.startswith("input.encoder."):
                parameter.mul_(2.5)
    return parser


def _struct(kind: Any, values: dict[str, Any]) -> Any:
    import msgspec

    return msgspec.convert(values, kind)


def random_sentences(count: int = 40, longest: int = 25, seed: int = 0) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [
        [VOCABULARY[i] for i in rng.integers(len(VOCABULARY), size=n)]
        for n in rng.integers(1, longest, count)
    ]


def same(one: Decoded, other: Decoded) -> bool:
    """Whether the trees of two batches are equal."""
    return list(one.gaps()) == list(other.gaps())
