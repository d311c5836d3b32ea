"""Trees: reading, writing, collapsing, binarizing and stratifying them. No numbers are learned here."""

from nccp.trees.binarize import FACTORS, binarize, group_flat
from nccp.trees.brackets import TreeReader, parse_tree, parse_trees, read_trees
from nccp.trees.gaps import Gaps, format_gaps, from_gaps, to_gaps
from nccp.trees.labels import ROOTS, Names, Symbols, add_root, escape_word, strip_root, unescape_word
from nccp.trees.layers import Layers, recover, recover_triangle, stratify, triangulate
from nccp.trees.tree import Tree
from nccp.trees.writer import format_tree

__all__ = [
    "FACTORS",
    "ROOTS",
    "Gaps",
    "Layers",
    "Names",
    "Symbols",
    "Tree",
    "TreeReader",
    "add_root",
    "binarize",
    "escape_word",
    "format_gaps",
    "format_tree",
    "from_gaps",
    "group_flat",
    "parse_tree",
    "parse_trees",
    "read_trees",
    "recover",
    "recover_triangle",
    "stratify",
    "strip_root",
    "to_gaps",
    "triangulate",
    "unescape_word",
]
