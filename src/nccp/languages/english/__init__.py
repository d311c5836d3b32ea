"""English, as the Penn Treebank and its successors (GUM, CRAFT) annotate it."""

from nccp.languages.english.ends import find_english_end
from nccp.languages.english.glosses import LABELS, TAGS
from nccp.languages.english.heads import collins_head
from nccp.languages.english.tokens import cut_words
from nccp.languages.language import Language

ENGLISH = Language(
    "en",
    "English",
    cut_words,
    find_english_end,
    determiners=frozenset({"DT"}),
    conjunctions=frozenset({"CC", "CONJP"}),
    find_head=collins_head,
    labels=LABELS,
    tags=TAGS,
    examples=(
        "After the storm, the children who live next door found a small boat on the beach.",
        "She saw the man with the telescope. I think that the cat on the roof is watching us.",
    ),
)
