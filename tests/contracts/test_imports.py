"""Lower rooms never import higher ones, and nobody brings torch in through a side door."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nccp

SOURCE = Path(nccp.__file__).parent
ROOMS = [  # top to bottom, as in CONTRIBUTING.md: a room imports from those above it only
    "errors",
    "lazy",
    "characters",
    "files",
    "disk",
    "sections",
    "trees",
    "treebanks",
    "scoring",
    "languages",
    "inputs",
    "config",
    "decoding",
    "runtime",
    "evaluation",
    "model",
    "export",
    "training",
    "sweeps",
    "analysis",
    "bulk",
    "integrations",
    "web",
    "cli",
]
TORCH_ROOMS = ("model", "training", "export", "sweeps")
HEAVY = ("torch", "transformers", "onnx", "matplotlib", "optuna", "tensorboard", "floret")


def imported(path: Path) -> set[str]:
    """Every module that a file names in an import, inside functions too."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def may_import_torch(path: Path) -> bool:
    """The rooms of training, and the torch and export halves of each kind of input."""
    half = path.name.startswith("torch_") or path.name in ("export.py", "restore.py")
    return room(path) in TORCH_ROOMS or (room(path) == "inputs" and half)


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_one_way(path):
    if room(path) in ("__init__", "__main__"):
        return
    assert room(path) in ROOMS, f"{path} is in no room of the house"
    for name in imported(path):
        top, _, rest = name.partition(".")
        if top == "nccp" and rest:
            above = rest.split(".")[0]
            assert ROOMS.index(above) <= ROOMS.index(room(path)), f"{path} imports {name}"
        if top == "torch" or name == "safetensors.torch":
            assert may_import_torch(path), f"{path} imports torch"


@pytest.mark.parametrize(
    "module",
    ["nccp", "nccp.cli", "nccp.trees", "nccp.treebanks", "nccp.scoring", "nccp.decoding", "nccp.runtime"],
)
def test_light_modules_stay_light(module):
    code = f"import {module}, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_parsing_imports_neither_treebank_readers_nor_torch():
    code = (
        "import nccp, sys; nccp.load('en').parse('The cat sat on the mat.'); "
        f"print([m for m in sys.modules if m.startswith('nccp.treebanks') or m in {HEAVY!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
