"""onnxruntime sessions, each on one thread: batches run beside each other, not operators."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nccp.errors import BundleError


class Session(Protocol):
    """The one method of an ``onnxruntime.InferenceSession`` that we use."""

    def run(self, outputs: None, inputs: dict[str, NDArray[Any]]) -> list[NDArray[np.float32]]: ...


def open_session(model: str | bytes | Path) -> Session:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if isinstance(model, Path):
        model = str(model)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
