"""What pyproject.toml cannot say: one compiled module, which nccp does without where there is no compiler."""

from setuptools import Extension, setup

setup(ext_modules=[Extension("nccp.trees._plain", ["src/nccp/trees/_plain.pyx"], optional=True)])
