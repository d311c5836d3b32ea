"""English, as the Penn Treebank and its successors (GUM, CRAFT) annotate it."""

from nccp.languages.english.abbreviations import ABBREVIATIONS
from nccp.languages.english.glosses import LABELS, TAGS
from nccp.languages.english.heads import collins_head
from nccp.languages.english.tokens import cut_words
from nccp.languages.language import Language
from nccp.languages.latin_ends import latin_end_finder

ENGLISH = Language(
    "en",
    "English",
    cut_words,
    latin_end_finder(ABBREVIATIONS),
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
