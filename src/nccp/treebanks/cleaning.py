"""Cleaning: from a treebank's tree to the tree a parser learns, each step with its own switch.

Every step is a function of its own that leaves its argument alone; :func:`clean` does those that a
:class:`Cleaning` asks for in one walk. All walks are loops: a tree may be 10,000 levels deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec

from nccp.treebanks.repairs import repair
from nccp.trees import ROOTS, Tree, escape_word, strip_root, unescape_word

EMPTY_TAG = "-NONE-"

# NP-SBJ-1, NP=2 (Penn); NP;*SBJ*, PP{ISLAND} (Keyaki); VA4[+ASP] (Sinica). Not at the first letter, so
# that -LRB- stays.
_FUNCTION = re.compile(r"(?<=[^-])[-=;{\[].*")
_WHOLE = frozenset({"multi-sentence"})  # a label of Keyaki, not a function of "multi"


class Cleaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which steps of cleaning to take; the defaults are those of parsing experiments."""

    remove_empty: bool = True
    """Remove traces and other empty elements, with the ancestors they leave empty."""
    stars: bool | None = None
    """Words that start with ``*`` are empty elements too. Unset: as the treebank's format has it."""
    join_words: bool = True
    """Take white space other than plain blanks (thin, hair, no-break, ideographic) out of words."""
    cut_functions: bool = True
    """Cut function tags and indices off labels."""
    flatten: tuple[str, ...] = ()
    """Labels of nodes whose children move up into the parent, e.g. NML."""
    unwrap: tuple[str, ...] = ()
    """Labels of wrappers to take off, e.g. HEADING, CAPTION, TITLE, CIT."""
    words: Literal["keep", "escape", "unescape"] = "keep"
    r"""Write words as they come, in Penn's escapes (``-LRB-``, ``1\/2``), or in plain letters."""
    strip_root: bool = True
    """Take the root off (TOP, ROOT, S1, VROOT or empty)."""
    repairs: bool | None = None
    """Repair the labels that a parser gave against Penn's conventions (WHNP, INTJ, LST, PRN; see
    ``nccp.treebanks.repairs``). Unset: as the treebank's format has it, which is on for GUM only."""


RAW = Cleaning(
    remove_empty=False, stars=False, join_words=False, cut_functions=False, strip_root=False, repairs=False
)
"""No step at all: the tree as the treebank has it."""


def clean(tree: Tree, cleaning: Cleaning) -> Tree | None:
    """The tree after every step that ``cleaning`` asks for, its words numbered; None if nothing is left.

    ::

        ( (S (NP-SBJ-1 (-NONE- *PRO*))             (S (VP (VB go)
             (VP (VB go)                    ->            (ADVP (RB home))))
                 (ADVP-DIR (RB home)))))
    """
    cleaned = _fold(
        tree,
        empty=cleaning.remove_empty,
        stars=cleaning.remove_empty and bool(cleaning.stars),
        cut=cleaning.cut_functions,
        splice=frozenset(cleaning.flatten + cleaning.unwrap),
        word=_word_code(cleaning.join_words, cleaning.words),
    )
    if cleaned is None:
        return None
    if cleaning.strip_root:
        cleaned = strip_root(cleaned)
    if cleaning.repairs:
        repair(cleaned)
    cleaned.set_spans()
    return cleaned


def remove_empty(tree: Tree, *, stars: bool = False) -> Tree | None:
    """Remove empty elements, with the ancestors they leave empty; None if no word is left.

    ::

        (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD slept)))    ->    (S (VP (VBD slept)))

    Penn tags them ``-NONE-``. With ``stars``, as in Keyaki, any word that starts with ``*`` is one::

        (IP-MAT (NP-SBJ *pro*) (VB 眠る))               ->    (IP-MAT (VB 眠る))
    """
    return _fold(tree, empty=True, stars=stars)


def cut_functions(tree: Tree) -> Tree:
    """Cut function tags and indices off all labels and tags.

    ::

        (S (NP-SBJ-1 (-LRB- -LRB-) ...) (VP=2 ...))    ->    (S (NP (-LRB- -LRB-) ...) (VP ...))
    """
    return _some(_fold(tree, cut=True))


def flatten(tree: Tree, labels: Collection[str]) -> Tree:
    """Move the children of nodes with one of these labels (functions aside) up into the parent.

    ::

        (NP (NML (NN bone) (NN marrow)) (NNS cells))    ->    (NP (NN bone) (NN marrow) (NNS cells))

    At the top of a tree a node stays if its children would be left without anything to hold them.
    """
    return _some(_fold(tree, splice=frozenset(labels)))


def unwrap(tree: Tree, labels: Collection[str]) -> Tree:
    """Take wrappers with one of these labels off, keeping what they hold: :func:`flatten` by another aim.

    ::

        ( (HEADING (NP (NNS Results))))    ->    ( (NP (NNS Results)))
    """
    return flatten(tree, labels)


def join_words(tree: Tree) -> Tree:
    r"""Take white space other than plain blanks out of words: ``(NN n\u200a=)`` to ``(NN n=)``.

    Typesetters' thin and hair spaces are in some words of CRAFT; programs that split lines at white space
    of any kind would see two words.
    """
    return _some(_fold(tree, word=join_word))


def escape_words(tree: Tree) -> Tree:
    r"""Write words in Penn's escapes: ``(NN 1/2)`` to ``(NN 1\/2)``, a bracket to ``-LRB-``."""
    return _some(_fold(tree, word=escape_word))


def unescape_words(tree: Tree) -> Tree:
    r"""Write words in plain letters: ``(NN 1\/2)`` to ``(NN 1/2)``, ``-LRB-`` to a bracket."""
    return _some(_fold(tree, word=unescape_word))


@lru_cache(maxsize=65536)
def cut_label(label: str) -> str:
    """One label without function tags and indices: ``NP-SBJ-1`` to ``NP``; ``-LRB-`` stays."""
    return label if label.startswith("-") or label in _WHOLE else _FUNCTION.sub("", label)


def join_word(word: str) -> str:
    """One word without white space; a word that is nothing else stays."""
    return word if word.isascii() else "".join(word.split()) or word


def _word_code(join: bool, code: str) -> Callable[[str], str] | None:
    """What to do with each word: nothing, one thing, or one after the other."""
    codes = {"keep": None, "escape": escape_word, "unescape": unescape_word}
    first, second = join_word if join else None, codes[code]
    if first is None or second is None:
        return first or second
    return lambda word: second(first(word))


def _fold(
    tree: Tree,
    *,
    empty: bool = False,
    stars: bool = False,
    cut: bool = False,
    splice: frozenset[str] = frozenset(),
    word: Callable[[str], str] | None = None,
) -> Tree | None:
    """Rebuild the tree from below, node by node, with the steps asked for; None if it came out empty."""
    path: list[tuple[str, Iterator[Any], list[Any]]] = [(tree.label(), iter(tree), [])]
    while True:
        label, children, kept = path[-1]
        for child in children:
            if isinstance(child, str):
                if not ((empty and label == EMPTY_TAG) or (stars and child.startswith("*"))):
                    kept.append(word(child) if word else child)
            elif len(child) == 1 and isinstance(leaf := next(iter(child)), str):  # a tag, as most nodes are
                tag = child.label()
                if (empty and tag == EMPTY_TAG) or (stars and leaf.startswith("*")):
                    continue
                kept.append(Tree(cut_label(tag) if cut else tag, [word(leaf) if word else leaf]))
            else:
                path.append((child.label(), iter(child), []))
                break
        else:
            path.pop()
            name = cut_label(label) if cut else label
            if empty and not kept:
                nodes: list[Any] = []
            elif splice and cut_label(label) in splice and _may_go(path, kept):
                nodes = kept
            else:
                nodes = [Tree(name, kept)]
            if not path:
                return nodes[0] if nodes else None
            path[-1][2].extend(nodes)


def _may_go(path: list[tuple[str, Iterator[Any], list[Any]]], kept: list[Any]) -> bool:
    """Whether what is kept of a node holds together without it: there is a parent, or only one child."""
    has_parent = len(path) > 1 or (len(path) == 1 and path[0][0] not in ROOTS)
    return has_parent or (len(kept) == 1 and isinstance(kept[0], Tree))


def _some(tree: Tree | None) -> Tree:
    """The tree of a step that removes nothing."""
    assert tree is not None
    return tree
