"""Every tree of all five treebanks comes back, under every factor and in every form."""

from __future__ import annotations

import numpy as np
import pytest

from nccp.treebanks import open_treebank
from nccp.trees import (
    FACTORS,
    Symbols,
    binarize,
    format_gaps,
    format_tree,
    from_gaps,
    group_flat,
    parse_tree,
    recover,
    recover_triangle,
    stratify,
    to_gaps,
    triangulate,
)

LONGEST_TRIANGLE = 60  # a triangle has n(n+1)/2 cells; the paper stops at 100 words


@pytest.mark.parametrize("bank", ["ptb-sample", "craft", "gum", "ktb", "sinica"])
def test_every_tree_comes_back(treebanks, bank):
    rng = np.random.default_rng(0)
    symbols, count = Symbols(), 0
    for entry in open_treebank(treebanks / bank).read():
        gaps = to_gaps(entry.tree, symbols)
        assert parse_tree(format_tree(entry.tree)) == entry.tree
        assert format_gaps(gaps) == format_tree(entry.tree)
        for factor in FACTORS:
            binary = binarize(gaps, factor, rng)
            assert recover(stratify(binary, binary=True)) == binary
            assert from_gaps(binary) == entry.tree
        if len(gaps) <= LONGEST_TRIANGLE:
            assert recover_triangle(triangulate(binary)) == binary
        for multi in (gaps, group_flat(gaps)):
            assert recover(stratify(multi, binary=False)) == multi
            assert from_gaps(multi) == entry.tree
        count += 1
    assert count > 3000
