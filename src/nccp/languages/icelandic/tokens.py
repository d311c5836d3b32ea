"""Icelandic words as GreynirCorpus cuts them.

    Það kostaði 1.500 kr. 5. janúar, eða 30% meira (sbr. 2. gr.).
    Það kostaði 1.500 kr. 5. janúar , eða 30% meira ( sbr. 2. gr. ) .

Words keep their hyphens (``Norður-Kórea``), also those that stand in for a shared part
(``mennta- og menningarmál``, ``menn og -konur``). Percentages are one word, and an ordinal number keeps its
period.
"""

from __future__ import annotations

from nccp.languages.icelandic.abbreviations import ABBREVIATIONS
from nccp.languages.latin_tokens import latin_tokenizer

cut_words = latin_tokenizer(
    ABBREVIATIONS,
    before=r"| (?<!\S)-(?=<L>)",  # -konur
    after=r"| (?<=\d)%",  # 30%
    ordinals=True,
)
