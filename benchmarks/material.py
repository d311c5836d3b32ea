"""The command-line arguments of benchmarks that run a model on a treebank, and what they name."""

from __future__ import annotations

import argparse

from nccp import load
from nccp.decoding import Parser
from nccp.evaluation import read_gold
from nccp.treebanks import Cleaning
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
    cleaning = Cleaning(flatten=model.flat)
    return model, read_gold(options.treebank, split=options.split, cleaning=cleaning).trees
