"""A trained network as the ONNX graphs that the runtime drives (see ``nccp.runtime.engine``).

=========  ==================================  ===========================================================
graph      in                                  out
=========  ==================================  ===========================================================
context    e, places, lengths, cells           nodes (n, d + k): x⁰ and its *products*; tags (n, tags)
orient     products, rows, ahead, back         scores (n,)
compose    x_L, x_R                            nodes (P, d + k), lam (P,) if it is a weighted mean
chunk      products, rows, ahead, back, ...    scores (n + S,), differences (n, h)
merge      x (P, m, d), differences (P, m, h)  nodes (P, d + k), lam (P, m, d)
labels     x                                   logits (n, labels)
=========  ==================================  ===========================================================

A node's products are its vector multiplied by the input weights of BiLSTM_ori or BiLSTM_chk: computed once
when the node is made, however many layers it is relayed through. With a feedforward orientation they are the
score itself.
"""

from __future__ import annotations

import numpy as np
from onnx import ModelProto
from torch import nn

from nccp.config import Compose
from nccp.export.lstm_graphs import directions, int8_lstm, native_lstm, plain_lstm, scan_lstm
from nccp.export.onnx_graph import Floats, Graph
from nccp.model.bilstm import BiLSTM
from nccp.model.binary import Binary, BinaryCompose
from nccp.model.multi import Multi
from nccp.model.network import Network
from nccp.runtime.padding import LONG

_NARROW = 32  # the widest recurrence for which onnxruntime's own LSTM pays in long sequences


def network_graphs(network: Network, bounds: Floats | None = None) -> dict[str, ModelProto]:
    """All graphs of a network by name; in 8 bits if given the ``bounds`` (in,) of its input."""
    return _Exporter(network, bounds).graphs()


class _Exporter:
    def __init__(self, network: Network, bounds: Floats | None) -> None:
        config, combinator = network.config, network.combinator
        self.network, self.combinator, self.size = network, combinator, config.size
        deep = config.context_layers > 0
        self.bounds = bounds if deep else None  # a feedforward layer alone is fast, and knows no bound
        adds = isinstance(combinator, Binary) and combinator.binary.variant is Compose.ADD
        self.bound_x0 = 1.0 if bounds is not None and deep else None
        self.bound_x = None if adds else self.bound_x0  # sums grow, weighted means do not

    def graphs(self) -> dict[str, ModelProto]:
        graphs = [self.context(), self.labels()]
        binary = isinstance(self.combinator, Binary)
        graphs += [self.orient(), self.compose()] if binary else [self.chunk(), self.merge()]
        return {graph.name: graph.model() for graph in graphs}

    def context(self) -> Graph:
        """Alg. 1, lines 2 to 4."""
        graph, width = Graph("context"), input_size(self.network)
        e = graph.input("e", "float", "M", width)
        places = graph.input("places", "int64", "T", "S")
        lengths = graph.input("lengths", "int32", "S")
        cells = graph.input("cells", "int64", "n")
        e = graph.op("Gather", e, places)  # (T, S, in)
        if not self.network.config.context_layers:
            e = graph.op("Gather", graph.reshape(e, -1, width), cells)
            x = graph.op("Relu", graph.linear(e, *_linear(self.network.ffnn_cxt)))
        else:
            bilstm = self.network.bilstm_cxt
            assert isinstance(bilstm, BiLSTM)
            if self.bounds is None:
                x = plain_lstm(graph, bilstm, e, lengths, cells)
            else:
                x = int8_lstm(graph, bilstm, e, lengths, cells, self.bounds)
        heads = self.network.heads
        hidden = graph.op("Relu", graph.linear(x, *_linear(heads.shared), bound=self.bound_x0))
        tags = graph.linear(hidden, *_linear(heads.tag))
        graph.output(self._node(graph, x), "nodes", "float", "n", "w")
        graph.output(tags, "tags", "float", "n", heads.tag.out_features)
        return graph

    def _node(self, graph: Graph, x: str) -> str:
        """x (n, d) with its products (n, k) beside it."""
        weight, bias = self._products()
        return graph.op("Concat", x, graph.linear(x, weight, bias, bound=self.bound_x), axis=1)

    def _products(self) -> tuple[Floats, Floats | None]:
        """The weights (k, d) that make products of a vector, and their bias (k,).

        In a triangle the placeholder's row is all zeros, so there the bias comes later.
        """
        combinator = self.combinator
        bilstm = combinator.bilstm_ori if isinstance(combinator, Binary) else combinator.bilstm_chk
        if isinstance(bilstm, BiLSTM):
            weight, bias, _ = directions(bilstm, 0)
            weight, bias = weight.reshape(-1, self.size), bias.reshape(-1)
        else:
            assert isinstance(combinator, Binary)
            weight, bias = _linear(combinator.ffnn_hidden)
        return weight, None if self._late_bias else bias

    @property
    def _late_bias(self) -> bool:
        return self.network.config.format == "triangular"

    def orient(self) -> Graph:
        """Alg. 2, lines 2 to 4, for a BiLSTM_ori."""
        assert isinstance(self.combinator, Binary)
        graph = Graph("orient")
        if self.combinator.bilstm_ori is None:
            _, bias = _linear(self.combinator.ffnn_hidden)
            hidden = graph.input("products", "float", "n", len(bias))
            if self._late_bias:
                hidden = graph.op("Add", hidden, graph.constant(bias))
            score = graph.linear(graph.op("Relu", hidden), *_linear(self.combinator.ffnn_ori))
            graph.output(graph.op("Squeeze", score, graph.ints(1)), "scores", "float", "n")
            return graph
        _, bias, recurrent = directions(self.combinator.bilstm_ori, 0)
        hidden = recurrent.shape[2]
        products = graph.input("products", "float", "N", 8 * hidden)
        z = self._inputs(graph, products, recurrent, bias if self._late_bias else None)
        h = _recurrence(graph, z, recurrent)  # (T, 2, S, H)
        w, b = _linear(self.combinator.ffnn_ori)
        parts = graph.op("MatMul", h, graph.constant(w.reshape(1, 2, hidden, 1)))
        parts = graph.reshape(parts, -1)  # (T * 2 * S,) what a state says for itself
        ahead, back = (graph.op("Gather", parts, name) for name in ("ahead", "back"))
        scores = graph.op("Add", graph.op("Add", ahead, back), graph.constant(b))
        graph.output(scores, "scores", "float", "n")
        return graph

    def _inputs(self, graph: Graph, products: str, recurrent: Floats, late_bias: Floats | None) -> str:
        """Products (N, 8H) to those of both directions (T, 2, S, 4H), sequences beside each other."""
        for name in ("ahead", "back"):
            graph.input(name, "int64", "n")
        rows = graph.input("rows", "int64", "T", 2, "S")
        z = graph.reshape(products, -1, recurrent.shape[1])  # (2N, 4H)
        z = graph.op("Gather", z, rows)
        if late_bias is not None:
            z = graph.op("Add", z, graph.constant(late_bias[:, None, :]))
        return z

    def compose(self) -> Graph:
        """Alg. 2, lines 9 to 14, and Alg. 4."""
        assert isinstance(self.combinator, Binary)
        graph = Graph("compose")
        x_L, x_R = (graph.input(name, "float", "P", self.size) for name in ("x_L", "x_R"))
        x, lam = _compose(graph, self.combinator.binary, x_L, x_R, self.bound_x)
        graph.output(self._node(graph, x), "nodes", "float", "P", "w")
        if lam is not None:
            graph.output(lam, "lam", "float", "P")
        return graph

    def chunk(self) -> Graph:
        """Alg. 3, lines 2 to 9."""
        assert isinstance(self.combinator, Multi)
        graph = Graph("chunk")
        _, _, recurrent = directions(self.combinator.bilstm_chk, 0)
        hidden = recurrent.shape[2]
        products = graph.input("products", "float", "N", 8 * hidden)
        h = scan_lstm(graph, self._inputs(graph, products, recurrent, None), recurrent)
        h = graph.reshape(h, -1, hidden)  # (T * 2 * S, H)
        nothing = graph.constant(np.zeros((1, hidden)), np.float32)  # the state beyond the ends
        w, b = _linear(self.combinator.ffnn_chk)
        parts, differences = [], []
        # line 5: the boundary's ahead is that of the node before it, its back that of the node behind it
        for i, names in enumerate((("ahead", "before", "previous"), ("back", "behind", "following"))):
            cells, at, beside = names
            states = graph.op("Gather", h, cells)  # (n, H)
            padded = graph.op("Concat", states, nothing, axis=0)
            score = graph.op("MatMul", padded, graph.constant(w[0, i * hidden : (i + 1) * hidden]))
            parts.append(graph.op("Gather", score, graph.input(at, "int64", "m")))
            neighbour = graph.op("Gather", padded, graph.input(beside, "int64", "n"))
            differences.append(graph.op("Sub", states, neighbour))  # line 9
        graph.output(graph.op("Add", graph.op("Add", *parts), graph.constant(b)), "scores", "float", "m")
        graph.output(graph.op("Concat", *differences, axis=1), "differences", "float", "n", 2 * hidden)
        return graph

    def merge(self) -> Graph:
        """MULTI of Alg. 3, for chunks of one size m."""
        assert isinstance(self.combinator, Multi)
        graph, layer = Graph("merge"), self.combinator.ffnn_multi
        x = graph.input("x", "float", "P", "m", self.size)
        d = graph.input("differences", "float", "P", "m", layer.in_features)
        bound = None if self.bounds is None else 2.0  # the difference of two states
        logits = graph.linear(d, *_linear(layer), bound=bound)
        top = graph.op("ReduceMax", logits, axes=[1])
        exp = graph.op("Exp", graph.op("Sub", logits, top))
        lam = graph.op("Div", exp, graph.op("ReduceSum", exp, graph.ints(1)))
        x = graph.op("ReduceSum", graph.op("Mul", lam, x), graph.ints(1), keepdims=0)
        graph.output(self._node(graph, x), "nodes", "float", "P", "w")
        graph.output(lam, "lam", "float", "P", "m", self.size)
        return graph

    def labels(self) -> Graph:
        """Alg. 1, line 8."""
        graph, heads = Graph("labels"), self.network.heads
        x = graph.input("x", "float", "n", self.size)
        hidden = graph.op("Relu", graph.linear(x, *_linear(heads.shared), bound=self.bound_x))
        logits = graph.linear(hidden, *_linear(heads.label))
        graph.output(logits, "logits", "float", "n", heads.label.out_features)
        return graph


def input_size(network: Network) -> int:
    """Numbers per word that this network reads."""
    if not network.config.context_layers:
        return network.ffnn_cxt.in_features
    weight = network.bilstm_cxt.get_parameter("forwards.0.weight_ih_l0")
    return weight.shape[1]


def _compose(
    graph: Graph, compose: BinaryCompose, x_L: str, x_R: str, bound: float | None
) -> tuple[str, str | None]:
    """The vectors of the pairs (P, d) and their mean λ (P,), if there is one."""
    if compose.variant is Compose.ADD:
        return graph.op("Add", x_L, x_R), None  # Alg. 4, line 6
    if compose.variant in (Compose.NS, Compose.NV):
        lam = graph.constant(compose.bias.detach().sigmoid().cpu().numpy()[None])  # line 9
        pairs = graph.op("Slice", graph.op("Shape", x_L), graph.ints(0), graph.ints(1))
        mean = graph.op("Expand", graph.op("ReduceMean", lam, axes=[1], keepdims=0), pairs)
    elif compose.variant is Compose.BV:
        lam = graph.op("Sigmoid", _bilinear(graph, compose.ffnn_binary, x_L, x_R))  # line 13
    else:
        both = graph.op("Concat", x_L, x_R, axis=1)
        lam = graph.op("Sigmoid", graph.linear(both, *_linear(compose.ffnn_binary), bound=bound))  # line 11
    if compose.variant not in (Compose.NS, Compose.NV):
        mean = graph.op("ReduceMean", lam, axes=[1], keepdims=0)
    # lines 15 and 17, lam x_L + (1 - lam) x_R
    x = graph.op("Add", x_R, graph.op("Mul", lam, graph.op("Sub", x_L, x_R)))
    return x, mean


def _bilinear(graph: Graph, layer: nn.Module, x_L: str, x_R: str) -> str:
    """``x_L[p] @ weight[o] @ x_R[p] + bias[o]`` for each output o: (P, d)."""
    weight, bias = _linear(layer)  # (o, l, r), (o,)
    outputs, left, right = weight.shape
    mixed = graph.linear(x_L, weight.transpose(0, 2, 1).reshape(outputs * right, left))  # (P, o * r)
    mixed = graph.reshape(mixed, -1, outputs, right)
    column = graph.op("Unsqueeze", x_R, graph.ints(2))  # (P, r, 1)
    value = graph.op("Squeeze", graph.op("MatMul", mixed, column), graph.ints(2))
    return graph.op("Add", value, graph.constant(bias))


def _recurrence(graph: Graph, z: str, recurrent: Floats) -> str:
    """The states (T, 2, S, H) of BiLSTM_ori: which way is faster depends on the length of the sequences."""
    hidden = recurrent.shape[2]
    if hidden > _NARROW:
        return scan_lstm(graph, z, recurrent)
    long = graph.op("Greater", graph.op("Shape", z, end=1), graph.ints(LONG))
    return graph.choose(
        long,
        lambda: native_lstm(graph, z, recurrent),
        lambda: scan_lstm(graph, z, recurrent),
        "float",
        *("T", 2, "S", hidden),
    )


def _linear(layer: nn.Module) -> tuple[Floats, Floats]:
    weight, bias = (layer.get_parameter(name).detach().cpu().numpy() for name in ("weight", "bias"))
    return weight, bias
