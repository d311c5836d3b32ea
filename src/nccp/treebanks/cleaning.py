"""Cleaning: from a treebank's tree to the tree a parser learns, each step with its own switch.

:func:`clean` takes the steps that a :class:`Cleaning` asks for in one walk and leaves its argument as it is.
All walks are loops: a tree may be 10,000 levels deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, reduce
from typing import Any, Literal

import msgspec

from nccp.treebanks.lemmas import Form, cut_lemma, read_leaf
from nccp.treebanks.repairs import repair
from nccp.trees import ROOTS, Tree, escape_word, strip_root, unescape_word

EMPTY_TAG = "-NONE-"
NO_TAG = "XX"
"""The tag of words that have none, as in Penn for words of unknown kind."""

# NP-SBJ-1, NP=2 (Penn); NP;*SBJ*, PP{ISLAND} (Keyaki); VA4[+ASP] (Sinica). Not at the first letter, so
# that -LRB- stays.
_FUNCTION = re.compile(r"(?<=[^-])[-=;{\[].*")
_WHOLE = frozenset({"multi-sentence"})  # a label of Keyaki, not a function of "multi"


class Cleaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which steps of cleaning to take; the defaults are those of parsing experiments."""

    remove_empty: bool = True
    """Remove traces and other empty elements, with the ancestors they leave empty:
    ``(S (NP-SBJ (-NONE- *)) (VP (VB go)))`` to ``(S (VP (VB go)))``."""
    stars: bool | None = None
    """Words that start with ``*`` are empty elements too. Unset: as the treebank's format has it."""
    lemmas: Form | None = None
    """How leaves carry lemmas, which are dropped: "second" ``(tag word lemma)``, "node"
    ``(tag word (lemma ...))``, "hyphen" ``(tag word-lemma)``; "keep" takes all as words. Unset: detect."""
    add_tags: bool = False
    """The trees have no tags, ``(NP the owl)``: put every word under a tag of its own, ``XX``."""
    join_words: bool = True
    """Remove white space other than plain blanks (thin, hair, no-break, ideographic) from words. Programs
    that split lines at any white space would see two words."""
    cut_functions: bool = True
    """Cut function tags and indices off labels and tags: ``NP-SBJ-1`` to ``NP``."""
    flatten: tuple[str, ...] = ()
    """Labels of nodes whose children move up into the parent, e.g. NML:
    ``(NP (NML (NN sea) (NN owl)) (NNS maps))`` to ``(NP (NN sea) (NN owl) (NNS maps))``."""
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
    remove_empty=False,
    stars=False,
    lemmas="keep",
    join_words=False,
    cut_functions=False,
    strip_root=False,
    repairs=False,
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
        lemmas=cleaning.lemmas or "keep",
        add_tags=cleaning.add_tags,
        word=_word_code(cleaning),
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


@lru_cache(maxsize=65536)
def cut_label(label: str) -> str:
    """One label without function tags and indices: ``NP-SBJ-1`` to ``NP``; ``-LRB-`` stays."""
    return label if label.startswith("-") or label in _WHOLE else _FUNCTION.sub("", label)


def join_word(word: str) -> str:
    """One word without white space; a word that is nothing else stays."""
    return word if word.isascii() else "".join(word.split()) or word


def _word_code(cleaning: Cleaning) -> Callable[[str], str] | None:
    """What to do with each word, step after step; None: nothing."""
    steps: list[Callable[[str], str]] = []
    if cleaning.lemmas == "hyphen":
        steps.append(cut_lemma)
    if cleaning.join_words:
        steps.append(join_word)
    if cleaning.words != "keep":
        steps.append(escape_word if cleaning.words == "escape" else unescape_word)
    if len(steps) < 2:
        return steps[0] if steps else None
    return lambda word: reduce(lambda done, step: step(done), steps, word)


def _fold(
    tree: Tree,
    *,
    empty: bool = False,
    stars: bool = False,
    cut: bool = False,
    splice: frozenset[str] = frozenset(),
    lemmas: Form = "keep",
    add_tags: bool = False,
    word: Callable[[str], str] | None = None,
) -> Tree | None:
    """Rebuild the tree from below, node by node, with the steps asked for; None if it came out empty."""

    def leaf(tag: str, text: str) -> Tree | None:
        """A word under its tag, or None for an empty element."""
        if (empty and tag == EMPTY_TAG) or (stars and text.startswith("*")):
            return None
        done = word(text) if word else text
        return Tree(cut_label(tag) if cut else tag, [Tree(NO_TAG, [done]) if add_tags else done])

    has_nodes = lemmas in ("second", "node")
    if has_nodes and (pairs := read_leaf(tree, lemmas)):  # a tree of one word
        return leaf(*pairs[0])
    path: list[tuple[str, Iterator[Any], list[Any]]] = [(tree.label(), iter(tree), [])]
    while True:
        label, children, kept = path[-1]
        for child in children:
            if isinstance(child, str):
                if not ((empty and label == EMPTY_TAG) or (stars and child.startswith("*"))):
                    done = word(child) if word else child
                    kept.append(Tree(NO_TAG, [done]) if add_tags else done)
            elif len(child) == 1 and isinstance(text := next(iter(child)), str):  # a tag, as most nodes are
                if (node := leaf(child.label(), text)) is not None:
                    kept.append(node)
            elif has_nodes and (pairs := read_leaf(child, lemmas)):
                kept += [node for pair in pairs if (node := leaf(*pair)) is not None]
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
