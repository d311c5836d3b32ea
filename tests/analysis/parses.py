"""Parses made by hand: a tree with weights, as a multi-branching model would have given it."""

from __future__ import annotations

import numpy as np

from nccp.decoding import Parse
from nccp.decoding.confidence import Confidence
from nccp.decoding.input_sentence import InputSentence
from nccp.trees import Gaps, Symbols, Tree, parse_tree, to_gaps


def weighted(text: str, *, joined: bool = False) -> Parse:
    """The parse of brackets in which labels bear their weights: ``(NP (DT/0.6 the) (NN/0.4 cat))``."""
    tree = parse_tree(text)
    tree.set_spans()
    words = len(tree.leaves())
    word_weights, node_weights = np.full(words, np.nan, np.float32), np.full(words, np.nan, np.float32)
    stack: list[tuple[Tree, float | None]] = [(tree, None)]
    while stack:
        node, above = stack.pop()
        label, _, weight = node.label().partition("/")
        node.set_label(label)
        value = float(weight) if weight else above
        if node.is_preterminal or len(node) > 1:
            place = node.span[0] if node.is_preterminal else node[0].span[1]
            if value is not None:
                (word_weights if node.is_preterminal else node_weights)[place] = value
            value = None
        stack += [(child, value) for child in node if isinstance(child, Tree)]
    zeros = np.zeros(words, np.float32)
    gaps = to_gaps(tree)
    return Parse(
        InputSentence(tree.leaves()),
        gaps,
        joined,
        confidence=Confidence(zeros, zeros, zeros, word_weights, node_weights),
    )


def plain(text: str) -> Parse:
    """The parse of brackets, without weights, as from a binary model."""
    tree = parse_tree(text)
    zeros = np.zeros(len(tree.leaves()), np.float32)
    return Parse(
        InputSentence(tree.leaves()), to_gaps(tree), confidence=Confidence(zeros, zeros, zeros, None, None)
    )


def binary(text: str) -> Gaps:
    """The compact form of a binary tree in which ``_X`` marks parts, as a decoder makes it."""
    guarded = to_gaps(parse_tree(text))
    names = [name.replace("\\", "") for name in guarded.symbols.labels]
    return Gaps(
        guarded.words,
        guarded.tags,
        guarded.leaf_labels,
        guarded.heights,
        guarded.labels,
        Symbols(names, guarded.symbols.tags),
    )
