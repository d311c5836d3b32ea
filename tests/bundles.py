"""A small model bundle on disk, for the tests of everything that loads one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nccp.decoding import decode
from nccp.export.bundle import export_model
from nccp.runtime.manifest import Manifest
from nccp.trees import from_gaps
from tests.runtime.networks import random_parser, random_sentences


def write_bundle(out: Path, model: dict[str, Any] | None = None, **about: str) -> Path:
    """A parser with random weights as a bundle: its trees are nonsense, but not all the same."""
    parser = random_parser(model)
    sentences = [words for words in random_sentences(10) if all(words)]
    golds = [from_gaps(gaps) for gaps in decode(parser.engine(), sentences).gaps()]
    manifest = Manifest(**{"name": out.name, "licence": "CC0", "language": "en", **about})
    export_model(parser, out, golds, manifest, precision="float32")
    return out
