from __future__ import annotations

import numpy as np
import onnxruntime

from nccp.export.int8_rows import quantize_rows
from nccp.export.onnx_graph import Graph


def small_model():
    """A table looked up, two products of the same rows, one too small for 8 bits."""
    rng = np.random.default_rng(0)
    graph = Graph("small")
    ids = graph.input("ids", "int64", "n", "m")
    x = graph.op("Gather", graph.constant(rng.normal(size=(100, 64)).astype(np.float32)), ids)
    parts = [
        graph.op("MatMul", x, graph.constant(rng.normal(size=(64, 80)).astype(np.float32))) for _ in "ab"
    ]
    y = graph.op("Tanh", graph.op("Add", *parts))
    y = graph.op("MatMul", y, graph.constant(rng.normal(size=(80, 3)).astype(np.float32)))
    graph.output(y, "y", "float", "n", "m", 3)
    return graph.model()


def run(model, ids):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"ids": np.array(ids, np.int64)})[0]


def test_nearly_the_same_in_a_quarter_of_the_size():
    model = small_model()
    small = quantize_rows(model)
    ids = np.arange(100).reshape(10, 10)
    plain, rounded = run(model, ids), run(small, ids)
    assert 0 < (plain - rounded).std() < 0.05 * plain.std()
    assert small.ByteSize() < 0.4 * model.ByteSize()
    kinds = [node.op_type for node in small.graph.node]
    assert kinds.count("MatMulInteger") == 2
    assert kinds.count("ReduceMax") == 1  # rows that two products share are rounded once
    assert kinds.count("MatMul") == 1


def test_rows_do_not_see_each_other():
    small = quantize_rows(small_model())
    together = run(small, np.arange(100).reshape(10, 10))
    alone = np.concatenate([run(small, [ids]) for ids in np.arange(100).reshape(10, 10)])
    np.testing.assert_array_equal(together, alone)


def test_a_weight_that_serves_twice_is_held_once():
    rng = np.random.default_rng(0)
    graph = Graph("twice")
    ids = graph.input("ids", "int64", "n", "m")
    x = graph.op("Gather", graph.constant(rng.normal(size=(100, 64)).astype(np.float32)), ids)
    weight = graph.constant(rng.normal(size=(64, 64)).astype(np.float32))
    x = graph.op("MatMul", graph.op("Tanh", graph.op("MatMul", x, weight)), graph.op("Identity", weight))
    graph.output(x, "y", "float", "n", "m", 64)
    model = graph.model()
    small = quantize_rows(model)
    assert [tuple(one.dims) for one in small.graph.initializer].count((64, 64)) == 1
    plain, rounded = run(model, [[1, 2]]), run(small, [[1, 2]])
    assert 0 < (plain - rounded).std() < 0.05 * plain.std()
