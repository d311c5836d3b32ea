"""Leaves that carry lemmas: the forms in which treebanks write them, recognised and taken off.

::

    second    (da0ms0 El el)                            CESS, AnCora
    node      (no_et_nf_kk hestur (lemma hestur))       Greynir
    hyphen    (N-N forseti-forseti)                     Penn historical corpora, IcePaHC
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from nccp.trees import Tree

Form = Literal["keep", "second", "node", "hyphen"]
"""How leaves carry lemmas; "keep": they carry none, or what they carry is to be read as words."""

EXAMPLES: dict[Form, str] = {
    "second": "(tag word lemma)",
    "node": "(tag word (lemma ...))",
    "hyphen": "(tag word-lemma)",
}

_MOST = 0.8  # the share of leaves that have to look so
_EXTRA = re.compile(r"lemma|exp_\w+", re.IGNORECASE)  # nodes beside the word: (lemma ...), (exp_seg ...)


def recognise(trees: Iterable[Tree]) -> Form:
    """The form of most leaves in these trees; "keep" if most are a tag over a word."""
    counts: dict[Form, int] = dict.fromkeys(EXAMPLES, 0)
    total = 0
    for tree in trees:
        for node in tree.subtrees():
            words = [child for child in node if isinstance(child, str)]
            if not words or words[0].startswith("*") or _EXTRA.fullmatch(node.label()):
                continue
            total += 1
            if len(words) < len(node):
                counts["node"] += any(_is_extra(child) for child in node)
            elif len(words) == 2:
                counts["second"] += 1
            elif len(words) == 1:
                counts["hyphen"] += cut_lemma(words[0]) != words[0]
    form = max(counts, key=lambda form: counts[form])
    return form if counts[form] > _MOST * total else "keep"


def read_leaf(node: Tree, form: Form) -> list[tuple[str, str]] | None:
    """The tags and words of a leaf with its lemma, or None for any other node.

    ::

        (da0ms0 El el)                               [("da0ms0", "El")]
        (no_et_nf_kk hestur (lemma hestur))          [("no_et_nf_kk", "hestur")]
        (person_kvk Sigga Kling (lemma Sigga Kling)) [("person_kvk", "Sigga"), ("person_kvk", "Kling")]
    """
    words = [child for child in node if isinstance(child, str)]
    if form == "second" and len(words) == len(node) == 2:
        return [(node.label(), words[0])]
    if form == "node" and words and all(isinstance(child, str) or _is_extra(child) for child in node):
        return [(node.label(), word) for word in words]
    return None


def cut_lemma(word: str) -> str:
    """``forseti`` for ``forseti-forseti``; of several hyphens, the middle one parts word and lemma."""
    if word.startswith("*"):  # an empty element, *T*-1
        return word
    hyphens = [match.start() for match in re.finditer("-", word)]
    if not hyphens:
        return word
    middle = hyphens[len(hyphens) // 2]
    return word[:middle] if 0 < middle < len(word) - 1 else word


def _is_extra(child: Tree | str) -> bool:
    return isinstance(child, Tree) and _EXTRA.fullmatch(child.label()) is not None
