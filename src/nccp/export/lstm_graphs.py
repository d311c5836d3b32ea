"""Bidirectional LSTMs as parts of ONNX graphs: in float32, in 8 bits, and as a bare recurrence."""

from __future__ import annotations

import numpy as np
from onnx import helper
from torch import nn

from nccp.export.onnx_graph import CONTRIB, Floats, Graph, quantize, value_info
from nccp.model.bilstm import BiLSTM

TORCH_GATES = "ifgo"
"""The order of the gates in the weights of torch's LSTM."""

_SENTINELS = np.array([1, -1], np.float32)
_FULL = 30.0  # sigmoid and tanh of it are 1 in float32
_HOLD = np.array([-_FULL, _FULL, _FULL, 0], np.float32)  # gates i o f g of a cell that never changes


def scan_lstm(graph: Graph, z: str, recurrent: Floats) -> str:
    """The recurrence of a bidirectional LSTM whose input products are given.

    ``z`` (T, 2, S, 4H) holds them, biases included, in gate order i f o g; the second direction's sequences
    are reversed within their length, so both begin at step 0 and what lies behind a sequence's end cannot
    reach it. ``recurrent`` (2, 4H, H) is in the same order. Gives the states (T, 2, S, H).

    An ONNX LSTM would multiply its inputs again in each layer of a tree; those of a relayed node are known.
    """
    hidden = recurrent.shape[2]
    start, node = _zeros(graph, z, hidden), helper.make_node
    inputs = (("h_before", hidden), ("c_before", hidden), ("z_now", 4 * hidden))
    body = helper.make_graph(
        [
            node("MatMul", ["h_before", graph.constant(recurrent.transpose(0, 2, 1))], ["hr"]),
            node("Add", ["z_now", "hr"], ["sums"]),
            node("Split", ["sums", graph.ints(3 * hidden, hidden)], ["ifo_sums", "g_sums"], axis=2),
            node("Sigmoid", ["ifo_sums"], ["ifo"]),
            node("Split", ["ifo", graph.ints(hidden, hidden, hidden)], ["i", "f", "o"], axis=2),
            node("Tanh", ["g_sums"], ["g"]),
            node("Mul", ["i", "g"], ["new"]),
            node("Mul", ["f", "c_before"], ["kept"]),
            node("Add", ["new", "kept"], ["c"]),
            node("Tanh", ["c"], ["c_tanh"]),
            node("Mul", ["o", "c_tanh"], ["h"]),
            node("Identity", ["h"], ["h_out"]),
        ],
        "step",
        [value_info(name, "float", (2, "S", size)) for name, size in inputs],
        [value_info(name, "float", (2, "S", hidden)) for name in ("h", "c", "h_out")],
    )
    return graph.ops("Scan", start, start, z, count=3, body=body, num_scan_inputs=1)[2]


def native_lstm(graph: Graph, z: str, recurrent: Floats) -> str:
    """As `scan_lstm`, by onnxruntime's own LSTM, which multiplies its input by a matrix.

    That matrix only puts the gates in order. It costs more than the recurrence itself, but a step costs a
    fifth of one of a Scan where few sequences are side by side.
    """
    gates, hidden = recurrent.shape[1:]
    order = graph.constant(order_gates(np.eye(gates, dtype=np.float32), "iofg", "ifog")[None])
    states = []
    for part, weights in zip(graph.ops("Split", z, count=2, axis=1), recurrent):
        inputs = graph.op("Squeeze", part, graph.ints(1))  # (T, S, 4H)
        own = graph.constant(order_gates(weights, "iofg", "ifog")[None])
        states.append(graph.op("LSTM", inputs, order, own, hidden_size=hidden))  # (T, 1, S, H)
    return graph.op("Concat", *states, axis=1)


def _zeros(graph: Graph, z: str, hidden: int) -> str:
    """(2, S, H) for z (T, 2, S, 4H)."""
    shape = graph.op("Shape", z, start=1, end=3)
    shape = graph.op("Concat", shape, graph.ints(hidden), axis=0)
    return graph.op("Expand", graph.scalar(0), shape)


def _weights(lstm: nn.Module, order: str) -> tuple[Floats, Floats, Floats]:
    """Input weights (4H, in), recurrent weights (4H, H) and the sum of both biases (4H,)."""
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    w, r, b, more = (lstm.get_parameter(name).detach().cpu().numpy() for name in names)
    return order_gates(w, order), order_gates(r, order), order_gates(b + more, order)


def directions(bilstm: BiLSTM, layer: int, order: str = "ifog") -> tuple[Floats, Floats, Floats]:
    """Both directions: input weights (2, 4H, in), biases (2, 4H), recurrent weights (2, 4H, H)."""
    pair = [_weights(lstms[layer], order) for lstms in (bilstm.forwards, bilstm.backwards)]
    w, r, b = (np.stack(both) for both in zip(*pair))
    return w, b, r


def plain_lstm(graph: Graph, bilstm: BiLSTM, e: str, lengths: str, cells: str) -> str:
    """All layers in float32: e (T, S, in) to the states (n, 2H) of ``cells``, places in (T * S)."""
    h, hidden = e, bilstm.hidden
    for layer in range(len(bilstm.forwards)):
        w, b, r = directions(bilstm, layer, "iofg")
        inputs = [h, *map(graph.constant, (w, r, _with_zeros(b))), lengths]
        h = _beside(graph, graph.op("LSTM", *inputs, direction="bidirectional", hidden_size=hidden))
    return graph.op("Gather", graph.reshape(h, -1, 2 * hidden), cells)


def int8_lstm(graph: Graph, bilstm: BiLSTM, e: str, lengths: str, cells: str, bounds: Floats) -> str:
    """As `plain_lstm` in 8 bits.

    onnxruntime's 8-bit LSTM takes its range from the numbers at hand. To have one that is always the same,
    two units in each direction and two columns of the input are *sentinels*: 1 and -1 in every row at every
    step, and multiplied by zero.
    """
    hidden, wide = bilstm.hidden, bilstm.hidden + 2
    scaled = graph.op("Mul", e, graph.constant(1 / bounds))
    scaled = graph.op("Clip", scaled, graph.scalar(-1), graph.scalar(1))
    shape = graph.op("Concat", graph.op("Shape", scaled, start=0, end=2), graph.ints(2), axis=0)
    h = graph.op("Concat", scaled, graph.op("Expand", graph.constant(_SENTINELS), shape), axis=2)
    count = graph.op("Shape", e, start=1, end=2)  # S
    state = graph.op("Concat", graph.ints(2), count, graph.ints(wide), axis=0)
    row = np.concatenate([np.zeros(hidden, np.float32), _SENTINELS])
    h_0, c_0 = (graph.op("Expand", graph.constant(row * by), state) for by in (1, _FULL))
    for layer in range(len(bilstm.forwards)):
        w, b, r = directions(bilstm, layer, "iofg")
        w = w * bounds if layer == 0 else w.reshape(2, 4 * hidden, 2, hidden)
        w = _widen(w, -1, 2).reshape(2, 4 * hidden, -1)
        w, r = (_widen_gates(part, hidden) for part in (w, _widen(r, -1, 2)))
        b = np.concatenate([b.reshape(2, 4, hidden), np.tile(_HOLD[:, None], (2, 1, 2))], 2).reshape(2, -1)
        (w8, w_scales), (r8, r_scales) = map(quantize, (w, r))
        nil = graph.constant(np.zeros((2, 4 * wide), np.int8))
        inputs = [h, *(graph.constant(part.transpose(0, 2, 1)) for part in (w8, r8))]
        inputs += [graph.constant(_with_zeros(b))]
        inputs += [lengths, h_0, c_0, "", graph.constant(w_scales), nil, graph.constant(r_scales), nil]
        lstm = {"direction": "bidirectional", "hidden_size": wide}
        h = _beside(graph, graph.op("DynamicQuantizeLSTM", *inputs, domain=CONTRIB, **lstm))
    x = graph.op("Gather", graph.reshape(h, -1, 2, wide), cells)  # (n, 2, wide)
    x = graph.op("Slice", x, graph.ints(0), graph.ints(hidden), graph.ints(2))
    return graph.reshape(x, -1, 2 * hidden)


def _widen(array: Floats, axis: int, by: int) -> Floats:
    """Zeros behind the end of an axis."""
    widths = [(0, 0)] * array.ndim
    widths[axis] = (0, by)
    return np.pad(array, widths)


def _widen_gates(weight: Floats, hidden: int) -> Floats:
    """Two rows of zeros behind those of each gate: (2, 4H, in) to (2, 4(H + 2), in)."""
    return _widen(weight.reshape(2, 4, hidden, -1), 2, 2).reshape(2, 4 * (hidden + 2), -1)


def _with_zeros(bias: Floats) -> Floats:
    """ONNX wants the biases of input and state apart; the sum of both and zeros do as well."""
    return np.concatenate([bias, np.zeros_like(bias)], 1)


def _beside(graph: Graph, y: str) -> str:
    """(T, 2, S, H) to (T, S, 2H)."""
    return graph.reshape(graph.op("Transpose", y, perm=[0, 2, 1, 3]), 0, 0, -1)


def order_gates(weight: Floats, order: str, given: str = TORCH_GATES) -> Floats:
    """Rows of the four gates, ``given`` in torch's order or in another one, in this ``order``."""
    gates = dict(zip(given, np.split(weight, 4)))
    return np.concatenate([gates[gate] for gate in order])
