"""From a trained encoder to the files of a bundle. Its graph is traced, as the network is not ours."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from onnx import ModelProto, load_model
from torch import Tensor, nn

from nccp.errors import BundleError
from nccp.inputs.encoder.lookup import (
    GRAPH,
    PIECES,
    SETTINGS,
    TOKENIZER,
    EncoderLookup,
    PieceSpec,
    graph_inputs,
    load_lookup,
)
from nccp.inputs.encoder.torch_bundled import DISTANCES, Settings
from nccp.inputs.encoder.torch_deberta import distance_table, is_deberta, run_deberta
from nccp.inputs.encoder.torch_module import EncoderModule
from nccp.inputs.lookup import BundleFile, Floats
from nccp.inputs.registry import ExportOptions


def export_module(module: EncoderModule, file: BundleFile, options: ExportOptions) -> Floats | None:
    """Write the files; with ``int8`` return the largest size of each number of a word's vector."""
    fast = getattr(module.tokenizer, "backend_tokenizer", None)
    if fast is None:
        raise BundleError(
            f"{module.config.encoder}: its tokenizer is written in Python, which a bundle cannot hold; "
            "only encoders with a tokenizer.json can be exported"
        )
    model = encoder_graph(module, options.opset)
    if options.int8:
        names = {value.name for value in model.graph.input}
        batches = (module.subwords.batch([sentence]) for sentence in options.sentences)
        model = options.quantize(model, (given for batch in batches for given in graph_inputs(batch, names)))
    file(GRAPH).write_bytes(model.SerializeToString())
    file(TOKENIZER).write_text(fast.to_str(), encoding="utf-8")
    file(PIECES).write_bytes(msgspec.json.encode(PieceSpec(module.subwords.spec, module.config.subword)))
    mix = module.mix.detach().tolist() if module.config.mix_layers else None
    config: Any = module.encoder.config
    settings = Settings(_plain(config.to_dict()), mix)
    file(SETTINGS).write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=1))
    return measure_bounds(load_lookup(file), options.sentences) if options.int8 else None


def _plain(config: dict[str, Any]) -> dict[str, Any]:
    """A configuration without where it came from and what JSON cannot hold."""
    kept = (bool, int, float, str, list, type(None))
    return {key: value for key, value in config.items() if key[0] != "_" and isinstance(value, kept)}


def measure_bounds(lookup: EncoderLookup, sentences: Sequence[Sequence[str]]) -> Floats:
    """How large each number of a word's vector gets over these sentences, (size,), with a margin."""
    largest = np.full(lookup.size, 1e-3, np.float32)
    for sentence in sentences:
        words = lookup.lookup([sentence])
        np.maximum(largest, np.abs(words.vectors).max(0), out=largest)
    largest *= np.float32(1.25)
    return largest


def encoder_graph(module: EncoderModule, opset: int) -> ModelProto:
    """The graph: pieces (rows, columns) to vectors (rows, columns, size), of the last layer or the mix."""
    names = ["ids", "mask", *(["types"] if any(module.subwords.spec.after_types) else [])]
    example = tuple(torch.ones(2, 5, dtype=torch.long) for _ in names)  # a piece that is not padding
    training = module.training
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns of each Python branch it follows
        torch.onnx.export(
            _Vectors(module.eval()),
            example,
            Path(folder, "encoder.onnx"),
            input_names=names,
            output_names=["vectors"],
            dynamic_axes={name: {0: "rows", 1: "columns"} for name in [*names, "vectors"]},
            opset_version=opset,
            dynamo=False,
        )
        model = load_model(Path(folder, "encoder.onnx"))
    module.train(training)
    return model


class _Vectors(nn.Module):
    """What a word's vector is picked from: the last layer, or the mix of all."""

    distances: Tensor | None

    def __init__(self, module: EncoderModule) -> None:
        super().__init__()
        self.encoder, self.size = module.encoder, module.size
        self.mix = module.mix.detach().softmax(0) if module.config.mix_layers else None
        distances = None
        if is_deberta(self.encoder.config):
            distances = distance_table(self.encoder, module.subwords.spec.window).detach()
        self.register_buffer(DISTANCES, distances)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        output = self._run(ids, mask, types)
        if self.mix is None:
            vectors: Tensor = output.last_hidden_state
        else:
            vectors = torch.einsum("prcd,p->rcd", torch.stack(tuple(output.hidden_states)), self.mix)
        return vectors.view(*ids.shape, self.size)

    def _run(self, ids: Tensor, mask: Tensor, types: Tensor | None) -> Any:
        if self.distances is not None:
            return run_deberta(
                self.encoder, ids.reshape(1, -1), [ids.shape], mask.reshape(1, -1), self.distances
            )
        given = {} if types is None else {"token_type_ids": types}
        return self.encoder(
            input_ids=ids, attention_mask=mask, output_hidden_states=self.mix is not None, **given
        )
