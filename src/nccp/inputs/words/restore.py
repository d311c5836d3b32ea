"""From the files of a bundle back to what training needs: the inverse of ``export.py``."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from nccp.inputs.lookup import BundleFile
from nccp.inputs.registry import Restored
from nccp.inputs.words.config import WordsConfig
from nccp.inputs.words.lookup import VECTORS, load_lookup


def restore_config(config: WordsConfig, file: BundleFile) -> WordsConfig:
    """Read the vectors of the bundle, which have been standardised already, not the file they came from."""
    return replace(config, vectors=str(file(VECTORS)), standardise=False) if config.vectors else config


def restore_weights(file: BundleFile) -> Restored:
    """The learned tables as float32, and the words that their rows belong to."""
    lookup = load_lookup(file)
    tables = {"words": lookup.words, "shift": lookup.shift, "ngrams": lookup.ngrams}
    weights = {
        f"{name}.weight": table.take(np.arange(len(table)))
        for name, table in tables.items()
        if table is not None
    }
    return Restored(weights, list(lookup.table.learned))
