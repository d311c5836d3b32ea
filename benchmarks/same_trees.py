"""Does onnxruntime (float32) give the trees that torch gives? Over the sentences of a treebank.

python benchmarks/same_trees.py runs/gum ../shared/treebanks/gum --split test --count 2000
"""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path

import click

from nccp.decoding import Parser
from nccp.export.bundle import export_model
from nccp.runtime import load
from nccp.runtime.manifest import Manifest
from nccp.training.checkpoints import load_run
from nccp.treebanks import open_treebank


@click.command()
@click.argument("run")
@click.argument("treebank")
@click.option("--split", default="test", show_default=True)
@click.option("--count", default=2000, show_default=True)
def main(run: str, treebank: str, split: str, count: int) -> None:
    """Parse COUNT sentences with a run's weights in torch and in onnxruntime, and compare."""
    trees = [entry.tree for entry in islice(open_treebank(treebank).read(split), count)]
    sentences = [tree.leaves() for tree in trees]
    torch_parser = load_run(run).model
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "bundle"
        export_model(torch_parser, bundle, trees[:50], Manifest(), precision="float32")
        ours = [parse.brackets() for parse in load(str(bundle)).parse_many(sentences)]
    theirs = [parse.brackets() for parse in Parser(torch_parser.engine()).parse_many(sentences, threads=1)]
    differ = sum(one != two for one, two in zip(ours, theirs))
    click.echo(f"{run}: {len(sentences):,} sentences, {differ} trees differ")


if __name__ == "__main__":
    main()
