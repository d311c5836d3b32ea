"""A traced graph in 8 bits, with a fixed range for the input of each product.

    y = x W + b         x: (..., K) float32, W: (K, N) constant, b: (N,) constant

    ->  q = zero + x / step                     (uint8, over the range that x had on a sample of sentences)
        y = (q - zero) Wᵢ · step · w + b        Wᵢ: int8, w: the scale of each column

That is two operators, where a range for each row of numbers would take ten, a third of an encoder's time. A
range taken from a batch would make the tree of a sentence depend on its neighbours; a fixed one does not.
Embedding tables have a scale per row.

A few columns of x may be much larger than the others, and a step that fits them is too coarse for the rest.
Such columns are divided by a *level* each before rounding, and the rows of W multiplied by it. Without levels
the vectors of DeBERTa-v3 are off by 10 % (root mean square), with them by 5 %.

A product whose input is constant too (the distances of DeBERTa) is computed by onnxruntime when it loads the
graph: it stays in float32, with the 8-bit weight that the other products use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from nccp.export.onnx_graph import CONTRIB, Floats, quantize
from nccp.inputs.encoder.lookup import LEVELS

_SMALL = 1 << 12
"""Tables with fewer numbers stay as they are."""
_MARGIN = 1.1
"""Ranges are so much wider than what was seen; what lies outside is cut off."""

_LARGE = 3.0
"""Columns larger than so many times the median column get a level ..."""
_WORTH = 1.5
"""... if the largest level is above this: levels take a pass over the numbers."""

Range = tuple[Floats, Floats]
"""The least and the largest number of each column."""
Sample = Iterable[Mapping[str, NDArray[Any]]]


def quantize_encoder(model: ModelProto, sample: Sample) -> ModelProto:
    """The same graph with its products and its tables in 8 bits; ``sample``: inputs to measure ranges on."""
    made = ModelProto()
    made.CopyFrom(model)
    changes = _Pass(made)
    changes.run(_measure(model, changes.factors(), sample))
    return made


def _measure(model: ModelProto, names: list[str], sample: Sample) -> dict[str, Range]:
    """The range of each of these values when the graph is run; 0 is always inside."""
    if not names:
        return {}
    seen = ModelProto()
    seen.CopyFrom(model)
    del seen.graph.output[:]
    seen.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(seen.SerializeToString(), providers=["CPUExecutionProvider"])
    ranges = dict.fromkeys(names, (np.zeros(1, np.float32), np.full(1, 1e-3, np.float32)))
    for inputs in sample:
        for name, values in zip(names, session.run(names, inputs)):
            rows = values.reshape(-1, values.shape[-1])
            low, high = ranges[name]
            ranges[name] = np.minimum(low, rows.min(0)), np.maximum(high, rows.max(0))
    return ranges


class _Pass:
    def __init__(self, model: ModelProto) -> None:
        self.model, self.graph = model, model.graph
        self.weights = {one.name: one for one in self.graph.initializer if one.data_type == TensorProto.FLOAT}
        self.nodes = self._nodes()
        self.users: dict[str, list[NodeProto]] = {}
        for node in self.nodes:
            for name in node.input:
                self.users.setdefault(name, []).append(node)
        self.made: list[NodeProto] = []
        self.added: dict[str, TensorProto] = {}
        self.rounded: dict[str, tuple[list[str], Floats | None]] = {}  # what `_round` has returned
        self.count = 0

    def factors(self) -> list[str]:
        """The values that are multiplied by weights, and are not constant themselves."""
        products = (node for node in self.nodes if node.op_type == "MatMul" and self._is_table(node.input[1]))
        return list(dict.fromkeys(node.input[0] for node in products if node.input[0] not in self.weights))

    def run(self, ranges: Mapping[str, Range]) -> None:
        done: set[str] = set()  # sums that have become a part of their product
        for node in self.nodes:
            if node.output[0] in done:
                continue
            if node.op_type == "MatMul" and self._is_table(node.input[1]):
                if node.input[0] in self.weights:
                    self._constant_product(node)
                else:
                    done.add(self._product(node, ranges[node.input[0]]))
            elif node.op_type == "Gather" and self._is_table(node.input[0]):
                self._lookup(node)
            else:
                self.made.append(node)
        used = {name for node in self.made for name in node.input}
        kept = [one for one in self.graph.initializer if one.name in used]
        del self.graph.node[:], self.graph.initializer[:]
        self.graph.node.extend(self.made)
        self.graph.initializer.extend([*kept, *self.added.values()])
        if all(one.domain != CONTRIB for one in self.model.opset_import):
            self.model.opset_import.append(helper.make_opsetid(CONTRIB, 1))

    def _nodes(self) -> list[NodeProto]:
        """The nodes of the graph; a weight that is used twice gets one name instead of a copy."""
        same = {
            node.output[0]: node.input[0]
            for node in self.graph.node
            if node.op_type == "Identity" and node.input[0] in self.weights
        }
        nodes = []
        for node in self.graph.node:
            if node.output[0] not in same:
                nodes.append(NodeProto())
                nodes[-1].CopyFrom(node)
                nodes[-1].input[:] = [same.get(name, name) for name in node.input]
        return nodes

    def _is_table(self, name: str) -> bool:
        """Whether a value is a constant that is large enough for 8 bits."""
        tensor = self.weights.get(name)
        return tensor is not None and len(tensor.dims) == 2 and int(np.prod(tensor.dims)) >= _SMALL

    def _product(self, node: NodeProto, bounds: Range) -> str:
        """Returns the name of what it makes: the product, or the sum of it and a bias."""
        (rounded, step, zero), levels = self._round(node.input[0], bounds)
        whole, scales = self._weight(node.input[1], levels)
        bias, out = self._bias(node.output[0])
        inputs = [rounded, whole, step, scales, zero, "", bias]
        return self._op("MatMulIntegerToFloat", *inputs, out=out, domain=CONTRIB)

    def _constant_product(self, node: NodeProto) -> None:
        whole, scales = self._weight(node.input[1])
        weight = self._op("Mul", self._op("Cast", whole, to=TensorProto.FLOAT), scales)
        self._op("MatMul", node.input[0], weight, out=node.output[0])

    def _bias(self, product: str) -> tuple[str, str]:
        """The constant that is added to a product, and the name of the sum; else nothing and the product."""
        users = self.users.get(product, [])
        if len(users) == 1 and users[0].op_type == "Add":
            for name in users[0].input:
                if name in self.weights and len(self.weights[name].dims) == 1:
                    return name, users[0].output[0]
        return "", product

    def _round(self, x: str, bounds: Range) -> tuple[list[str], Floats | None]:
        """A value in 8 bits with the step and the zero of that, and the levels of its columns, if any."""
        if x not in self.rounded:
            levels = self._levels(x, bounds)
            low, high = bounds if levels is None else (bound / levels for bound in bounds)
            least, most = _MARGIN * float(low.min()), _MARGIN * float(high.max())
            step = (most - least) / 255
            scale = self._constant(f"{x}.step", np.array(step, np.float32))
            zero = self._constant(f"{x}.zero", np.array(round(-least / step), np.uint8))
            even = x if levels is None else self._op("Mul", x, self._constant(f"{x}{LEVELS}", 1 / levels))
            self.rounded[x] = [self._op("QuantizeLinear", even, scale, zero), scale, zero], levels
        return self.rounded[x]

    def _levels(self, x: str, bounds: Range) -> Floats | None:
        """What the columns of a value are divided by, unless its weights have other products as well."""
        sizes = np.maximum(-bounds[0], bounds[1])
        levels: Floats = np.maximum(sizes / (_LARGE * np.median(sizes)), 1).astype(np.float32)
        products = (node for node in self.users[x] if node.op_type == "MatMul" and node.input[0] == x)
        if levels.max() < _WORTH or any(len(self.users[node.input[1]]) > 1 for node in products):
            return None
        return levels

    def _weight(self, name: str, levels: Floats | None = None) -> tuple[str, str]:
        """A weight in 8 bits, and the scales of its columns."""
        weight = self._array(name) if levels is None else self._array(name) * levels[:, None]
        whole, scales = quantize(np.ascontiguousarray(weight.T))
        return self._constant(name, whole.T), self._constant(f"{name}.scales", scales)

    def _lookup(self, node: NodeProto) -> None:
        table, ids = node.input
        whole, scales = quantize(self._array(table), 127)
        row = self._op("Gather", self._constant(table, whole), ids)
        scale = self._op("Gather", self._constant(f"{table}.scales", scales[:, None]), ids)
        self._op("Mul", self._op("Cast", row, to=TensorProto.FLOAT), scale, out=node.output[0])

    def _array(self, name: str) -> Floats:
        array: Floats = numpy_helper.to_array(self.weights[name])
        return array

    def _op(self, kind: str, *inputs: str, out: str = "", **attributes: Any) -> str:
        self.count += 1
        name = out or f"int8_{self.count}"
        self.made.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def _constant(self, name: str, array: NDArray[np.generic]) -> str:
        name = f"{name}.int8"
        if name not in self.added:
            self.added[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name
