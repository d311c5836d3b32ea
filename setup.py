"""The compiled module of nccp, which pyproject.toml cannot describe; optional, as it needs a compiler."""

from setuptools import Extension, setup

setup(ext_modules=[Extension("nccp.trees._plain", ["src/nccp/trees/_plain.pyx"], optional=True)])
