"""The kinds of input: what turns words into the vectors that the network reads.

Each kind is a folder with up to five files, of which only the first two are needed for parsing::

    config.py          its keys in ``[input]``
    lookup.py          words to vectors with numpy and onnxruntime, from the files of a bundle
    torch_module.py    words to vectors in training, with gradients
    export.py          from the trained torch module to the files of a bundle
    restore.py         from the files of a bundle to the weights of a torch module, for fine-tuning

Only files named ``torch_*``, ``export.py`` or ``restore.py`` import torch. To add a kind, add a folder and
a line in ``registry.py``.
"""

from nccp.inputs.base import InputSection
from nccp.inputs.lookup import Floats, Lookup, Words
from nccp.inputs.registry import (
    ExportOptions,
    InputConfig,
    Restored,
    build_module,
    export_module,
    load_lookup,
    restore_config,
    restore_weights,
)
from nccp.inputs.spelling import plain_word

__all__ = [
    "ExportOptions",
    "Floats",
    "InputConfig",
    "InputSection",
    "Lookup",
    "Restored",
    "Words",
    "build_module",
    "export_module",
    "load_lookup",
    "plain_word",
    "restore_config",
    "restore_weights",
]
