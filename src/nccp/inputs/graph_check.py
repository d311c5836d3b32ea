"""What a graph of a bundle may not contain: whatever reaches outside of its file.

Graphs are ONNX files, which may name other files to read weights from (external data), and operators of any
domain. nccp writes neither, so a graph with either is refused before onnxruntime sees it. The check walks
over the serialised message by its field numbers (``onnx.proto``) and skips the weights, so it takes about a
millisecond and needs no package.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

DOMAINS = frozenset({"", "ai.onnx", "com.microsoft"})
"""Operators of the ONNX standard, and those that come with onnxruntime."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_DEEPEST = 20  # graphs inside graphs
_MOST_PER_BYTE = 8  # elements of a tensor: none of its types has less than a bit each

# field numbers of the messages
_MODEL_GRAPH, _MODEL_OPSETS, _MODEL_FUNCTIONS = 7, 8, 25
_OPSET_DOMAIN = 1
_GRAPH_NODES, _GRAPH_TENSORS, _GRAPH_SPARSE = 1, 5, 15
_NODE_ATTRIBUTES, _NODE_DOMAIN = 5, 7
_ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS, _ATTRIBUTE_SPARSE = (5, 10), (6, 11), (22, 23)
_TENSOR_DIMS, _TENSOR_EXTERNAL, _TENSOR_LOCATION = 1, 13, 14


def check_graph(model: bytes) -> None:
    """Raise `ValueError` if this serialised graph is none that nccp would write."""
    try:
        _check_model(memoryview(model))
    except IndexError:
        raise ValueError("cut short") from None


def _check_model(model: memoryview) -> None:
    for number, value in _fields(model):
        if number == _MODEL_GRAPH:
            _check_nodes(_message(value), 0)
        elif number == _MODEL_OPSETS:
            for inner, domain in _fields(_message(value)):
                if inner == _OPSET_DOMAIN:
                    _check_domain(_message(domain))
        elif number == _MODEL_FUNCTIONS:
            raise ValueError("the graph defines functions")


def _check_nodes(graph: memoryview, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("graphs inside graphs without end")
    for number, value in _fields(graph):
        if number == _GRAPH_TENSORS:
            _check_tensor(_message(value))
        elif number == _GRAPH_SPARSE:
            raise ValueError("the graph has sparse weights")
        elif number == _GRAPH_NODES:
            for inner, part in _fields(_message(value)):
                if inner == _NODE_DOMAIN:
                    _check_domain(_message(part))
                elif inner == _NODE_ATTRIBUTES:
                    _check_attribute(_message(part), depth)


def _check_attribute(attribute: memoryview, depth: int) -> None:
    for number, value in _fields(attribute):
        if number in _ATTRIBUTE_TENSORS:
            _check_tensor(_message(value))
        elif number in _ATTRIBUTE_GRAPHS:
            _check_nodes(_message(value), depth + 1)
        elif number in _ATTRIBUTE_SPARSE:
            raise ValueError("the graph has sparse weights")


def _check_tensor(tensor: memoryview) -> None:
    dims: list[int] = []
    for number, value in _fields(tensor):
        if number == _TENSOR_EXTERNAL or (number == _TENSOR_LOCATION and value):
            raise ValueError("weights in another file (external data)")
        if number == _TENSOR_DIMS:
            dims += [value] if isinstance(value, int) else _varints(value)
    if math.prod(dims) > _MOST_PER_BYTE * len(tensor):
        raise ValueError(f"weights of shape {dims} in {len(tensor):,} bytes")


def _check_domain(domain: memoryview) -> None:
    name = bytes(domain).decode(errors="replace")
    if name not in DOMAINS:
        raise ValueError(f"operators of the domain {name!r}")


def _message(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number in the place of a message")
    return value


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Number and value of each field of a serialised message; messages, texts and lists are not opened."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        value: int | memoryview
        if kind == _VARINT:
            value, at = _varint(message, at)
        elif kind in (_FIXED64, _FIXED32):
            size = 8 if kind == _FIXED64 else 4
            value, at = message[at : at + size], at + size
        elif kind == _BYTES:
            size, at = _varint(message, at)
            value, at = message[at : at + size], at + size
        else:
            raise ValueError(f"field {number} is of no known kind")
        if at > len(message):
            raise ValueError(f"field {number} ends behind its message")
        yield number, value


def _varints(packed: memoryview) -> list[int]:
    found, at = [], 0
    while at < len(packed):
        value, at = _varint(packed, at)
        found.append(value)
    return found


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """The number at a place, and the place behind it."""
    value = 0
    for shift in range(0, 70, 7):
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise ValueError("a number without end")
