"""The kinds of input: what turns words into the vectors that the network reads.

Each kind is a folder with up to four halves, of which only the first two are needed for parsing::

    config.py          its keys in ``[input]``
    lookup.py          words to vectors with numpy and onnxruntime, from the files of a bundle
    torch_module.py    words to vectors in training, with gradients
    export.py          from the trained torch module to the files of a bundle

Only files named ``torch_*`` or ``export.py`` import torch. To add a kind, add a folder and a line in
``registry.py``.
"""

from nccp.inputs.base import InputSection
from nccp.inputs.lookup import Floats, Lookup, Words
from nccp.inputs.registry import ExportOptions, InputConfig, build_module, export_module, load_lookup
from nccp.inputs.spelling import plain_word

__all__ = [
    "ExportOptions",
    "Floats",
    "InputConfig",
    "InputSection",
    "Lookup",
    "Words",
    "build_module",
    "export_module",
    "load_lookup",
    "plain_word",
]
