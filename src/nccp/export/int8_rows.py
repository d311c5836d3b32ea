"""A traced graph in 8 bits, with a scale for each row of numbers.

    y = x W         x: (..., K) float32, W: (K, N) constant

    ->  a = max |x| of the row          q = 128 + 127 x / a   (uint8)
        y = (q - 128) Wᵢ · a · w        Wᵢ: int8, w: the scale of each column

The range of an encoder's numbers is not known in advance, and a scale for a whole batch would make the tree
of a sentence depend on its neighbours. A scale for each row does not. Embedding tables have a scale per row
too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from nccp.export.onnx_graph import quantize

_SMALL = 1 << 12
"""Tables with fewer numbers stay as they are."""


def quantize_rows(model: ModelProto) -> ModelProto:
    """The same graph with its products and its tables in 8 bits."""
    made = ModelProto()
    made.CopyFrom(model)
    _Pass(made).run()
    return made


class _Pass:
    def __init__(self, model: ModelProto) -> None:
        self.graph = model.graph
        self.weights = {one.name: one for one in self.graph.initializer if one.data_type == TensorProto.FLOAT}
        self.nodes: list[NodeProto] = []
        self.rows: dict[str, tuple[str, str]] = {}  # what has been rounded already, and its scales
        self.count = 0

    def run(self) -> None:
        for node in self._nodes():
            at = {"MatMul": 1, "Gather": 0}.get(node.op_type)
            table = None if at is None else self._table(node.input[at])
            if table is None:
                self.nodes.append(node)
            elif node.op_type == "MatMul":
                self._product(node, table)
            else:
                self._lookup(node, table)
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)
        used = {name for node in self.nodes for name in node.input}
        kept = [one for one in self.graph.initializer if one.name in used]
        del self.graph.initializer[:]
        self.graph.initializer.extend(kept)

    def _nodes(self) -> list[NodeProto]:
        """The nodes of the graph; a weight that is used twice gets one name instead of a copy."""
        same = {
            node.output[0]: node.input[0]
            for node in self.graph.node
            if node.op_type == "Identity" and node.input[0] in self.weights
        }
        nodes = [node for node in self.graph.node if node.output[0] not in same]
        for node in nodes:
            for place, name in enumerate(node.input):
                node.input[place] = same.get(name, name)
        return nodes

    def _table(self, name: str) -> NDArray[np.float32] | None:
        """A constant that is large enough for 8 bits."""
        tensor = self.weights.get(name)
        if tensor is None or len(tensor.dims) != 2 or int(np.prod(tensor.dims)) < _SMALL:
            return None
        return numpy_helper.to_array(tensor)

    def _product(self, node: NodeProto, weight: NDArray[np.float32]) -> None:
        rounded, scales = self._round(node.input[0])
        whole, steps = quantize(np.ascontiguousarray(weight.T))
        centre = self._constant("centre", np.array(128, np.uint8))
        product = self._op("MatMulInteger", rounded, self._constant(node.input[1], whole.T), centre)
        product = self._op("Mul", self._op("Cast", product, to=TensorProto.FLOAT), scales)
        self._op("Mul", product, self._constant(f"{node.input[1]}.steps", steps / 127), out=node.output[0])

    def _round(self, x: str) -> tuple[str, str]:
        if x not in self.rows:
            largest = self._op("ReduceMax", self._op("Abs", x), axes=[-1], keepdims=1)
            scales = self._op("Max", largest, self._constant("tiny", np.array(1e-9, np.float32)))
            turns = self._op("Div", self._constant("limit", np.array(127, np.float32)), scales)
            shift = self._constant("shift", np.array(128.5, np.float32))  # the cast to whole numbers cuts
            moved = self._op("Add", self._op("Mul", x, turns), shift)
            self.rows[x] = self._op("Cast", moved, to=TensorProto.UINT8), scales
        return self.rows[x]

    def _lookup(self, node: NodeProto, table: NDArray[np.float32]) -> None:
        whole, scales = quantize(table, 127)
        row = self._op("Gather", self._constant(node.input[0], whole), node.input[1])
        scale = self._op("Gather", self._constant(f"{node.input[0]}.scales", scales[:, None]), node.input[1])
        self._op("Mul", self._op("Cast", row, to=TensorProto.FLOAT), scale, out=node.output[0])

    def _op(self, kind: str, *inputs: str, out: str = "", **attributes: Any) -> str:
        self.count += 1
        name = out or f"int8_{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def _constant(self, name: str, array: NDArray[np.generic]) -> str:
        name = f"{name}.int8"
        if all(one.name != name for one in self.graph.initializer):
            self.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name
