"""A tree laid out as lists: its words, its tags, and the spans and labels of its brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress
from typing import Any

from nccp.errors import TreeError
from nccp.trees import Tree


@dataclass(frozen=True, slots=True)
class Flat:
    """Words with their tags, and brackets, parents first, over word positions.

    ::

        (S (NP (DT the) (NN cat)) (VP (VBD sat)))    words  the cat sat      tags   DT NN VBD
                                                     labels S NP VP          starts 0 0 2    ends 3 2 3
    """

    words: list[str]
    tags: list[str]
    labels: list[str]
    starts: list[int]
    ends: list[int]

    def times(self, counts: Sequence[int]) -> Flat:
        """Word i as often as ``counts[i]`` says: 0 takes it out, and brackets shrink accordingly."""
        if counts.count(1) == len(counts):
            return self
        pick = compress if max(counts) <= 1 else _repeat
        before = list(accumulate(counts, initial=0))
        return Flat(
            list(pick(self.words, counts)),
            list(pick(self.tags, counts)),
            self.labels,
            [before[start] for start in self.starts],
            [before[end] for end in self.ends],
        )


def _repeat(items: Sequence[str], counts: Sequence[int]) -> Iterator[str]:
    return (item for item, count in zip(items, counts) for _ in range(count))


def flatten(tree: Tree | None) -> Flat:
    """Lay a tree out; None, a failed parse, has no words. Constituents without words keep an empty span."""
    words: list[str] = []
    tags: list[str] = []
    labels: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    stack: list[Any] = [] if tree is None else [tree]
    pop, push, extend = stack.pop, stack.append, stack.extend
    while stack:
        node = pop()
        if node.__class__ is int:  # all of bracket number `node` has been seen
            ends[node] = len(words)
            continue
        if isinstance(node, str):
            raise TreeError(f"the word {node!r} has no tag of its own, so the tree cannot be scored")
        if len(node) == 1:
            (child,) = node
            if isinstance(child, str):
                words.append(child)
                tags.append(node.label())
                continue
        push(len(labels))
        extend(reversed(node))
        labels.append(node.label())
        starts.append(len(words))
        ends.append(-1)
    return Flat(words, tags, labels, starts, ends)
