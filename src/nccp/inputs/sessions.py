"""onnxruntime sessions, each on one thread; to use more cores, run several batches in parallel."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nccp.errors import BundleError
from nccp.inputs.graph_check import check_graph


class Session:
    """A graph that is ready to run; threads may share it."""

    def __init__(self, model: bytes | str, source: str = "graph") -> None:
        """``model``: a serialised graph, or the name of its file. ``source``: for messages."""
        import onnxruntime  # takes 60 ms, so only when a model is loaded

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors reach us as exceptions
        options.enable_mem_pattern = False  # it plans memory by shape, and ours are seldom the same twice
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.source = source
        self.inputs = {value.name: value.shape for value in self._session.get_inputs()}
        self.outputs = {value.name: value.shape for value in self._session.get_outputs()}

    def run(self, **inputs: NDArray[Any]) -> list[NDArray[np.float32]]:
        """All outputs, in the order of the graph."""
        try:
            outputs: list[NDArray[np.float32]] = self._session.run(None, inputs)
        except Exception as error:  # onnxruntime's exceptions have no common base
            raise BundleError(f"{self.source}: the graph cannot be run: {error}") from None
        return outputs

    def width(self, name: str) -> int | None:
        """The size of the last dimension of an input or output; None if there is none, or if it varies."""
        shape = self.inputs.get(name) or self.outputs.get(name)
        return shape[-1] if shape and isinstance(shape[-1], int) else None


def open_session(path: Path, inputs: Collection[str]) -> Session:
    """The session of a file, whose inputs must be among ``inputs``."""
    try:
        model = path.read_bytes()
        check_graph(model)
        session = Session(model, str(path))
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror}: the bundle is not complete") from None
    except Exception as error:  # onnxruntime's exceptions have no common base
        raise BundleError(f"{path}: damaged, or a graph that nccp does not run: {error}") from None
    if not session.inputs or not set(session.inputs) <= set(inputs):
        found = ", ".join(session.inputs) or "none"
        raise BundleError(f"{path}: unexpected inputs of the graph: {found}; expected {', '.join(inputs)}")
    return session
