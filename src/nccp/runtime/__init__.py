"""Parsing without torch: the model bundle, the onnxruntime engine over it, and models by name."""

from nccp.runtime.bundle import Bundle
from nccp.runtime.engine import OnnxEngine
from nccp.runtime.models import Model, find_model, list_models, load

__all__ = ["Bundle", "Model", "OnnxEngine", "find_model", "list_models", "load"]
