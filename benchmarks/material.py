"""What benchmarks of a model on a treebank ask for on the command line, read."""

from __future__ import annotations

import argparse

from nccp import load
from nccp.cli.golds import read_golds
from nccp.decoding import Parser
from nccp.trees import Tree


def read_material(description: str | None) -> tuple[Parser, list[Tree]]:
    """The model and the gold trees that the arguments name; help shows ``description``."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("treebank")
    parser.add_argument("--split", default="dev")
    options = parser.parse_args()
    model = load(options.model)
    return model, read_golds(model, options.treebank, None, options.split)[0]
