"""From trained word vectors to the files of a bundle."""

from __future__ import annotations

from torch import nn

from nccp.inputs.lookup import BundleFile, Floats
from nccp.inputs.registry import ExportOptions
from nccp.inputs.words.lookup import WordLookup
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.torch_module import WordModule


def export_module(module: WordModule, file: BundleFile, options: ExportOptions) -> Floats | None:
    """Write the files; with ``int8`` return the largest size of each number of a word's vector."""
    lookup = to_lookup(module)
    if options.int8 or options.max_vectors is not None:
        lookup = lookup.cast("int8" if options.int8 else "float32", options.max_vectors)
    lookup.save(file)
    return lookup.bounds() if options.int8 else None


def to_lookup(module: WordModule) -> WordLookup:
    """The same words without torch; nothing is lost."""
    parts = {name: _table(getattr(module, name, None)) for name in ("shift", "words", "ngrams")}
    return WordLookup(learned=module.table.learned, vectors=module.table.vectors, **parts)


def _table(layer: nn.Embedding | nn.EmbeddingBag | None) -> Table | None:
    return None if layer is None else Table(layer.weight.detach().cpu().numpy())
