"""A bundle back as torch weights, so that a model can be fine-tuned from what users have installed."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import onnx
import torch
from torch import Tensor

from nccp.errors import BundleError
from nccp.export.read_graphs import read_network
from nccp.inputs import InputConfig, restore_config, restore_weights
from nccp.runtime.bundle import Bundle


def bundle_config(bundle: Bundle) -> dict[str, Any]:
    """The parts of a bundle's configuration that its weights belong to: language, model and input.

    Files that the input reads are those of the bundle.
    """
    section = restore_config(_input_config(bundle), bundle.files.at)
    return {
        "language": bundle.manifest.language,
        "model": msgspec.to_builtins(bundle.model),
        "input": msgspec.to_builtins(section),
    }


def bundle_weights(bundle: Bundle) -> tuple[dict[str, Tensor], list[str]]:
    """The weights of a bundle by their names in `ParsingModel`, and the words with a learned vector."""
    combinator = ("orient", "compose") if bundle.model.kind == "binary" else ("chunk", "merge")
    names = ("context", "labels", *combinator)
    graphs = {name: onnx.load(bundle.files.graph(name)) for name in names}
    try:
        network = read_network(graphs, bundle.model)
    except (KeyError, IndexError, ValueError) as error:
        raise BundleError(
            f"{bundle.files.root}: cannot read the weights back from its graphs ({error!r}); "
            f"it was written by nccp {bundle.manifest.nccp}"
        ) from None
    input, words = restore_weights(_input_config(bundle), bundle.files.at)
    weights = {f"network.{name}": value for name, value in network.items()}
    weights |= {f"input.{name}": value for name, value in input.items()}
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in weights.items()}, words


def _input_config(bundle: Bundle) -> InputConfig:
    try:
        config: InputConfig = msgspec.convert(bundle.manifest.config["input"], InputConfig)  # type: ignore[arg-type]
        return config
    except (KeyError, msgspec.ValidationError) as error:
        raise BundleError(f"{bundle.files.manifest}: config.input: {error}") from None
