"""A Hugging Face encoder as an ONNX graph: the one network here that is traced, as it is not ours."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import msgspec
import torch
from onnx import ModelProto, load_model
from torch import Tensor, nn

from nccp.errors import BundleError
from nccp.export.int8_rows import quantize_rows
from nccp.export.onnx_graph import OPSET
from nccp.inputs.encoder.lookup import PieceSpec
from nccp.inputs.encoder.torch_deberta import distance_table, is_deberta, run_deberta
from nccp.inputs.encoder.torch_module import EncoderInput


def write_encoder(input: EncoderInput, graph: Path, tokenizer: Path, pieces: Path, *, int8: bool) -> None:
    """The encoder's files of a bundle."""
    fast = getattr(input.tokenizer, "backend_tokenizer", None)
    if fast is None:
        raise BundleError(
            f"{input.config.encoder}: its tokenizer is written in Python, which a bundle cannot hold; "
            "only encoders with a tokenizer.json can be exported"
        )
    model = encoder_graph(input)
    graph.write_bytes((quantize_rows(model) if int8 else model).SerializeToString())
    tokenizer.write_text(fast.to_str(), encoding="utf-8")
    pieces.write_bytes(msgspec.json.encode(PieceSpec(input.subwords.spec, input.config.subword)))


def encoder_graph(input: EncoderInput) -> ModelProto:
    """The graph: pieces (rows, columns) to vectors (rows, columns, size), mixed where layers are."""
    names = ["ids", "mask", *(["types"] if any(input.subwords.spec.after_types) else [])]
    example = tuple(torch.ones(2, 5, dtype=torch.long) for _ in names)  # a piece that is not padding
    training = input.training
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns of each Python branch it follows
        torch.onnx.export(
            _Vectors(input.eval()),
            example,
            Path(folder, "encoder.onnx"),
            input_names=names,
            output_names=["vectors"],
            dynamic_axes={name: {0: "rows", 1: "columns"} for name in [*names, "vectors"]},
            opset_version=OPSET,
            dynamo=False,
        )
        model = load_model(Path(folder, "encoder.onnx"))
    input.train(training)
    return model


class _Vectors(nn.Module):
    """What a word's vector is picked from: the last layer, or the mix of all."""

    def __init__(self, input: EncoderInput) -> None:
        super().__init__()
        self.encoder, self.size = input.encoder, input.size
        self.mix = input.mix.detach().softmax(0) if input.config.mix_layers else None
        self.distances = None
        if is_deberta(self.encoder.config):
            self.distances = distance_table(self.encoder, input.subwords.spec.limit).detach()

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
