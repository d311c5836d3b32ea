"""Collins' head rules for the Penn Treebank (Collins 1999, appendix A)."""

from __future__ import annotations

from collections.abc import Sequence

from nccp.languages.head_rules import Side, from_side, head_finder

_find_head = head_finder(
    {
        "ADJP": ("left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
        "ADVP": ("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        "CONJP": ("right", "CC RB IN"),
        "FRAG": ("right", ""),
        "INTJ": ("left", ""),
        "LST": ("right", "LS :"),
        "NAC": ("left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
        "PP": ("right", "IN TO VBG VBN RP FW"),
        "PRN": ("left", ""),
        "PRT": ("right", "RP"),
        "QP": ("left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        "RRC": ("right", "VP NP ADVP ADJP PP"),
        "S": ("left", "TO IN VP S SBAR ADJP UCP NP"),
        "SBAR": ("left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        "SBARQ": ("left", "SQ S SINV SBARQ FRAG"),
        "SINV": ("left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        "SQ": ("left", "VBZ VBD VBP VB MD VP SQ"),
        "UCP": ("right", ""),
        "VP": ("left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        "WHADJP": ("left", "CC WRB JJ ADJP"),
        "WHADVP": ("right", "CC WRB"),
        "WHNP": ("left", "WDT WP WP$ WHADJP WHPP WHNP"),
        "WHPP": ("right", "IN TO FW"),
    },
    conjunctions=frozenset({"CC"}),
)
_NP: tuple[tuple[Side, frozenset[str]], ...] = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
    ("left", frozenset({"NP"})),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)


def collins_head(parent: str, children: Sequence[str]) -> int | None:
    """The head's place among children (labels or tags, without punctuation); None if no rule applies.

    ::

        collins_head("VP", ["MD", "RB", "VP"]) == 0        collins_head("NP", ["DT", "JJ", "NN"]) == 2
    """
    if parent != "NP" or not children:
        return _find_head(parent, children)
    head = _noun(children)
    return head - 2 if head >= 2 and children[head - 1] == "CC" else head


def _noun(children: Sequence[str]) -> int:
    if children[-1] == "POS":
        return len(children) - 1
    for side, wanted in _NP:
        for i in from_side(children, side):
            if children[i] in wanted:
                return i
    return len(children) - 1
