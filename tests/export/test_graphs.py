"""What the graphs are; what they compute is compared with torch in tests/runtime/test_engine.py."""

from __future__ import annotations

import numpy as np
import pytest

from nccp.export.graphs import network_graphs
from tests.runtime.networks import KINDS, random_parser


def operators(model):
    return [node.op_type for node in model.graph.node]


def graphs(kind, *, int8=False):
    parser = random_parser(KINDS[kind])
    return network_graphs(parser.network, np.ones(parser.input.size, np.float32) if int8 else None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_for_each_part(kind):
    parts = {"chunk", "merge"} if "multi" in kind else {"orient", "compose"}
    for int8 in (False, True):
        assert set(graphs(kind, int8=int8)) == {"context", "labels"} | parts


def test_float32_has_nothing_in_eight_bits():
    for kind in KINDS:
        for model in graphs(kind).values():
            assert not {"QuantizeLinear", "DynamicQuantizeLSTM", "MatMulIntegerToFloat"} & set(
                operators(model)
            )


def test_eight_bits_where_the_range_is_known():
    assert operators(graphs("CV", int8=True)["context"]).count("DynamicQuantizeLSTM") == 2
    assert "MatMulIntegerToFloat" in operators(graphs("CV", int8=True)["labels"])
    assert "MatMulIntegerToFloat" in operators(graphs("multi", int8=True)["merge"])


def test_sums_and_feedforward_contexts_have_no_known_range():
    adding = graphs("ADD", int8=True)
    assert "DynamicQuantizeLSTM" in operators(adding["context"])  # but BiLSTM_cxt itself has one
    assert "MatMulIntegerToFloat" not in operators(adding["labels"])
    for model in graphs("no context", int8=True).values():
        assert "MatMulIntegerToFloat" not in operators(model)


def test_eight_bits_are_smaller():
    plain, small = (graphs("eight layers", int8=int8)["context"].ByteSize() for int8 in (False, True))
    assert small < 0.6 * plain
