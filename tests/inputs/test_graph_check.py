from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import StringStringEntryProto, TensorProto, helper, numpy_helper

from nccp.errors import BundleError
from nccp.inputs.graph_check import check_graph
from nccp.inputs.sessions import open_session


def model(nodes=None, weights=None, **more):
    """A graph of one product with weights."""
    nodes = nodes or [helper.make_node("MatMul", ["x", "w"], ["y"])]
    weights = weights if weights is not None else [numpy_helper.from_array(np.ones((3, 2), np.float32), "w")]
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, size])
        for name, size in (("x", 3), ("y", 2))
    )
    graph = helper.make_graph(nodes, "graph", [x], [y], weights)
    opsets = [helper.make_opsetid(domain, 17) for domain in more.pop("domains", ("",))]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, **more)


def test_a_graph_of_nccp(tmp_path):
    check_graph(model().SerializeToString())
    check_graph(model(domains=("", "com.microsoft")).SerializeToString())
    (tmp_path / "a.onnx").write_bytes(model().SerializeToString())
    (out,) = open_session(tmp_path / "a.onnx", {"x", "z"}).run(x=np.ones((1, 3), np.float32))
    assert out.tolist() == [[3, 3]]


def test_weights_in_another_file(tmp_path):
    (tmp_path / "secret").write_bytes(np.ones((3, 2), np.float32).tobytes())
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3, 2])
    weights.external_data.append(StringStringEntryProto(key="location", value="secret"))
    for location in (TensorProto.EXTERNAL, TensorProto.DEFAULT):
        weights.data_location = location
        (tmp_path / "a.onnx").write_bytes(model(weights=[weights]).SerializeToString())
        with pytest.raises(BundleError, match=r"a\.onnx: .*weights in another file"):
            open_session(tmp_path / "a.onnx", {"x"})


def test_weights_of_an_attribute_and_of_an_inner_graph():
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3, 2])
    weights.data_location = TensorProto.EXTERNAL
    constant = helper.make_node("Constant", [], ["w"], value=weights)
    inner = helper.make_graph([constant], "inner", [], [])
    branch = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    for node in (constant, branch):
        with pytest.raises(ValueError, match="weights in another file"):
            check_graph(model(nodes=[node], weights=[]).SerializeToString())


def test_graphs_without_end():
    inner = helper.make_graph([], "inner", [], [])
    for _ in range(25):
        node = helper.make_node("If", ["c"], ["y"], then_branch=inner)
        inner = helper.make_graph([node], "inner", [], [])
    with pytest.raises(ValueError, match="without end"):
        check_graph(model(nodes=[node]).SerializeToString())


def test_operators_from_elsewhere():
    own = helper.make_node("Read", ["x"], ["y"], domain="my.files")
    for graph in (model(nodes=[own]), model(domains=("", "my.files"))):
        with pytest.raises(ValueError, match=r"operators of the domain 'my\.files'"):
            check_graph(graph.SerializeToString())
    function = helper.make_function(
        "my.files", "Read", ["a"], ["b"], [helper.make_node("Abs", ["a"], ["b"])], []
    )
    with pytest.raises(ValueError, match="defines functions"):
        check_graph(model(functions=[function]).SerializeToString())


@pytest.mark.parametrize("dims", [[1 << 40], [1 << 20, 1 << 20, 1 << 20], [6, 1000]])
def test_weights_larger_than_their_file(dims):
    weights = numpy_helper.from_array(np.ones(6, np.float32), "w")
    del weights.dims[:]
    weights.dims.extend(dims)
    with pytest.raises(ValueError, match="weights of shape"):
        check_graph(model(weights=[weights]).SerializeToString())


@given(st.binary(max_size=60))
def test_any_bytes(data):
    with suppress(ValueError):
        check_graph(data)


@given(st.data())
def test_damaged_graphs(data):
    """Whatever is flipped or cut, the walk ends, and with nothing worse than a ValueError."""
    text = bytearray(model().SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ValueError):
        check_graph(bytes(text[: data.draw(st.integers(0, len(text)))]))
