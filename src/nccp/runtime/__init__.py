"""Parsing without torch: model bundles, the onnxruntime engine that runs them, finding models by name."""

from nccp.runtime.bundle import Bundle
from nccp.runtime.engine import OnnxEngine
from nccp.runtime.models import Model, find_model, list_models, load

__all__ = ["Bundle", "Model", "OnnxEngine", "find_model", "list_models", "load"]
