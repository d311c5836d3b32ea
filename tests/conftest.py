"""What tests share: random trees of every awkward kind, and the treebanks where they are at hand."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: small tensors on many threads only wait

from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from nccp.trees import Tree

settings.register_profile("nccp", deadline=None)  # a busy machine is no failure
settings.load_profile("nccp")

LABELS = ["S", "NP", "VP", "A+B", "_x", "#y", "NP-SBJ", "\\", "+", "_", "S", "", "X\\+"]
TAGS = ["DT", "NN", "-LRB-", "#", "_", "A+B", "."]
WORDS = ["the", "cat", "#", "+", "_", "\\", "3/4", "東京", "-NONE-", "。"]

preterminals = st.builds(lambda tag, word: Tree(tag, [word]), st.sampled_from(TAGS), st.sampled_from(WORDS))
trees = st.recursive(
    preterminals,
    lambda inner: st.builds(Tree, st.sampled_from(LABELS), st.lists(inner, min_size=1, max_size=6)),
    max_leaves=40,
)
"""Trees with one word, unary chains, repeated labels in a chain, labels that hold the marks."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that read real treebanks, and those of the page in a browser, are slow."""
    for item in items:
        if "treebanks" in getattr(item, "fixturenames", ()) or item.path.parent.name == "browser":
            item.add_marker("slow")


@pytest.fixture(scope="session")
def treebanks() -> Path:
    """The folder of treebanks; the test is skipped where there is none."""
    folder = os.environ.get("NCCP_TREEBANKS")
    if not folder:
        pytest.skip("NCCP_TREEBANKS is not set")
    return Path(folder)
