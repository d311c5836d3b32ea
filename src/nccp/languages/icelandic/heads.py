"""Head rules for GreynirCorpus."""

from __future__ import annotations

from nccp.languages.head_rules import head_finder

_NOUNS = "no person sérnafn fyrirtæki entity pfn fn NP tala ártal töl to lo abfn prósenta foreign"

icelandic_head = head_finder(
    {
        "ADJP": ("left", "lo ADJP"),
        "ADVP": ("left", "ao eo ADVP PP NP"),
        "C": ("left", "st"),
        "CP": ("left", "C IP stt VP"),
        "IP": ("left", "VP IP NP"),
        "NP": ("left", _NOUNS),
        "P": ("left", "fs"),
        "PP": ("left", "P fs PP"),
        "S": ("left", "IP S VP CP NP"),
        "TO": ("left", "nhm"),
        "TOP": ("left", "S"),
        "VP": ("left", "so VP"),
    },
    conjunctions=frozenset({"C", "st"}),
)
