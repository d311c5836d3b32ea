r"""The three marks that labels carry inside nccp, and the roots and escapes of treebanks.

    SBAR+S    a unary chain SBAR -> S collapsed into one node
    _NP       a sub-constituent that binarization (or grouping) put inside an NP
    #DT       a relay: the word alone is no constituent, this is its tag
    _         any of the two above, where a model has one class for all of them (``model.unify_sub``)

A treebank's own label may hold the marks too: ``\`` then guards them (``A+B`` is kept as ``A\+B``,
``_x`` as ``\_x``), so every label survives the way there and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from nccp.trees.tree import Tree

SUB, POS, JOIN, GUARD = "_", "#", "+", "\\"
ROOTS = ("TOP", "ROOT", "S1", "VROOT", "")


@cache
def guard(label: str) -> str:
    """A treebank's label with the marks it holds guarded: ``A+B`` to ``A\\+B``."""
    label = label.replace(GUARD, GUARD + GUARD).replace(JOIN, GUARD + JOIN)
    return GUARD + label if label.startswith((SUB, POS)) else label


def join_chain(labels: Iterable[str]) -> str:
    """A unary chain as one label, topmost first: ``["SBAR", "S"]`` to ``SBAR+S``."""
    return JOIN.join(map(guard, labels))


@cache
def split_chain(label: str) -> tuple[str, ...]:
    """The inverse of :func:`join_chain`, for labels without a leading mark."""
    if GUARD not in label:
        return tuple(label.split(JOIN))
    links, letters = [""], iter(label)
    for letter in letters:
        if letter == JOIN:
            links.append("")
        else:
            links[-1] += next(letters, "") if letter == GUARD else letter
    return tuple(links)


def sub_label(chain: str) -> str:
    """The label of a sub-constituent of ``chain``: of the lowest link, ``S+VP`` gives ``_VP``."""
    return SUB + (guard(split_chain(chain)[-1]) if JOIN in chain else chain)


def is_sub(label: str) -> bool:
    """Whether the label marks no constituent of the tree: ``_X`` or ``#POS``."""
    return label.startswith((SUB, POS))


class Names:
    """A list of names, each known by its place: a vocabulary of labels or tags."""

    def __init__(self, names: Iterable[str] = (), *, frozen: bool = False, unify_sub: bool = False) -> None:
        self.names: list[str] = list(names)
        self.ids: dict[str, int] = {name: i for i, name in enumerate(self.names)}
        self.frozen = frozen
        self.unify_sub = unify_sub or SUB in self.ids
        """Whether every ``_X`` and ``#POS`` is kept as the one name ``_``."""

    def add(self, name: str) -> int:
        """The place of ``name``, given one if it is new; -1 if new and the list is frozen."""
        if self.unify_sub and is_sub(name):
            name = SUB
        place = self.ids.get(name)
        if place is None:
            if self.frozen:
                return -1
            place = self.ids[name] = len(self.names)
            self.names.append(name)
        return place

    def __getitem__(self, place: int) -> str:
        return self.names[place] if place >= 0 else ""

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: str) -> bool:
        return name in self.ids


class Symbols:
    """The labels and the tags of one treebank or model."""

    def __init__(
        self,
        labels: Iterable[str] = (),
        tags: Iterable[str] = (),
        *,
        frozen: bool = False,
        unify_sub: bool = False,
    ) -> None:
        self.labels = Names(labels, frozen=frozen, unify_sub=unify_sub)
        self.tags = Names(tags, frozen=frozen)


def strip_root(tree: Tree) -> Tree:
    """Take off a root of any form that holds one tree.

    ::

        (TOP (S ...))   ( (S ...))   (ROOT (S ...))   ->   (S ...)
        (TOP (S ...) (. .))   stays: its root is the only thing that holds it together
    """
    while tree.label() in ROOTS and len(tree) == 1 and isinstance(tree[0], Tree):
        tree = tree[0]
    return tree


def add_root(tree: Tree, label: str = "TOP") -> Tree:
    """Put a root on: ``(S ...)`` to ``(TOP (S ...))``; a root of another form is renamed."""
    if tree.label() in ROOTS and not tree.is_preterminal:
        rooted = Tree(label, list(tree))
        rooted.score = tree.score
        return rooted
    return Tree(label, [tree])


_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_UNBRACKETS = {code: bracket for bracket, code in _BRACKETS.items()}


def escape_word(word: str) -> str:
    r"""A plain word as Penn trees write it: ``(`` as ``-LRB-``, ``1/2`` as ``1\/2``, ``*`` as ``\*``."""
    word = _BRACKETS.get(word) or word.replace("/", "\\/").replace("*", "\\*")
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def unescape_word(word: str) -> str:
    r"""A word of a Penn tree in plain letters: the inverse of :func:`escape_word`."""
    if word in _UNBRACKETS:
        return _UNBRACKETS[word]
    if "-LRB-" in word or "-RRB-" in word:
        word = word.replace("-LRB-", "(").replace("-RRB-", ")")
    return word.replace("\\/", "/").replace("\\*", "*") if GUARD in word else word
