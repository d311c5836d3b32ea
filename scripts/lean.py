"""Let the chunk boundaries of a multi-branching bundle lean further towards none, as model.chunk_lean would.

    python scripts/lean.py models/ja/src/nccp_model_ja/ja-multi 0.2 recipes/cards/ja-multi.md

Boundary scores are lowered by so much; then the bundle is scored again and its card, with these notes, is
written anew. For a bundle whose run is gone, or to try what a run should be trained with.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
import onnx
from onnx import numpy_helper

from nccp.config import Config
from nccp.decoding.evaluate import evaluate
from nccp.export.bundle import describe, development_trees
from nccp.runtime.bundle import Bundle, BundleFiles, share_files, write_manifest


def lower_boundaries(path: Path, lean: float) -> None:
    """Take ``lean`` off the bias that is added last to the scores of a chunk graph."""
    model = onnx.load(path)
    made_by = {name: node for node in model.graph.node for name in node.output}
    _, bias = made_by[made_by["scores"].input[0]].input
    (constant,) = [one for one in model.graph.initializer if one.name == bias]
    constant.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(constant) - np.float32(lean), bias))
    onnx.save(model, path)


def main(path: str, lean: float, notes: str) -> None:
    """Change the bundle ``path``."""
    bundle, target = Bundle.load(path), Path(path)
    config = msgspec.convert(bundle.manifest.config, Config)
    homes = {file.of for file in bundle.manifest.files.values() if file.of}
    with TemporaryDirectory(dir=target.parent, prefix=".lean.") as folder:
        root = Path(folder)
        for name in bundle.manifest.files:
            copy(bundle.files.at(name), root)
        lower_boundaries(BundleFiles(root).graph("chunk"), lean)
        write_manifest(root, bundle.manifest)
        golds = development_trees(config)
        score, _ = evaluate(Bundle.load(root).engine(), golds)
        scores = {"f1": score.f1, "tag_accuracy": score.total.tag_accuracy, "sentences": len(golds)}
        manifest = msgspec.structs.replace(bundle.manifest, scores=scores)
        splits = dict.fromkeys(result.split for result in bundle.manifest.results)
        describe(root, manifest, config, splits, Path(notes).read_text(encoding="utf-8"), bundle.size)
        for file in root.iterdir():
            copy(file, target)
    for home in homes:
        share_files(target, target.parent / home)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
