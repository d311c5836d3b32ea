"""Every tree of all treebanks at hand comes back, under every factor and in every form.

Every third tree is tried under one factor and in one multi-branching form, in turn, and every 24th in all of
them; NCCP_EVERY=1 tries every tree in all of them (ten to twenty minutes).
"""

from __future__ import annotations

import os
from itertools import islice

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
    recover,
    recover_triangle,
    stratify,
    to_gaps,
    triangulate,
)

pytestmark = pytest.mark.slow

LONGEST_TRIANGLE = 60  # a triangle has n(n+1)/2 cells; the paper stops at 100 words


@pytest.mark.parametrize("bank", ["ptb-sample", "craft", "gum", "ktb", "sinica", "icon", "greynir"])
def test_every_tree_comes_back(treebanks, bank):
    rng = np.random.default_rng(0)
    symbols, count = Symbols(), 0
    every = "NCCP_EVERY" in os.environ
    for entry in islice(open_treebank(treebanks / bank).read(), 0, None, 1 if every else 3):
        thorough = every or count % 8 == 0
        gaps = to_gaps(entry.tree, symbols)
        assert format_gaps(gaps) == format_tree(entry.tree)
        assert from_gaps(gaps) == entry.tree
        for factor in FACTORS if thorough else [FACTORS[count % 4]]:
            binary = binarize(gaps, factor, rng)
            assert recover(stratify(binary, binary=True)) == binary
            assert from_gaps(binary) == entry.tree
        if thorough and len(gaps) <= LONGEST_TRIANGLE:
            assert recover_triangle(triangulate(binary)) == binary
        grouped = group_flat(gaps)
        assert from_gaps(grouped) == entry.tree
        for multi in (gaps, grouped) if thorough else [(gaps, grouped)[count % 2]]:
            assert recover(stratify(multi, binary=False)) == multi
        count += 1
    assert count > 1000
