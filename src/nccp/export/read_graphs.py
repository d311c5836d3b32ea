"""The weights of a network back from its ONNX graphs: the inverse of `nccp.export.graphs`.

Float32 graphs give back the weights that they were made from (of the two biases of an LSTM, their sum); 8-bit
graphs give back the rounded weights.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from onnx import ModelProto, NodeProto, numpy_helper

from nccp.config import Compose, ModelConfig
from nccp.errors import BundleError
from nccp.export.lstm_graphs import TORCH_GATES, order_gates
from nccp.export.onnx_graph import Array, Floats

Weights = dict[str, Floats]
"""Weights by the names of their parameters in `nccp.model.network.Network`."""


def read_network(graphs: Mapping[str, ModelProto], config: ModelConfig) -> Weights:
    """All weights of the network of a bundle."""
    context, labels = _Reader(graphs["context"]), _Reader(graphs["labels"])
    weights = _context(context, config)
    *_, shared, tag, products = context.linears()
    weights |= _named("heads.shared", shared) | _named("heads.tag", tag)
    weights |= _named("heads.label", labels.linears()[1])
    if config.kind == "binary":
        orient, compose = _Reader(graphs["orient"]), _Reader(graphs["compose"])
        return weights | _orient(orient, products, config) | _compose(compose, config)
    return (
        weights
        | _chunk(_Reader(graphs["chunk"]), products)
        | _named("combinator.ffnn_multi", _Reader(graphs["merge"]).linears()[0])
    )


def _context(reader: _Reader, config: ModelConfig) -> Weights:
    if not config.context_layers:
        return _named("ffnn_cxt", reader.linears()[0])
    weights: Weights = {}
    for layer, node in enumerate(reader.of("LSTM", "DynamicQuantizeLSTM")):
        w, r, b = reader.lstm(node, first=layer == 0)
        weights |= _lstm("bilstm_cxt", layer, w, r, b, "iofg")
    return weights


def _orient(reader: _Reader, products: _Linear, config: ModelConfig) -> Weights:
    """BiLSTM_ori or the feed-forward layer in its place; its input weights are those that make products."""
    weight, bias = products
    if config.orientation != "bilstm":
        late = None if bias is not None else reader.constants("Add")[0]
        hidden = _named("combinator.ffnn_hidden", (weight, late if bias is None else bias))
        return hidden | _named("combinator.ffnn_ori", reader.linears()[-1])
    recurrent = reader.recurrent()  # (2, 4H, H)
    gates, hidden_size = recurrent.shape[1:]
    if bias is None:  # triangular: the bias is added to the products of all but the placeholder
        bias = reader.constants("Add")[0]
    w, b = weight.reshape(2, gates, -1), bias.reshape(2, gates)
    last = reader.constants("MatMul")[-1].reshape(1, 2 * hidden_size)
    return _lstm("combinator.bilstm_ori", 0, w, recurrent, b, "ifog") | _named(
        "combinator.ffnn_ori", (last, reader.constants("Add")[-1])
    )


def _compose(reader: _Reader, config: ModelConfig) -> Weights:
    if config.compose is Compose.ADD:
        return {}
    if config.compose in (Compose.NS, Compose.NV):
        lam = reader.constants("Mul")[0].reshape(-1)
        return {"combinator.binary.bias": np.log(lam) - np.log1p(-lam)}
    if config.compose is Compose.BV:
        (weight, _), bias = reader.linears()[0], reader.constants("Add")[0]
        size = len(bias)
        mixed = weight.reshape(size, -1, weight.shape[1]).transpose(0, 2, 1)  # (o, l, r)
        return _named("combinator.binary.ffnn_binary", (mixed, bias))
    return _named("combinator.binary.ffnn_binary", reader.linears()[0])


def _chunk(reader: _Reader, products: _Linear) -> Weights:
    recurrent = reader.recurrent()
    weight, bias = products
    if bias is None:
        raise BundleError("the graph context has no bias where a multi-branching model has one")
    w, b = weight.reshape(2, recurrent.shape[1], -1), bias.reshape(2, -1)
    ahead, back = (part.reshape(-1) for part in reader.constants("MatMul"))
    return _lstm("combinator.bilstm_chk", 0, w, recurrent, b, "ifog") | _named(
        "combinator.ffnn_chk", (np.concatenate([ahead, back])[None], reader.constants("Add")[-1])
    )


_Linear = tuple[Floats, "Floats | None"]


class _Reader:
    """The constants of one graph, found by the nodes that use them."""

    def __init__(self, model: ModelProto) -> None:
        self.graph = model.graph
        self.held = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    def of(self, *kinds: str) -> list[NodeProto]:
        """The nodes of these kinds, in order."""
        return [node for node in self.graph.node if node.op_type in kinds]

    def constants(self, kind: str) -> list[Floats]:
        """The constant inputs of all nodes of a kind, in order."""
        return [self.held[name] for node in self.of(kind) for name in node.input if name in self.held]

    def linears(self) -> list[_Linear]:
        """Weight (out, in) and bias (out,) of each linear layer, in order."""
        found: list[_Linear] = []
        for node in self.of("MatMul", "MatMulIntegerToFloat"):
            if node.input[1] not in self.held:
                continue
            weight = self.held[node.input[1]].T
            if node.op_type == "MatMul":
                found.append((weight, self._added(node.output[0])))
            else:
                scales = self.held[node.input[3]]
                bias = node.input[6] if len(node.input) > 6 else ""
                found.append((_widen(weight, scales), self.held[bias] if bias else None))
        return found

    def _added(self, name: str) -> Floats | None:
        """The constant that is added to a value, if there is one."""
        for node in self.of("Add"):
            if node.input[0] == name and node.input[1] in self.held:
                return self.held[node.input[1]]
        return None

    def recurrent(self) -> Floats:
        """The recurrent weights (2, 4H, H) inside a Scan."""
        branches = (_inner(choice, "else_branch") for choice in self.of("If"))
        (scan,) = [
            *self.of("Scan"),
            *(node for nodes in branches for node in nodes if node.op_type == "Scan"),
        ]
        (product,) = (node for node in _inner(scan, "body") if node.op_type == "MatMul")
        weights: Floats = self.held[product.input[1]].transpose(0, 2, 1)
        return weights

    def lstm(self, node: NodeProto, *, first: bool) -> tuple[Floats, Floats, Floats]:
        """Input weights (2, 4H, in), recurrent weights (2, 4H, H) and biases (2, 4H) of a layer."""
        w, r, b = (self.held[name] for name in node.input[1:4])
        b = b[:, : b.shape[1] // 2]  # the second half is zeros
        if node.op_type == "LSTM":
            return w, r, b
        w = _widen(w.transpose(0, 2, 1), self.held[node.input[8]])
        r = _widen(r.transpose(0, 2, 1), self.held[node.input[10]])
        wide = r.shape[2]  # two sentinel units behind those of each direction
        w, r = (part.reshape(2, 4, wide, -1)[:, :, :-2].reshape(2, 4 * (wide - 2), -1) for part in (w, r))
        b = b.reshape(2, 4, wide)[:, :, :-2].reshape(2, -1)
        if first:
            w = w[:, :, :-2] * self.constants("Mul")[0]  # 1 / bounds of the input
        else:
            w = w.reshape(*w.shape[:2], 2, wide)[:, :, :, :-2].reshape(*w.shape[:2], -1)
        return w, r[:, :, :-2], b


def _inner(node: NodeProto, name: str) -> list[NodeProto]:
    """The nodes of a graph inside a node."""
    (graph,) = (attribute.g for attribute in node.attribute if attribute.name == name)
    return list(graph.node)


def _widen(whole: Array, scales: Floats) -> Floats:
    """Rows of 8-bit numbers with a scale each, as float32."""
    return whole.astype(np.float32) * scales[..., None]


def _lstm(prefix: str, layer: int, w: Floats, r: Floats, b: Floats, order: str) -> Weights:
    """The parameters of both directions; the whole bias becomes that of the input."""
    weights: Weights = {}
    for side, direction in enumerate(("forwards", "backwards")):
        name = f"{prefix}.{direction}.{layer}"
        bias = order_gates(b[side], TORCH_GATES, order)
        weights[f"{name}.weight_ih_l0"] = order_gates(w[side], TORCH_GATES, order)
        weights[f"{name}.weight_hh_l0"] = order_gates(r[side], TORCH_GATES, order)
        weights[f"{name}.bias_ih_l0"], weights[f"{name}.bias_hh_l0"] = bias, np.zeros_like(bias)
    return weights


def _named(name: str, linear: tuple[Floats, Floats | None]) -> Weights:
    weight, bias = linear
    return {f"{name}.weight": weight} | ({} if bias is None else {f"{name}.bias": bias})
