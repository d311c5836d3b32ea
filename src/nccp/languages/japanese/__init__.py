"""Japanese, as the Keyaki Treebank annotates it."""

from nccp.languages.cjk_ends import find_cjk_end
from nccp.languages.japanese.glosses import LABELS, TAGS
from nccp.languages.japanese.tokens import cut_words
from nccp.languages.language import Language

JAPANESE = Language(
    "ja",
    "Japanese",
    cut_words,
    find_cjk_end,
    spaced=False,
    scripts=("Hiragana", "Katakana", "Han"),
    left_branching=True,
    determiners=frozenset({"D", "WD"}),  # WD: interrogative
    conjunctions=frozenset({"CONJ", "CONJP"}),
    labels=LABELS,
    tags=TAGS,
    examples=("嵐のあと、子供たちは浜辺で小さな舟を見つけた。",),
)
