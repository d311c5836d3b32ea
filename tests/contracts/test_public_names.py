"""What people may rely on; a name more or less is a decision, not an accident."""

from __future__ import annotations

import subprocess
import sys

import pytest

import nccp

NAMES = [
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


def test_public_names():
    assert nccp.__all__ == NAMES
    assert all(getattr(nccp, name) is not None for name in NAMES)
    assert dir(nccp) == sorted(NAMES)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        nccp.lode  # noqa: B018 -- it is the look-up that counts


def test_public_members():
    members = lambda kind: {name for name in dir(kind) if not name.startswith("_")}
    assert members(nccp.Parser) == {"parse", "parse_k", "parse_many", "parse_text", "prepare", "split"}
    assert members(nccp.Parse) - {"joined", "invalid_layers", "confidence"} == {
        "brackets",
        "conll",
        "offsets",
        "score",
        "spans",
        "tags",
        "text",
        "to_dict",
        "tree",
        "weights",
        "words",
    }
    assert nccp.Span._fields == ("label", "start", "end", "score", "start_char", "end_char")


def test_importing_costs_nothing():
    code = (
        "import nccp, sys; print([m for m in ('numpy', 'nltk', 'onnxruntime', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
