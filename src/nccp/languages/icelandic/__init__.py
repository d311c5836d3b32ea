"""Icelandic, as GreynirCorpus annotates it."""

from nccp.languages.icelandic.abbreviations import ABBREVIATIONS
from nccp.languages.icelandic.glosses import LABELS, TAGS
from nccp.languages.icelandic.heads import icelandic_head
from nccp.languages.icelandic.tokens import cut_words
from nccp.languages.language import Language
from nccp.languages.latin_ends import latin_end_finder

ICELANDIC = Language(
    "is",
    "Icelandic",
    cut_words,
    latin_end_finder(ABBREVIATIONS),
    determiners=frozenset({"gr", "fn"}),
    conjunctions=frozenset({"C", "st"}),
    find_head=icelandic_head,
    labels=LABELS,
    tags=TAGS,
    examples=("Börnin fundu lítinn bát í fjörunni eftir storminn sem gekk yfir landið.",),
)
