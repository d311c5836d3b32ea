"""From the files of a bundle back to what training needs: the inverse of ``export.py``."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from nccp.inputs.encoder.config import EncoderConfig
from nccp.inputs.encoder.lookup import GRAPH
from nccp.inputs.encoder.torch_bundled import read_settings
from nccp.inputs.lookup import BundleFile
from nccp.inputs.registry import Restored


def restore_config(config: EncoderConfig, file: BundleFile) -> EncoderConfig:
    """Take the encoder from the bundle that holds its graph, not from where it once came from."""
    return replace(config, encoder=str(file(GRAPH).parent), encoder_layers=0, cache="")


def restore_weights(file: BundleFile) -> Restored:
    """The mix of layers; the encoder itself is loaded when the module is built."""
    mix = read_settings(file(GRAPH).parent).mix
    return Restored({} if mix is None else {"mix": np.array(mix, np.float32)}, [])
