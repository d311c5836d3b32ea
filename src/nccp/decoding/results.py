"""The result of parsing a sentence. The tree is kept in compact form and built when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from nccp.decoding.confidence import Confidence
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.nodes import Branching, Node, branchings, score_nodes, walk
from nccp.trees import ROOTS, Gaps, Symbols, Tree, escape_word, format_gaps, from_gaps

EMPTY = "(())"
"""The brackets of a sentence without words: what EVALB takes for a failed parse."""

_UNHELD = re.compile(r"[ \t\n\r\f\v()\0]")  # what no word in brackets can hold
_SPELLED = {**dict.fromkeys(map(ord, " \t\n\r\f\v"), "\xa0"), 0: "\N{SYMBOL FOR NULL}"}


class Span(NamedTuple):
    """A constituent: words ``start`` to ``end`` (not included), and their characters if the text was raw."""

    label: str
    start: int
    end: int
    score: float | None = None
    start_char: int | None = None
    end_char: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Parse:
    """The parse of one sentence.

    A sentence without words has one too: its ``tree`` and ``score`` are None, its brackets ``(())``.
    """

    input: InputSentence
    gaps: Gaps | None
    """The tree in compact form, with the tags that were predicted."""
    joined: bool = False
    """Whether a fallback joined the parts under one root, since the model combined nothing more."""
    invalid_layers: int = 0
    """Layers whose scores alone would have broken the frame or combined nothing; the decoder mended them."""
    confidence: Confidence | None = None

    @property
    def words(self) -> Sequence[str]:
        """The words of the input, unchanged."""
        return self.input.words

    @property
    def text(self) -> str | None:
        """The sentence as raw text; None if the input was words."""
        return self.input.text

    @property
    def offsets(self) -> Sequence[tuple[int, int]] | None:
        """Where each word starts and ends in the text, in characters; None unless there was a text."""
        return self.input.offsets

    @cached_property
    def tags(self) -> list[str]:
        """Of each word: the tag of the input if it has one, else the predicted tag."""
        if self.gaps is None:
            return []
        names = self.gaps.symbols.tags
        tags = [names[place] for place in self.gaps.tags.tolist()]
        if self.input.tags is not None:
            tags = [own or found for own, found in zip(self.input.tags, tags)]
        return tags

    @cached_property
    def tree(self) -> Tree | None:
        """The tree, with spans and scores; its leaves are the words of the input, unchanged."""
        if self.gaps is None:
            return None
        tree = from_gaps(self._gaps(self.words, self.tags))
        if self.confidence is not None:
            score_nodes(walk(tree), self.confidence, self.input.tags)
        return tree

    @cached_property
    def _nodes(self) -> list[Node]:
        return [] if self.tree is None else walk(self.tree)

    @property
    def spans(self) -> list[Span]:
        """All constituents, parents before children."""
        places = self.offsets
        return [
            Span(node.label(), start, end, node.score)
            if places is None
            else Span(node.label(), start, end, node.score, places[start][0], places[end - 1][1])
            for node, start, end in self._nodes
            if not node.is_preterminal
        ]

    @property
    def score(self) -> float | None:
        """The confidence in the tree, from 0 to 1: the geometric mean over all decisions."""
        if self.confidence is None:
            return None
        confidence, count = self.confidence, np.count_nonzero(self.confidence.nodes)
        return float(
            np.exp((confidence.nodes.sum() + confidence.leaves.sum()) / (count + len(confidence.leaves)))
        )

    @property
    def weights(self) -> list[Branching] | None:
        """The weight of each child in its parent (mean λ), for all nodes with several children, parents
        first; None with binary models."""
        if self.gaps is None or self.confidence is None:
            return None
        return branchings(self.gaps, self.confidence)

    def brackets(self, root: str | None = None) -> str:
        """The tree on one line, ``(S (NP (DT the) ...``, under a root of this name if any.

        Words that brackets cannot hold are written as treebanks do: ``(`` is ``-LRB-``. White space within
        a word becomes a no-break space, NUL its symbol ``␀``, and a word without any letters ``_``.
        """
        if self.gaps is None:
            return EMPTY
        words = writable(self.words)
        if words is self.words and self.input.tags is None:
            text = format_gaps(_replace_words(self.gaps, words))
        else:
            text = format_gaps(self._gaps(words, writable(self.tags)))
        return text if root is None else _rooted(text, root)

    def conll(self) -> str:
        """A line for each word: number, word, tag, and the brackets that open and close there.

        ::

            1  the    DT   (S(NP*
            2  cat    NN   *)
            3  sat    VBD  (VP*))
        """
        opened, closed = [""] * len(self.words), [0] * len(self.words)
        for node, start, end in self._nodes:
            if not node.is_preterminal:
                opened[start] += f"({node.label()}"
                closed[end - 1] += 1
        columns = zip(writable(self.words), writable(self.tags), opened, closed)
        return "".join(
            f"{number}\t{word}\t{tag}\t{before}*{')' * after}\n"
            for number, (word, tag, before, after) in enumerate(columns, 1)
        )

    def to_dict(self, root: str | None = None) -> dict[str, Any]:
        """The parse in plain values for JSON; ``root`` as in `brackets`."""
        made: dict[str, Any] = {"words": list(self.words), "tags": self.tags, "tree": self.brackets(root)}
        if self.offsets is not None:
            made["offsets"] = [list(place) for place in self.offsets]
        made["spans"] = [
            {key: _short(value) for key, value in span._asdict().items() if value is not None}
            for span in self.spans
        ]
        if (weights := self.weights) is not None:
            made["weights"] = [
                {**one._asdict(), "weights": [_short(value) for value in one.weights]} for one in weights
            ]
        return {**made, "score": _short(self.score), "joined": self.joined}

    def __repr__(self) -> str:
        return f"Parse({self.brackets()!r})"

    def _repr_html_(self) -> str | None:
        """A notebook shows the tree as a drawing; a sentence without words as its text."""
        return None if self.tree is None else self.tree._repr_html_()

    def _repr_svg_(self) -> str | None:
        """The drawing for viewers that show images only."""
        return None if self.tree is None else self.tree._repr_svg_()

    def _gaps(self, words: Sequence[str], tags: Sequence[str]) -> Gaps:
        """The compact form with these words and tags."""
        assert self.gaps is not None
        if self.input.tags is None:
            return _replace_words(self.gaps, words)
        symbols = Symbols(tags=tags)  # word i has tag i
        symbols.labels = self.gaps.symbols.labels
        places = np.arange(len(words), dtype=np.int32)
        return Gaps(words, places, self.gaps.leaf_labels, self.gaps.heights, self.gaps.labels, symbols)


def _replace_words(gaps: Gaps, words: Sequence[str]) -> Gaps:
    return Gaps(words, gaps.tags, gaps.leaf_labels, gaps.heights, gaps.labels, gaps.symbols)


def writable(words: Sequence[str]) -> Sequence[str]:
    """The words, with those that brackets cannot hold respelled."""
    if all(words) and not _UNHELD.search("".join(words)):
        return words
    return [escape_word(word).translate(_SPELLED) if _UNHELD.search(word) else word or "_" for word in words]


def _rooted(text: str, root: str) -> str:
    """``add_root`` for a tree in brackets."""
    label, _, rest = text[1:].partition(" ")
    if label in ROOTS and rest.startswith("("):
        return f"({root} {rest}"
    return f"({root} {text})"


def _short(value: Any) -> Any:
    """Rounded to six digits."""
    return round(value, 6) if isinstance(value, float) else value
