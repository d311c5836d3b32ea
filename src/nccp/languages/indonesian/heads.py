"""Head rules for ICON: Indonesian phrases mostly begin with their heads."""

from __future__ import annotations

from nccp.languages.head_rules import head_finder

indonesian_head = head_finder(
    {
        "ADJP": ("left", "ADJ ADJP VBI VBP VBT VP ADV"),
        "ADVP": ("left", "ADV ADVP NNO NP"),
        "CONJP": ("left", "CCN CSN"),
        "CP": ("left", "CSN S VP SINV CP ADJP NP PP"),
        "NP": ("left", "NNO NNP NP PRN PRK PRI NUM KUA QP ADJ VBI VBT VBP VP ART SYM"),
        "PP": ("left", "PPO PP CSN"),
        "QP": ("left", "NUM KUA QP"),
        "RPN": ("left", "PRR"),
        "S": ("left", "VP S ADJP SINV CP RPN NP PP"),
        "SBARQ": ("left", "VP S SINV SQ WHNP WHADVP NP"),
        "SINV": ("left", "VP SINV S ADJP NP"),
        "VP": ("left", "VBT VBI VBP VBL VP ADJP TAME NEG ADV"),
    },
    conjunctions=frozenset({"CCN", "CONJP"}),
)
