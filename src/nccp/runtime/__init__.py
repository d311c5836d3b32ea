"""Parsing without torch: the model bundle, and the onnxruntime engine over it."""

from nccp.runtime.bundle import Bundle
from nccp.runtime.engine import OnnxEngine

__all__ = ["Bundle", "OnnxEngine"]
