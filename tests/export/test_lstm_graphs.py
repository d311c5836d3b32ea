from __future__ import annotations

import numpy as np
import pytest
import torch

from nccp.export.lstm_graphs import directions, int8_lstm, native_lstm, plain_lstm, scan_lstm
from nccp.export.onnx_graph import Graph
from nccp.inputs.sessions import Session
from nccp.model.bilstm import BiLSTM, Sequences
from nccp.runtime.padding import lay_out

LENGTHS = np.array([3, 1, 7, 4, 7], np.int64)


def make(layers, hidden=6):
    torch.manual_seed(0)
    bilstm = BiLSTM(4, hidden, layers)
    with torch.no_grad():
        for parameter in bilstm.parameters():
            parameter.mul_(2)
    x = np.random.default_rng(0).uniform(-1, 1, (LENGTHS.sum(), 4)).astype(np.float32)
    with torch.no_grad():
        expected = torch.cat(bilstm(torch.from_numpy(x), Sequences(LENGTHS)), 1).numpy()
    return bilstm, x, expected


def run(x, add, chosen=slice(None)):
    """The states of the sequences that are chosen, through a graph made by ``add``."""
    graph = Graph("lstm")
    names = [
        graph.input("e", "float", "T", "S", 4),
        graph.input("lengths", "int32", "S"),
        graph.input("cells", "int64", "n"),
    ]
    graph.output(add(graph, *names), "y", "float", "n", "h")
    at = lay_out((np.cumsum(LENGTHS) - LENGTHS)[chosen], LENGTHS[chosen])
    cells = at.steps * len(at.lengths) + at.column
    session = Session(graph.model().SerializeToString())
    return session.run(e=x[at.ahead], lengths=at.lengths.astype(np.int32), cells=cells)[0]


@pytest.mark.parametrize("layers", [1, 3])
def test_plain(layers):
    bilstm, x, expected = make(layers)
    found = run(x, lambda graph, *inputs: plain_lstm(graph, bilstm, *inputs))
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("layers", [1, 3])
def test_eight_bits(layers):
    bilstm, x, expected = make(layers)
    bounds = np.array([1, 2, 1, 1], np.float32)
    add = lambda graph, *inputs: int8_lstm(graph, bilstm, *inputs, bounds)
    found = run(x, add)
    np.testing.assert_allclose(found, expected, atol=0.1)
    assert np.abs(found - expected).mean() < 0.01
    np.testing.assert_array_equal(run(x, add, slice(0, 1)), found[:3])  # alone as beside others


@pytest.mark.parametrize("recurrence", [scan_lstm, native_lstm])
def test_the_recurrence_alone(recurrence):
    bilstm, x, expected = make(1)
    w, b, r = directions(bilstm, 0)
    products = np.einsum("ni,dgi->ndg", x, w) + b  # (n, 2, 4H)
    at = lay_out(np.cumsum(LENGTHS) - LENGTHS, LENGTHS)
    z = np.stack([products[at.ahead, 0], products[at.back, 1]], 1)  # (T, 2, S, 4H)
    graph = Graph("recurrence")
    graph.output(
        recurrence(graph, graph.input("z", "float", "T", 2, "S", 24), r), "y", "float", "T", 2, "S", 6
    )
    (states,) = Session(graph.model().SerializeToString()).run(z=z.astype(np.float32))
    found = np.concatenate([states[at.steps, 0, at.column], states[at.mirrored, 1, at.column]], 1)
    np.testing.assert_allclose(found, expected, atol=1e-5)
