from __future__ import annotations

import numpy as np
import pytest

from nccp.export.onnx_graph import Graph, quantize
from nccp.inputs.sessions import Session


def run_linear(x, weight, bias, bound):
    graph = Graph("linear")
    y = graph.linear(graph.input("x", "float", "n", weight.shape[1]), weight, bias, bound=bound)
    graph.output(y, "y", "float", "n", len(weight))
    return Session(graph.model().SerializeToString()).run(x=x)[0]


@pytest.fixture
def layer():
    rng = np.random.default_rng(0)
    return rng.normal(size=(7, 12)).astype(np.float32), rng.normal(size=7).astype(np.float32)


@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize(("bound", "near"), [(None, 1e-5), (1.0, 0.15), (2.0, 0.3)])
def test_linear(layer, biased, bound, near):
    weight, bias = layer
    x = np.random.default_rng(1).uniform(-1, 1, (20, 12)).astype(np.float32) * np.float32(bound or 1)
    found = run_linear(x, weight, bias if biased else None, bound)
    np.testing.assert_allclose(found, x @ weight.T + bias * biased, atol=near)


def test_eight_bits_do_not_overflow_where_two_products_are_summed_in_sixteen():
    """The worst case for processors without VNNI: all inputs and all weights as large as can be."""
    weight, x = np.ones((3, 64), np.float32), np.ones((2, 64), np.float32)
    np.testing.assert_allclose(run_linear(x, weight, None, 1.0), 64, rtol=0.01)
    np.testing.assert_allclose(run_linear(-x, weight, None, 1.0), -64, rtol=0.01)


def test_a_row_in_eight_bits_does_not_depend_on_the_others(layer):
    weight, bias = layer
    x = np.random.default_rng(1).uniform(-1, 1, (20, 12)).astype(np.float32)
    together = run_linear(x, weight, bias, 1.0)
    alone = np.concatenate([run_linear(row[None], weight, bias, 1.0) for row in x])
    np.testing.assert_array_equal(together, alone)


def test_quantize_rows_by_themselves():
    whole, scales = quantize(np.array([[63, -126, 1], [0, 0, 0], [0.5, 0.3, 0]], np.float32))
    assert whole.tolist() == [[32, -63, 0], [0, 0, 0], [63, 38, 0]]
    np.testing.assert_allclose(scales, [2, 1, 0.5 / 63])
