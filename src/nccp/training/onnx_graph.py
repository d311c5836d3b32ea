"""Writing ONNX graphs by hand: a builder, and the two layers that all of our graphs are made of.

Nothing is traced: what stands in a graph is what was written here, from the network's own weights.

**8 bits.** Weights are stored as int8 with a scale for each output. Inputs are rounded to 8 bits too, over
a range that is *fixed*: every vector of the network is made of LSTM states and their weighted means, so it
lies within -1 and 1. The usual dynamic range, taken from the numbers at hand, would let a sentence's tree
depend on the sentences beside it. Weights keep to ±63: on processors without VNNI two products are summed
in 16 bits, which ±127 could overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, checker, helper, numpy_helper

Array = NDArray[Any]
Floats = NDArray[np.float32]

OPSET, IR_VERSION = 17, 8  # understood by onnxruntime from 1.14
CONTRIB = "com.microsoft"
_TYPES = {"float": TensorProto.FLOAT, "int64": TensorProto.INT64, "int32": TensorProto.INT32}
_WEIGHT_LIMIT = 63
_CENTRE = 128  # what 0.0 is in 8 bits


class Graph:
    """A graph under construction; every method adds a node and gives the name of what comes out."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []
        self._inputs: list[ValueInfoProto] = []
        self._outputs: list[ValueInfoProto] = []

    def input(self, name: str, kind: str, *shape: int | str) -> str:
        self._inputs.append(_value(name, kind, shape))
        return name

    def output(self, value: str, name: str, kind: str, *shape: int | str) -> None:
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(_value(name, kind, shape))

    def constant(self, array: Any, dtype: Any = None) -> str:
        name = f"c{len(self._constants)}"
        array = np.ascontiguousarray(array, dtype)
        self._constants.append(numpy_helper.from_array(array.reshape(np.shape(array)), name))
        return name

    def ints(self, *numbers: int) -> str:
        return self.constant(np.array(numbers, np.int64))

    def scalar(self, number: float, dtype: Any = np.float32) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.array(number, dtype), name))
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.ops(kind, *inputs, count=1, domain=domain, **attributes)[0]

    def ops(self, kind: str, *inputs: str, count: int, domain: str = "", **attributes: Any) -> list[str]:
        names = [f"n{len(self._nodes)}_{i}" for i in range(count)]
        self._nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def columns(self, x: str, start: int, end: int) -> str:
        """``x[:, start:end]``"""
        return self.op("Slice", x, self.ints(start), self.ints(end), self.ints(1))

    def linear(self, x: str, weight: Floats, bias: Floats | None = None, *, bound: float | None = None) -> str:
        """``x @ weight.T + bias``; in 8 bits if x is known to lie within ``bound``."""
        if bound is None:
            y = self.op("MatMul", x, self.constant(weight.T, np.float32))
            return y if bias is None else self.op("Add", y, self.constant(bias, np.float32))
        whole, scales = quantize(weight)
        step, centre = self.scalar(2 * bound / 255), self.scalar(_CENTRE, np.uint8)
        rounded = self.op("QuantizeLinear", x, step, centre)
        inputs = [rounded, self.constant(whole.T), step, self.constant(scales), centre, ""]
        inputs.append("" if bias is None else self.constant(bias, np.float32))
        return self.op("MatMulIntegerToFloat", *inputs, domain=CONTRIB)

    def model(self) -> ModelProto:
        graph = helper.make_graph(self._nodes, self.name, self._inputs, self._outputs, self._constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="nccp", ir_version=IR_VERSION)
        checker.check_model(model)
        return model


def _value(name: str, kind: str, shape: Sequence[int | str]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, _TYPES[kind], shape)


def quantize(weight: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Rows of whole numbers within ±63, and the scale of each row."""
    scales = np.abs(weight).max(axis=-1, initial=0) / np.float32(_WEIGHT_LIMIT)
    scales[scales == 0] = 1
    return np.rint(weight / scales[..., None]).astype(np.int8), scales.astype(np.float32)


def scan_lstm(graph: Graph, z: str, recurrent: Floats) -> str:
    """The recurrence of a bidirectional LSTM whose input products are given.

    ``z`` (T, 2, S, 4H) holds them, biases included, in gate order i f o g; the second direction's sequences
    are reversed within their length, so both begin at step 0 and what lies behind a sequence's end cannot
    reach it. ``recurrent`` (2, 4H, H) is in the same order. Gives the states (T, 2, S, H).

    An ONNX LSTM would multiply its inputs anew in each layer of a tree; of a relayed node they are known.
    """
    hidden = recurrent.shape[2]
    start = _zeros(graph, z, hidden)
    node, names = helper.make_node, {"h": "h_before", "c": "c_before"}
    body = helper.make_graph(
        [
            node("MatMul", [names["h"], graph.constant(recurrent.transpose(0, 2, 1))], ["hr"]),
            node("Add", ["z_now", "hr"], ["sums"]),
            node("Split", ["sums", graph.ints(3 * hidden, hidden)], ["ifo_sums", "g_sums"], axis=2),
            node("Sigmoid", ["ifo_sums"], ["ifo"]),
            node("Split", ["ifo", graph.ints(hidden, hidden, hidden)], ["i", "f", "o"], axis=2),
            node("Tanh", ["g_sums"], ["g"]),
            node("Mul", ["i", "g"], ["new"]),
            node("Mul", ["f", names["c"]], ["kept"]),
            node("Add", ["new", "kept"], ["c"]),
            node("Tanh", ["c"], ["c_tanh"]),
            node("Mul", ["o", "c_tanh"], ["h"]),
            node("Identity", ["h"], ["h_out"]),
        ],
        "step",
        [_value(name, "float", (2, "S", size)) for name, size in _step_inputs(hidden)],
        [_value(name, "float", (2, "S", hidden)) for name in ("h", "c", "h_out")],
    )
    return graph.ops("Scan", start, start, z, count=3, body=body, num_scan_inputs=1)[2]


def _step_inputs(hidden: int) -> list[tuple[str, int]]:
    return [("h_before", hidden), ("c_before", hidden), ("z_now", 4 * hidden)]


def _zeros(graph: Graph, z: str, hidden: int) -> str:
    """(2, S, H) for z (T, 2, S, 4H)."""
    shape = graph.op("Shape", z, start=1, end=3)
    shape = graph.op("Concat", shape, graph.ints(hidden), axis=0)
    return graph.op("Expand", graph.scalar(0), shape)


def order_gates(weight: Floats, order: str) -> Floats:
    """Rows of the four gates, in torch's order i f g o, in another one."""
    gates = dict(zip("ifgo", np.split(weight, 4)))
    return np.concatenate([gates[gate] for gate in order])
