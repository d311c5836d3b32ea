from __future__ import annotations

import numpy as np
import onnxruntime

from nccp.export.int8_encoder import quantize_encoder
from nccp.export.onnx_graph import Graph
from nccp.inputs.encoder.lookup import LEVELS

SAMPLE = [{"ids": np.arange(100).reshape(10, 10)}]


def small_model(large: float = 1.0):
    """A table looked up, two products of the same rows, one with a bias; one too small for 8 bits.

    A column is ``large`` times the others, and its weights are as much smaller.
    """
    rng = np.random.default_rng(0)
    graph = Graph("small")
    ids = graph.input("ids", "int64", "n", "m")
    x = graph.op("Gather", graph.constant(rng.normal(size=(100, 64)).astype(np.float32)), ids)
    x = graph.op("Mul", x, graph.constant(np.where(np.arange(64) == 7, large, 1), np.float32))
    weights = rng.normal(size=(2, 64, 80)).astype(np.float32)
    weights[:, 7] /= large
    parts = [graph.op("MatMul", x, graph.constant(weight)) for weight in weights]
    parts[0] = graph.op("Add", graph.constant(rng.normal(size=80).astype(np.float32)), parts[0])
    y = graph.op("Tanh", graph.op("Mul", graph.op("Add", *parts), graph.scalar(0.1)))
    y = graph.op("MatMul", y, graph.constant(rng.normal(size=(80, 3)).astype(np.float32)))
    graph.output(y, "y", "float", "n", "m", 3)
    return graph.model()


def run(model, ids):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"ids": np.array(ids, np.int64)})[0]


def test_nearly_the_same_in_a_quarter_of_the_size():
    model = small_model()
    small = quantize_encoder(model, SAMPLE)
    ids = np.arange(100).reshape(10, 10)
    plain, rounded = run(model, ids), run(small, ids)
    assert 0 < (plain - rounded).std() < 0.05 * plain.std()
    assert small.ByteSize() < 0.4 * model.ByteSize()
    kinds = [node.op_type for node in small.graph.node]
    assert kinds.count("MatMulIntegerToFloat") == 2
    assert kinds.count("QuantizeLinear") == 1  # a value that two products share is rounded once
    assert kinds.count("MatMul") == 1
    assert kinds.count("Add") == 1  # the bias is added by its product


def test_a_large_column_has_a_level_of_its_own(monkeypatch):
    model = small_model(large=30)
    small = quantize_encoder(model, SAMPLE)
    (levels,) = (one for one in small.graph.initializer if LEVELS in one.name)
    assert tuple(levels.dims) == (64,)
    plain, rounded = run(model, SAMPLE[0]["ids"]), run(small, SAMPLE[0]["ids"])
    assert 0 < (plain - rounded).std() < 0.05 * plain.std()
    monkeypatch.setattr("nccp.export.int8_encoder._WORTH", np.inf)
    uneven = run(quantize_encoder(model, SAMPLE), SAMPLE[0]["ids"])
    assert (plain - uneven).std() > 4 * (plain - rounded).std()
    monkeypatch.undo()
    assert not any(LEVELS in one.name for one in quantize_encoder(small_model(), SAMPLE).graph.initializer)


def test_rows_do_not_see_each_other():
    small = quantize_encoder(small_model(), SAMPLE)
    together = run(small, np.arange(100).reshape(10, 10))
    alone = np.concatenate([run(small, [ids]) for ids in np.arange(100).reshape(10, 10)])
    np.testing.assert_array_equal(together, alone)


def test_a_weight_that_serves_twice_is_held_once():
    """Once for a constant, as those of DeBERTa's distances."""
    rng = np.random.default_rng(0)
    graph = Graph("twice")
    ids = graph.input("ids", "int64", "n", "m")
    x = graph.op("Gather", graph.constant(rng.normal(size=(100, 64)).astype(np.float32)), ids)
    weight = graph.constant(rng.normal(size=(64, 64)).astype(np.float32))
    x = graph.op("MatMul", graph.op("Tanh", graph.op("MatMul", x, weight)), graph.op("Identity", weight))
    constant = graph.constant(rng.normal(size=(1, 64)).astype(np.float32))
    x = graph.op("Add", x, graph.op("MatMul", constant, weight))
    graph.output(x, "y", "float", "n", "m", 64)
    model = graph.model()
    small = quantize_encoder(model, SAMPLE)
    assert [tuple(one.dims) for one in small.graph.initializer].count((64, 64)) == 1
    plain, rounded = run(model, [[1, 2]]), run(small, [[1, 2]])
    assert 0 < (plain - rounded).std() < 0.05 * plain.std()
