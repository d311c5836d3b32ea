"""Read the weights of an encoder from an ONNX graph, 8-bit or float32, by their names in torch."""

from __future__ import annotations

import re

import numpy as np
import onnx
from onnx import numpy_helper


def read_weights(graph: onnx.GraphProto, prefix: str = "") -> dict[str, np.ndarray]:
    """The tensors under ``prefix`` ("model.encoder."), named without it, in float32."""
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def widen(name: str) -> np.ndarray:
        if name in held:
            return held[name]
        wide = held[name + "_quantized"].astype(np.float32) - held[name + "_zero_point"]
        return wide * held[name + "_scale"]

    names = {name.removesuffix("_quantized") for name in held if name.startswith(prefix)}
    found = {name[len(prefix) :]: widen(name) for name in names if name.endswith((".weight", ".bias"))}
    place = re.compile(rf"/{prefix.replace('.', '/')}(encoder/.+)/MatMul_quant")
    for node in graph.node:  # the name of a matrix is only a number: take it from the place in the graph
        if match := place.fullmatch(node.name):
            matrix = widen(node.input[1].removesuffix("_quantized"))
            found[match[1].replace("/", ".") + ".weight"] = np.ascontiguousarray(matrix.T)
    return found
