"""nccp: a neural combinatory constituency parser.

    import nccp

    parser = nccp.load("en")
    print(parser.parse("The cat sat down.").tree)

Names are imported when they are first used, so that ``import nccp`` alone is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nccp.lazy import import_later

__version__ = "0.2.0"

if TYPE_CHECKING:
    from nccp.decoding import Candidate, Constraint, Parse, Parser, Span, to_frame, to_rows
    from nccp.errors import BundleError, InputError, NccpError, NccpWarning
    from nccp.integrations.notebook import render
    from nccp.languages import explain
    from nccp.runtime import list_models, load
    from nccp.trees import Tree

__all__ = [
    "BundleError",
    "Candidate",
    "Constraint",
    "InputError",
    "NccpError",
    "NccpWarning",
    "Parse",
    "Parser",
    "Span",
    "Tree",
    "__version__",
    "explain",
    "list_models",
    "load",
    "render",
    "to_frame",
    "to_rows",
]

__getattr__ = import_later(
    __name__,
    {
        "BundleError": "nccp.errors",
        "Candidate": "nccp.decoding",
        "Constraint": "nccp.decoding",
        "InputError": "nccp.errors",
        "NccpError": "nccp.errors",
        "NccpWarning": "nccp.errors",
        "Parse": "nccp.decoding",
        "Parser": "nccp.decoding",
        "Span": "nccp.decoding",
        "Tree": "nccp.trees",
        "explain": "nccp.languages",
        "list_models": "nccp.runtime",
        "load": "nccp.runtime",
        "render": "nccp.integrations.notebook",
        "to_frame": "nccp.decoding",
        "to_rows": "nccp.decoding",
    },
)


def __dir__() -> list[str]:
    """The public names alone."""
    return list(__all__)
