"""Tree: an nltk tree that knows its token spans and scores, and does not mind being 10,000 levels deep.

nltk's tools work on it (pretty_print, tgrep, draw, chomsky_normal_form). Walks are loops here, not recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nltk.tree import Tree as NltkTree

from nccp.characters import is_punctuation

Span = tuple[int, int]

_DEEP = 200  # levels beyond which nltk's recursive printing may exhaust the interpreter's stack


class Tree(NltkTree):  # type: ignore[misc]  # nltk has no type information
    """A label over children, each a Tree or a word (str).

              S            .span == (0, 3)      words 0, 1 and 2
            /   \\
           NP    VP        t[0].span == (0, 2)
          /  \\    |
         DT   NN  VBZ      t[0][1].span == (1, 2), .is_preterminal
         |    |    |
        the  dog barks

    Equality looks at labels and children only; a plain nltk tree of the same shape is equal too.
    """

    # _label is nltk's own name for it. _span is held by nodes right above words only: an int i stands
    # for (i, i + 1). Slots, because creating a node with an instance dict takes more than twice as long.
    __slots__ = ("_label", "_score", "_span")
    _label: str
    _score: float | None
    _span: int | Span

    @property
    def score(self) -> float | None:
        """The parser's confidence in the node; None where there is none."""
        return getattr(self, "_score", None)

    @score.setter
    def score(self, score: float | None) -> None:
        self._score = score

    # ---- spans
    @property
    def span(self) -> Span | None:
        """Which tokens the node covers, ``(start, end)``; None over no word, or before any numbering.

        Trees that were read are numbered; `set_spans` numbers the others, and those changed since. Only
        nodes above words hold numbers; any other derives its span from its first and its last word.
        """
        start, end = self._edge(iter, 0), self._edge(reversed, 1)
        return None if start is None or end is None else (start, end)

    def _edge(self, direction: Callable[[Tree], Iterator[Any]], side: int) -> int | None:
        """The start (side 0) of the first word, or the end (side 1) of the last one."""
        path = [(self, direction(self))]
        while path:
            node, children = path[-1]
            for child in children:
                if isinstance(child, NltkTree):
                    path.append((child, direction(child)))
                    break
                span = getattr(node, "_span", None)
                return span + side if isinstance(span, int) else span and span[side]
            else:
                path.pop()
        return None

    def set_spans(self, start: int = 0) -> int:
        """Number the words from ``start``; return the number after the last one."""
        position = start
        path = [(self, iter(self), start)]
        while path:
            node, children, first = path[-1]
            for child in children:
                if isinstance(child, NltkTree):
                    path.append((child, iter(child), position))
                    break
                position += 1
            else:
                path.pop()
                if len(node) == 1 and not isinstance(node[0], NltkTree):
                    node._span = first
                elif any(not isinstance(child, NltkTree) for child in node):
                    node._span = (first, position)
        return position

    # ---- walks
    @property
    def is_preterminal(self) -> bool:
        """Exactly one child, a word."""
        return len(self) == 1 and not isinstance(self[0], NltkTree)

    @property
    def is_mark(self) -> bool:
        """A tag over a word of punctuation marks only: ``(. .)``, ``(: --)``. Head rules pass over these."""
        return self.is_preterminal and is_punctuation(self[0])

    def subtrees(self, filter: Callable[[Tree], bool] | None = None) -> Iterator[Tree]:
        """Every node, parents before children, left to right; those that pass ``filter``."""
        if not filter or filter(self):
            yield self
        path = [iter(self)]
        while path:
            for child in path[-1]:
                if isinstance(child, NltkTree):
                    if not filter or filter(child):
                        yield child
                    path.append(iter(child))
                    break
            else:
                path.pop()

    def leaves(self) -> list[str]:
        """The words, in order."""
        words: list[str] = []
        stack: list[Any] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, NltkTree):
                stack += reversed(node)
            else:
                words.append(node)
        return words

    words = leaves

    def pos(self) -> list[tuple[str, str]]:
        """``(word, label of the node right above it)``, in order."""
        pairs: list[tuple[str, str]] = []
        path: list[tuple[str, Iterator[Any]]] = [(self._label, iter(self))]
        while path:
            label, children = path[-1]
            for child in children:
                if isinstance(child, NltkTree):
                    path.append((child._label, iter(child)))
                    break
                pairs.append((child, label))
            else:
                path.pop()
        return pairs

    def tags(self) -> list[str]:
        """The label right above each word, in order."""
        return [tag for _, tag in self.pos()]

    def height(self) -> int:
        """Levels, counting words: 1 without children, 2 for a preterminal."""
        depth, level = 0, [self]
        while level:
            depth += 1
            children = [child for node in level for child in node]
            level = [child for child in children if isinstance(child, NltkTree)]
        return depth + bool(children)

    # ---- comparing
    def __eq__(self, other: object) -> bool:
        stack: list[tuple[Any, Any]] = [(self, other)]
        while stack:
            one, two = stack.pop()
            if not isinstance(one, NltkTree):
                if one != two:
                    return False
            elif not _same_kind(one, two) or one._label != two._label or len(one) != len(two):
                return False
            else:
                stack += zip(one, two)
        return True

    __hash__ = None  # type: ignore[assignment]  # mutable, as lists are

    def __lt__(self, other: object) -> bool:
        """nltk's order: by label, then by children from the left; a proper prefix comes first."""
        if not isinstance(other, NltkTree):
            return bool(super().__lt__(other))
        stack: list[tuple[Any, Any]] = [(self, other)]
        while stack:
            one, two = stack.pop()
            if not (isinstance(one, Tree) and isinstance(two, NltkTree) and _same_kind(one, two)):
                if one != two:
                    return bool(one < two)
            elif one._label != two._label:
                return bool(one._label < two._label)
            else:
                stack.append((len(one), len(two)))
                stack += reversed(list(zip(one, two)))
        return False

    # ---- copying
    @classmethod
    def convert(cls, tree: Any) -> Any:
        """A deep copy of any nltk tree as this class, with spans and scores where it has them."""
        if not isinstance(tree, NltkTree):
            return tree
        top = cls(tree._label, ())
        stack = [(tree, top)]
        while stack:
            node, twin = stack.pop()
            _copy_marks(node, twin)
            for child in node:
                if isinstance(child, NltkTree):
                    copied = cls(child._label, ())
                    stack.append((child, copied))
                    twin.append(copied)
                else:
                    twin.append(child)
        return top

    def copy(self, deep: bool = False) -> Tree:
        """A copy of the node (sharing its children), or with ``deep`` of everything under it."""
        if deep:
            return self.convert(self)  # type: ignore[no-any-return]
        twin = type(self)(self._label, self)
        _copy_marks(self, twin)
        return twin

    def flatten(self) -> Tree:
        """The root right above its words, nothing in between."""
        return type(self)(self._label, self.leaves())

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickle as flat lists: pickling node by node would recurse, and writes eight times as much."""
        values: list[Any] = []  # labels and words, parents before children
        arities: list[int] = []  # number of children; -1 for a word
        marks: dict[int, tuple[Any, Any]] = {}  # index of a node -> its span and score
        stack: list[Any] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, NltkTree):
                span, score = getattr(node, "_span", None), getattr(node, "score", None)
                if span is not None or score is not None:
                    marks[len(values)] = (span, score)
                values.append(node._label)
                arities.append(len(node))
                stack += reversed(node)
            else:
                values.append(node)
                arities.append(-1)
        return _rebuild, (type(self), values, arities, marks)

    # ---- nltk's transforms create plain nltk nodes: make them ours
    def chomsky_normal_form(self, *args: Any, **kwargs: Any) -> None:
        """nltk's `chomsky_normal_form`, in place."""
        super().chomsky_normal_form(*args, **kwargs)
        self._adopt()

    def un_chomsky_normal_form(self, *args: Any, **kwargs: Any) -> None:
        """nltk's `un_chomsky_normal_form`, in place."""
        super().un_chomsky_normal_form(*args, **kwargs)
        self._adopt()

    def _adopt(self) -> None:
        for node in self.subtrees():
            for i, child in enumerate(node):
                if type(child) is NltkTree:
                    node[i] = type(self)(child._label, child)

    def _repr_html_(self) -> str:
        """A notebook shows the tree as a drawing in the notebook's colours."""
        from nccp.trees.draw import display_html

        return display_html(self)

    def _repr_svg_(self) -> str:
        """The drawing for viewers that show images only."""
        from nccp.trees.draw import display_svg

        return display_svg(self)

    def __str__(self) -> str:
        """nltk's indented form; on one line for trees too deep for it."""
        if self.height() > _DEEP:
            from nccp.trees.writer import format_tree

            return format_tree(self)
        return str(super().__str__())


def _same_kind(one: object, two: object) -> bool:
    """Whether two nodes may be equal: of one class, or one of them a plain nltk tree."""
    kinds = (one.__class__, two.__class__)
    return kinds[0] is kinds[1] or (NltkTree in kinds and isinstance(two, NltkTree))


def _copy_marks(node: Any, twin: Tree) -> None:
    span, score = getattr(node, "_span", None), getattr(node, "score", None)
    if span is not None:
        twin._span = span
    if score is not None:
        twin.score = score


def _rebuild(
    kind: type[Tree], values: Iterable[Any], arities: Iterable[int], marks: dict[int, tuple[Any, Any]]
) -> Tree:
    """What `Tree.__reduce_ex__` took apart."""
    top: list[Any] = []
    path: list[tuple[list[Any], int]] = [(top, 1)]  # an open node, and how many children it will have
    for index, (value, arity) in enumerate(zip(values, arities)):
        while len(path[-1][0]) == path[-1][1]:
            path.pop()
        if arity < 0:
            path[-1][0].append(value)
            continue
        node = kind(value, ())
        if index in marks:
            span, node.score = marks[index]
            if span is not None:
                node._span = span
        path[-1][0].append(node)
        path.append((node, arity))
    return top[0]  # type: ignore[no-any-return]
