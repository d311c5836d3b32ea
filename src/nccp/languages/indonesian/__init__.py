"""Indonesian, as the treebank ICON annotates it."""

from nccp.languages.indonesian.abbreviations import ABBREVIATIONS
from nccp.languages.indonesian.glosses import LABELS, TAGS
from nccp.languages.indonesian.heads import indonesian_head
from nccp.languages.indonesian.tokens import cut_words
from nccp.languages.language import Language
from nccp.languages.latin_ends import latin_end_finder

INDONESIAN = Language(
    "id",
    "Indonesian",
    cut_words,
    latin_end_finder(ABBREVIATIONS),
    determiners=frozenset({"ART"}),
    conjunctions=frozenset({"CCN", "CONJP"}),
    find_head=indonesian_head,
    labels=LABELS,
    tags=TAGS,
    examples=("Setelah badai reda, anak-anak itu menemukan sebuah perahu kecil di pantai dekat rumahnya.",),
)
