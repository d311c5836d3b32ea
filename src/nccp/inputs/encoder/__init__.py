"""A pretrained transformer encoder as input."""
