"""Weights back from graphs: exported again, they give the same graphs."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nccp.export.graphs import network_graphs
from nccp.export.read_graphs import read_network
from nccp.model.network import Network
from tests.runtime.networks import KINDS, random_parser


@pytest.mark.parametrize("bounds", [None, 2.5], ids=["float32", "int8"])
@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back(kind, bounds):
    model = random_parser(KINDS[kind])
    size = model.input.size
    limits = None if bounds is None else np.linspace(0.5, bounds, size, dtype=np.float32)
    graphs = network_graphs(model.network, limits)
    weights = read_network(graphs, model.config.model)
    again = Network(model.config.model, size, len(model.symbols.tags), len(model.symbols.labels))
    again.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
    for name, tensor in model.network.state_dict().items():
        if "bias_" not in name:
            error = (again.state_dict()[name] - tensor).abs().max()
            assert error <= (0.05 * tensor.abs().max() if bounds else 1e-5), name
    repeated = network_graphs(again, limits)
    if bounds is None and kind not in ("NS", "NV"):  # there a sigmoid lies between
        assert {name: graph.SerializeToString() for name, graph in graphs.items()} == {
            name: graph.SerializeToString() for name, graph in repeated.items()
        }
    else:
        twice = read_network(repeated, model.config.model)
        assert all(np.allclose(twice[name], weights[name], rtol=1e-5, atol=1e-5) for name in weights)
