"""Writing ONNX graphs by hand: a builder.

Nothing is traced: what stands in a graph is what was written here, from the network's own weights.

**8 bits.** Weights are stored as int8 with a scale for each output. Inputs are rounded to 8 bits too, over
a range that is *fixed*: every vector of the network is made of LSTM states and their weighted means, so it
lies within -1 and 1. The usual dynamic range, taken from the numbers at hand, would let a sentence's tree
depend on the sentences beside it. Weights keep to ±63: on processors without VNNI two products are summed
in 16 bits, which ±127 could overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    checker,
    helper,
    numpy_helper,
)

Array = NDArray[Any]
Floats = NDArray[np.float32]

OPSET, IR_VERSION = 17, 8  # understood by onnxruntime from 1.14
CONTRIB = "com.microsoft"
_TYPES = {"float": TensorProto.FLOAT, "int64": TensorProto.INT64, "int32": TensorProto.INT32}
_WEIGHT_LIMIT = 63
_CENTRE = 128  # what 0.0 is in 8 bits


class Graph:
    """A graph under construction; every method adds a node and returns the name of its output."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._nodes: list[NodeProto] = []
        self._made = 0  # nodes, those of branches included
        self._constants: list[TensorProto] = []
        self._inputs: list[ValueInfoProto] = []
        self._outputs: list[ValueInfoProto] = []

    def input(self, name: str, kind: str, *shape: int | str) -> str:
        self._inputs.append(value_info(name, kind, shape))
        return name

    def output(self, value: str, name: str, kind: str, *shape: int | str) -> None:
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(value_info(name, kind, shape))

    def constant(self, array: Any, dtype: Any = None) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(array, dtype, order="C"), name))
        return name

    def ints(self, *numbers: int) -> str:
        return self.constant(np.array(numbers, np.int64))

    def scalar(self, number: float, dtype: Any = np.float32) -> str:
        return self.constant(number, dtype)

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.ops(kind, *inputs, count=1, domain=domain, **attributes)[0]

    def ops(self, kind: str, *inputs: str, count: int, domain: str = "", **attributes: Any) -> list[str]:
        names = [f"n{self._made}_{i}" for i in range(count)]
        self._made += 1
        self._nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def choose(
        self,
        condition: str,
        then: Callable[[], str],
        otherwise: Callable[[], str],
        kind: str,
        *shape: int | str,
    ) -> str:
        """The value that ``then`` adds if the condition holds, else the one that ``otherwise`` adds."""
        branches = {
            "then_branch": self._branch(then, kind, shape),
            "else_branch": self._branch(otherwise, kind, shape),
        }
        return self.op("If", condition, **branches)

    def _branch(self, add: Callable[[], str], kind: str, shape: Sequence[int | str]) -> GraphProto:
        outer, self._nodes = self._nodes, []
        result = add()
        nodes, self._nodes = self._nodes, outer
        return helper.make_graph(nodes, "branch", [], [value_info(result, kind, shape)])

    def reshape(self, x: str, *shape: int) -> str:
        return self.op("Reshape", x, self.ints(*shape))

    def linear(
        self, x: str, weight: Floats, bias: Floats | None = None, *, bound: float | None = None
    ) -> str:
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


def value_info(name: str, kind: str, shape: Sequence[int | str]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, _TYPES[kind], shape)


def quantize(weight: Floats, limit: int = _WEIGHT_LIMIT) -> tuple[NDArray[np.int8], Floats]:
    """Rows of whole numbers within ±``limit``, and the scale of each row."""
    scales = np.abs(weight).max(axis=-1, initial=0) / np.float32(limit)
    scales[scales == 0] = 1
    return np.rint(weight / scales[..., None]).astype(np.int8), scales.astype(np.float32)
