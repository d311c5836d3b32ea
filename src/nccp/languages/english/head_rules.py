"""What linguists say of heads: determiners by language, and Collins' head rules for English.

The paper (Table "head") marks the children of an NP that has no ``DT`` by a star, and is silent about Chinese
and Japanese. Chosen here: in Chinese the determiners of the Chinese Treebank (``DT`` and the phrase around
it, ``DP``) and those of Sinica (demonstratives ``Nep``, ``Nes``, quantities ``Neqa``, and ``DM``, a
determiner written together with its measure word); in Japanese Keyaki's ``D`` and its interrogative ``WD``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from nccp.trees import Tree

DETERMINERS: dict[str, frozenset[str]] = {
    "en": frozenset({"DT"}),
    "zh": frozenset({"DT", "DP", "Nep", "Nes", "Neqa", "DM"}),
    "ja": frozenset({"D", "WD"}),
}
"""Labels and tags of determiners; NPs without any of them have starred children."""


def is_punctuation(node: Tree) -> bool:
    """Whether the node is a tag over nothing but punctuation marks."""
    return node.is_preterminal and all(unicodedata.category(letter)[0] == "P" for letter in node[0])


# Collins (1999), appendix A: from which side to look, and what for, the first wish before the others.
_RULES: dict[str, tuple[str, tuple[str, ...]]] = {
    label: (side, tuple(wishes.split()))
    for label, side, wishes in (
        ("ADJP", "left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
        ("ADVP", "right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        ("CONJP", "right", "CC RB IN"),
        ("FRAG", "right", ""),
        ("INTJ", "left", ""),
        ("LST", "right", "LS :"),
        ("NAC", "left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
        ("PP", "right", "IN TO VBG VBN RP FW"),
        ("PRN", "left", ""),
        ("PRT", "right", "RP"),
        ("QP", "left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        ("RRC", "right", "VP NP ADVP ADJP PP"),
        ("S", "left", "TO IN VP S SBAR ADJP UCP NP"),
        ("SBAR", "left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        ("SBARQ", "left", "SQ S SINV SBARQ FRAG"),
        ("SINV", "left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        ("SQ", "left", "VBZ VBD VBP VB MD VP SQ"),
        ("UCP", "right", ""),
        ("VP", "left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        ("WHADJP", "left", "CC WRB JJ ADJP"),
        ("WHADVP", "right", "CC WRB"),
        ("WHNP", "left", "WDT WP WP$ WHADJP WHPP WHNP"),
        ("WHPP", "right", "IN TO FW"),
    )
}
_NP = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
    ("left", frozenset({"NP"})),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)


def collins_head(parent: str, children: Sequence[str]) -> int | None:
    """The head among children, given by labels or tags without punctuation; None where no rule speaks.

    ::

        collins_head("VP", ["MD", "RB", "VP"]) == 0        collins_head("NP", ["DT", "JJ", "NN"]) == 2
    """
    if not children:
        return None
    if parent == "NP":
        head = _noun(children)
    elif parent in _RULES:
        side, wishes = _RULES[parent]
        order = _order(children, side)
        head = next((i for wish in wishes for i in order if children[i] == wish), order[0])
    else:
        return None
    # of things coordinated, the one before the conjunction
    return head - 2 if head >= 2 and children[head - 1] == "CC" else head


def _noun(children: Sequence[str]) -> int:
    if children[-1] == "POS":
        return len(children) - 1
    for side, wishes in _NP:
        for i in _order(children, side):
            if children[i] in wishes:
                return i
    return len(children) - 1


def _order(children: Sequence[str], side: str) -> range:
    """From which side children are looked at."""
    return range(len(children)) if side == "left" else range(len(children) - 1, -1, -1)
