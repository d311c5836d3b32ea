"""All kinds of input, and the way to the halves of each.

A half is a module in the kind's folder. It is imported when it is needed, so that parsing imports no torch,
and a model over word vectors no tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from nccp.errors import BundleError
from nccp.inputs.base import InputSection
from nccp.inputs.encoder.config import EncoderConfig
from nccp.inputs.lookup import BundleFile, Floats, Lookup
from nccp.inputs.words.config import WordsConfig
from nccp.sections.base import tag_of

if TYPE_CHECKING:
    from nccp.inputs.torch_module import InputModule

InputConfig = WordsConfig | EncoderConfig
"""The kinds of ``[input]``; a new kind is added here."""

_KINDS: dict[str, type[InputSection]] = {tag_of(kind): kind for kind in get_args(InputConfig)}


@dataclass(frozen=True)
class ExportOptions:
    """How an input is exported."""

    int8: bool
    """Store 8-bit numbers instead of float32."""
    max_vectors: int | None
    """Keep at most so many vectors from a file."""
    sentences: Sequence[Sequence[str]]
    """A sample, to see how large numbers get."""
    opset: int
    """The version of ONNX's operators that graphs use."""
    quantize: Callable[[Any, Iterable[Mapping[str, Any]]], Any]
    """A graph with float32 weights, and inputs for it as a sample, to one with 8-bit weights."""


class Restored(NamedTuple):
    """The weights of an input, read back from a bundle."""

    weights: dict[str, Floats]
    """By the names of the parameters of the torch half."""
    words: list[str]
    """The words that have rows in its tables, if it has such tables."""


def load_lookup(kind: str, file: BundleFile) -> Lookup:
    """The numpy half, from the files of a bundle."""
    if kind not in _KINDS:
        raise BundleError(f"unknown kind of input {kind!r}; this nccp knows {', '.join(sorted(_KINDS))}")
    lookup: Lookup = _half(_KINDS[kind], "lookup").load_lookup(file)
    return lookup


def build_module(config: InputConfig, words: Sequence[str] = ()) -> InputModule:
    """The torch half; ``words`` are those that the configuration has selected from the training data."""
    module: InputModule = _half(type(config), "torch_module").build_module(config, list(words))
    return module


def export_module(
    config: InputConfig, module: InputModule, file: BundleFile, options: ExportOptions
) -> Floats | None:
    """Write the files of a bundle; with ``int8`` return the largest size of each number of a vector."""
    bounds: Floats | None = _half(type(config), "export").export_module(module, file, options)
    return bounds


def restore_config(config: InputConfig, file: BundleFile) -> InputConfig:
    """The section of a bundle's configuration, changed so that training reads the files of the bundle."""
    restored: InputConfig = _half(type(config), "restore").restore_config(config, file)
    return restored


def restore_weights(config: InputConfig, file: BundleFile) -> Restored:
    """The weights of the torch half, from the files of a bundle."""
    restored: Restored = _half(type(config), "restore").restore_weights(file)
    return restored


def _half(kind: type[InputSection], half: str) -> Any:
    return import_module(f"{kind.__module__.rpartition('.')[0]}.{half}")
