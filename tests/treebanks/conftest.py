"""Small treebanks of our own sentences, and the real ones where they are at hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Write = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files (name -> text or bytes) into a fresh folder, and return the folder."""
    folder = tmp_path / "bank"

    def write_files(files: Mapping[str, str | bytes]) -> Path:
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write_files


@pytest.fixture
def treebanks() -> Path:
    """The folder of the real treebanks, named by NCCP_TREEBANKS."""
    folder = os.environ.get("NCCP_TREEBANKS")
    if not folder:
        pytest.skip("set NCCP_TREEBANKS to the folder of the real treebanks")
    return Path(folder)
