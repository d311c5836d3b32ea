"""An encoder for training from the files of a bundle: no Hugging Face folder is needed to fine-tune a model.

The weights come from the bundle's graph, where the weights of a linear layer are the constant factor of the
product to which its bias, the constant ``encoder.NAME.bias``, is added: by another node, or in 8 bits by the
product itself (`nccp.export.int8_encoder`). 8-bit weights become float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from nccp.errors import BundleError, need
from nccp.inputs.encoder.lookup import GRAPH, LEVELS, PIECES, SETTINGS, TOKENIZER, PieceSpec
from nccp.inputs.encoder.subwords import Subwords, fast_encode
from nccp.inputs.encoder.torch_deberta import distance_rows, is_deberta
from nccp.inputs.encoder.torch_pretrained import Pretrained, keep_layers, prepare

Array = NDArray[Any]

_PREFIX = "encoder."
DISTANCES = "distances"
"""The constant of a DeBERTa's graph that holds its table of distances."""
_NOT_NEEDED = ("position_ids", "token_type_ids", "pooler.", "mask_emb")


class Settings(msgspec.Struct, frozen=True):
    """``encoder.json``: what is needed to build the encoder in torch."""

    config: dict[str, Any]
    """The configuration of Hugging Face."""
    mix: list[float] | None = None
    """The learned mix of layers, if the model has one."""


def is_bundle(name: str) -> bool:
    """Whether the encoder of this name is that of a bundle."""
    return Path(name, GRAPH).is_file()


def load_bundled(folder: Path, layers: int = 0) -> Pretrained:
    """The encoder of the bundle in ``folder``; its first ``layers`` layers, or all for 0."""
    transformers = need("transformers", "train", "input.encoder")
    from tokenizers import Tokenizer

    settings = read_settings(folder)
    kind = settings.config.get("model_type", "")
    options = {key: value for key, value in settings.config.items() if key != "model_type"}
    config = transformers.AutoConfig.for_model(kind, **options)
    keep_layers(config, layers, str(folder))
    spec = msgspec.json.decode((folder / PIECES).read_bytes(), type=PieceSpec).subwords
    graph = _Graph(folder / GRAPH)
    weights = graph.weights()
    if is_deberta(config):
        config.norm_rel_ebd = "none"  # the graph has the table of distances after its normalisation
        weights["encoder.rel_embeddings.weight"] = _distances(graph, config, spec.limit)
    encoder = transformers.AutoModel.from_config(config)
    prepare(encoder)
    _fill(encoder, weights, folder)
    cut = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=cut)
    subwords = Subwords(fast_encode(cut), spec)
    return Pretrained(encoder, subwords, tokenizer, config)


def read_settings(folder: Path) -> Settings:
    """``encoder.json`` of a bundle."""
    try:
        return msgspec.json.decode((folder / SETTINGS).read_bytes(), type=Settings)
    except FileNotFoundError:
        raise BundleError(
            f"{folder}: no {SETTINGS}, so its encoder cannot be trained further; export the model again"
        ) from None
    except (OSError, msgspec.MsgspecError) as error:
        raise BundleError(f"{folder / SETTINGS}: damaged: {error}") from None


def _fill(encoder: nn.Module, weights: dict[str, Array], folder: Path) -> None:
    tensors = {name: torch.from_numpy(np.array(value, np.float32)) for name, value in weights.items()}
    try:
        result = encoder.load_state_dict(tensors, strict=False)
    except RuntimeError as error:
        raise BundleError(f"{folder / GRAPH}: does not fit {SETTINGS}: {error}") from None
    missing = [name for name in result.missing_keys if not any(part in name for part in _NOT_NEEDED)]
    if missing:
        raise BundleError(
            f"{folder / GRAPH}: cannot find the weights {', '.join(missing[:3])} ... of the encoder in it; "
            "encoders of this kind cannot be trained further from a bundle"
        )


def _distances(graph: _Graph, config: Any, limit: int) -> Array:
    """The table of distances of a DeBERTa, a row for each bucket; the graph has one for each distance."""
    table = graph.distances(limit, config.hidden_size)
    most = config.max_relative_positions
    most = config.max_position_embeddings if most < 1 else most  # as transformers' encoder does
    rows = distance_rows(config.position_buckets, most, (table.shape[1] + 1) // 2).numpy()
    made = np.zeros((2 * config.position_buckets, config.hidden_size), np.float32)
    made[rows] = table[0]
    return made


class _Graph:
    """The constants of the traced graph of an encoder."""

    def __init__(self, path: Path) -> None:
        self.graph = onnx.load(path).graph
        self.held = {tensor.name: numpy_helper.to_array(tensor) for tensor in self.graph.initializer}
        for node in self.graph.node:  # of equal weights the tracer keeps one, and copies
            if node.op_type == "Identity" and node.input[0] in self.held:
                self.held[node.output[0]] = self.held[node.input[0]]
        self.made_by = {name: node for node in self.graph.node for name in node.output}

    def distances(self, limit: int, size: int) -> Array:
        """The table of distances of a DeBERTa, (1, distances, size)."""
        if DISTANCES in self.held:
            return self.held[DISTANCES]
        tables = (  # in older graphs it has no name
            numpy_helper.to_array(attribute.t)
            for node in self.graph.node
            if node.op_type == "Constant"
            for attribute in node.attribute
            if attribute.name == "value"
        )
        (table,) = (array for array in tables if array.shape == (1, 2 * limit - 1, size))
        return table

    def weights(self) -> dict[str, Array]:
        """All weights by their names in torch."""
        found = {}
        for name in list(self.held):
            base = name.removesuffix(".int8")
            if not base.startswith(_PREFIX) or base.endswith(".scales"):
                continue
            whole = self.held[name]
            scaled = whole if name == base else whole.astype(np.float32) * self.held[f"{base}.scales.int8"]
            found[base.removeprefix(_PREFIX)] = scaled
        for node in self.graph.node:
            if node.op_type == "Add":
                pairs = [(node.input[0], node.input[1]), (node.input[1], node.input[0])]
            elif node.op_type == "MatMulIntegerToFloat":
                pairs = [(node.input[6], node.output[0])]
            else:
                continue
            for bias, product in pairs:
                if bias.startswith(_PREFIX) and bias.endswith(".bias") and bias in self.held:
                    factor = self._factor(product)
                    if factor is not None:
                        layer = bias.removeprefix(_PREFIX).removesuffix(".bias")
                        found[f"{layer}.weight"] = factor.T
        return found

    def _factor(self, name: str) -> Array | None:
        """The constant factor (in, out) of the product that makes this value."""
        node = self.made_by.get(name)
        if node is None:
            return None
        if node.op_type == "MatMul":
            return self.held.get(node.input[1])
        if node.op_type == "MatMulIntegerToFloat":
            return self._levels(node.input[0]) * self._widened(node.input[1], self.held[node.input[3]])
        if node.op_type != "Mul" or not node.input[1].endswith(".steps.int8"):
            return None
        # in older graphs each row of an input has a range of its own
        return self._widened(
            f"{node.input[1].removesuffix('.steps.int8')}.int8", self.held[node.input[1]] * 127
        )

    def _levels(self, rounded: str) -> Array:
        """What the columns of an input were multiplied by before they were rounded, (in, 1)."""
        even = self.made_by.get(self.made_by[rounded].input[0])
        by = even.input[1] if even is not None and even.op_type == "Mul" else ""
        return self.held[by][:, None] if by.endswith(f"{LEVELS}.int8") else np.ones((1, 1), np.float32)

    def _widened(self, name: str, scales: Array) -> Array:
        """8-bit weights (in, out) with a scale for each column, as float32."""
        weight: Array = self.held[name].astype(np.float32) * scales
        return weight
