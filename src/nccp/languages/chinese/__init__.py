"""Chinese, as the Sinica Treebank and the Penn Chinese Treebank annotate it."""

from nccp.languages.chinese.glosses import LABELS, TAGS
from nccp.languages.chinese.tokens import cut_words
from nccp.languages.cjk_ends import find_cjk_end
from nccp.languages.language import Language

CHINESE = Language(
    "zh",
    "Chinese",
    cut_words,
    find_cjk_end,
    spaced=False,
    scripts=("Han",),
    # DT and DP are those of the Chinese Treebank, the others those of Sinica: demonstratives (Nep, Nes),
    # quantities (Neqa), and determiners written together with their measure word (DM)
    determiners=frozenset({"DT", "DP", "Nep", "Nes", "Neqa", "DM"}),
    conjunctions=frozenset({"CC", "Caa", "Caa[P1]", "Caa[P2]"}),
    labels=LABELS,
    tags=TAGS,
    examples=("暴风雨过后，孩子们在海边发现了一条小船。",),
)
