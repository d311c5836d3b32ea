"""Trained models as bundles: ONNX graphs, tables, a manifest and a model card."""
