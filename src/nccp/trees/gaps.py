"""A tree as the gaps between its words: the compact form that everything else works on.

A tree over n words has n-1 gaps. Each gap belongs to one constituent, the lowest that holds the words on
both its sides; the gap *closes* at the layer where that constituent forms::

              S                    words     the   cat   sat   down
        ______|______              gaps         0     1     2
       NP           VP             heights      1     2     1
      _|__        __|___           labels       NP    S     VP
     DT   NN    VBD     RB         leaf_labels #DT  #NN   #VBD  ADVP
     |    |      |      |          tags         DT   NN    VBD   RB
    the  cat    sat   (ADVP) down

A constituent over m children owns m-1 gaps of one height and label; a word's own collapsed constituent
(or ``#POS``, if it has none) is its leaf label. Layer j of the stratified tree (paper, section 3.1) is what
is left when all gaps of height <= j are closed, so layers, orientations and chunks all follow from
``heights`` by comparison, for one tree or for a batch laid end to end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nccp.errors import TreeError
from nccp.trees.labels import POS, SUB, Names, Symbols, join_chain, split_chain
from nccp.trees.tree import Tree

Ints = NDArray[np.int32]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Gaps:
    """One tree in compact form; label and tag ids are places in ``symbols`` (-1: unknown there)."""

    words: Sequence[str]
    tags: Ints  # (n,)
    leaf_labels: Ints  # (n,)
    heights: Ints  # (n-1,), 1 for the lowest
    labels: Ints  # (n-1,)
    symbols: Symbols

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Gaps):
            return NotImplemented
        return list(self.words) == list(other.words) and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("tags", "leaf_labels", "heights", "labels")
        )


def to_gaps(tree: Tree, symbols: Symbols | None = None) -> Gaps:
    """The compact form of a tree, its unary chains collapsed; new labels are added to ``symbols``."""
    symbols = Symbols() if symbols is None else symbols
    add_label, add_tag = symbols.labels.add, symbols.tags.add
    words: list[str] = []
    tags: list[int] = []
    leaf_labels: list[int] = []
    owners: list[int] = []  # of each gap, the constituent it belongs to
    labels: list[int] = []  # of constituents, in pre-order
    parents: list[int] = []
    stack: list[tuple[Tree | str, int]] = [(tree, -1)]
    newest = -1  # the constituent whose first child comes next
    while stack:
        node, parent = stack.pop()
        if parent == newest:
            newest = -1  # first child: no gap before it
        else:
            owners.append(parent)
        chain = []
        while not isinstance(node, str) and len(node) == 1 and not isinstance(node[0], str):
            chain.append(node.label())
            node = node[0]
        if isinstance(node, str):
            raise TreeError(f"the word {node!r} stands beside constituents, without a tag of its own")
        if not node:
            raise TreeError(f"the constituent {node.label()!r} is empty")
        if len(node) == 1:  # a tag over its word
            tag = node.label()
            leaf_labels.append(add_label(join_chain(chain) if chain else POS + tag))
            tags.append(add_tag(tag))
            words.append(node[0])
        else:
            chain.append(node.label())
            labels.append(add_label(join_chain(chain)))
            parents.append(parent)
            newest = len(labels) - 1
            stack.extend((child, newest) for child in reversed(node))
    heights = [1] * len(labels)
    for child in range(len(labels) - 1, 0, -1):  # pre-order backwards: children before parents
        parent = parents[child]
        if heights[parent] <= heights[child]:
            heights[parent] = heights[child] + 1
    return Gaps(
        words,
        np.array(tags, np.int32),
        np.array(leaf_labels, np.int32),
        np.array([heights[owner] for owner in owners], np.int32),
        np.array([labels[owner] for owner in owners], np.int32),
        symbols,
    )


def fold(heights: Sequence[int], leaf: Callable[[int], T], node: Callable[[list[int], list[T]], T]) -> T:
    """Build anything bottom-up over the constituents: ``node(its gaps, its children)``, ``leaf(i)``.

    ::

        heights 1 2 1   ->   node([1], [node([0], [leaf(0), leaf(1)]), node([2], [leaf(2), leaf(3)])])
    """
    spine: list[tuple[int, list[int], list[T]]] = []  # open constituents on the right edge, highest first
    for gap, height in enumerate(heights):
        built = leaf(gap)
        while spine and spine[-1][0] < height:
            _, gaps, children = spine.pop()
            children.append(built)
            built = node(gaps, children)
        if spine and spine[-1][0] == height:
            spine[-1][1].append(gap)
            spine[-1][2].append(built)
        else:
            spine.append((height, [gap], [built]))
    built = leaf(len(heights))
    while spine:
        _, gaps, children = spine.pop()
        children.append(built)
        built = node(gaps, children)
    return built


def from_gaps(gaps: Gaps) -> Tree:
    """The tree again (paper, Alg. 5): chains expanded, sub-constituents dissolved into their parents.

    ::

        X                  X
        |___________       |________
       _X      _X    ->    |  |  |  |        S+VP over c  ->  (S (VP c))
       c1 c2   c3 c4       c1 c2 c3 c4

    Total: any heights and labels give a tree with every word in order. A topmost ``_X`` becomes X, a
    topmost ``#POS`` or unknown label a root without a name.
    """
    words, tag_names, label_names = gaps.words, gaps.symbols.tags, gaps.symbols.labels
    tags, leaf_labels, labels = gaps.tags.tolist(), gaps.leaf_labels.tolist(), gaps.labels.tolist()

    def chained(place: int, pieces: list[Tree]) -> list[Tree]:
        """The pieces under their label's whole chain, or as they are where it is no constituent."""
        for link in reversed(_links(label_names[place]) if place >= 0 else ()):
            pieces = [Tree(link, pieces)]
        return pieces

    def leaf(i: int) -> list[Tree]:
        return chained(leaf_labels[i], [Tree(tag_names[tags[i]], [words[i]])])

    def node(owned: list[int], children: list[list[Tree]]) -> list[Tree]:
        return chained(labels[owned[0]], [piece for child in children for piece in child])

    pieces = fold(gaps.heights.tolist(), leaf, node)
    tree = pieces[0] if len(pieces) == 1 else Tree(_top(gaps), pieces)
    tree.set_spans()
    return tree


def format_gaps(gaps: Gaps) -> str:
    """``format_tree(from_gaps(gaps))`` without making the tree: every parse is written by this.

    Each word's text begins with the brackets that open before it and ends with those that close behind it.
    """
    tags = [gaps.symbols.tags[place] for place in gaps.tags.tolist()]
    labels, leaves = _marks(gaps.symbols.labels, gaps.labels), _marks(gaps.symbols.labels, gaps.leaf_labels)
    texts = [f"{start}({tag} {word}){end}" for (start, end), tag, word in zip(leaves, tags, gaps.words)]
    spine: list[tuple[int, int, str]] = []  # open constituents: height, first word, what closes them
    for gap, height in enumerate(gaps.heights.tolist()):
        first = gap
        while spine and spine[-1][0] < height:
            _, first, closing = spine.pop()
            texts[gap] += closing
        if not spine or spine[-1][0] != height:
            opening, closing = labels[gap]
            texts[first] = opening + texts[first]
            spine.append((height, first, closing))
    texts[-1] += "".join(closing for *_, closing in reversed(spine))
    text = " ".join(texts)
    return text if not spine or spine[0][2] else f"({_top(gaps)} {text})"


def _marks(names: Names, places: Ints) -> list[tuple[str, str]]:
    """What opens and what closes the constituents of labels, e.g. ``(SBAR (S `` and ``))``."""
    return [_brackets(names[place]) if place >= 0 else ("", "") for place in places.tolist()]


@cache
def _brackets(label: str) -> tuple[str, str]:
    links = _links(label)
    return "".join(f"({link} " for link in links), ")" * len(links)


def _links(label: str) -> tuple[str, ...]:
    """The constituents of a label, topmost first; none for a relay or a sub-constituent."""
    return () if label.startswith((SUB, POS)) else split_chain(label)


def _top(gaps: Gaps) -> str:
    """The label of a root whose own label is no constituent."""
    top = gaps.symbols.labels[int(gaps.labels[np.argmax(gaps.heights)])]
    return split_chain(top[1:])[-1] if top.startswith(SUB) else ""
