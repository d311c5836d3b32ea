r"""English words as the Penn Treebank cuts them.

    They can't say "U.S.-based" (or won't...).
    They ca n't say " U.S.-based " ( or wo n't ... ) .

Only words with an apostrophe or a hyphen, and the few that Penn cuts in the middle (``can|not``, ``gon|na``),
are looked at a second time.
"""

from __future__ import annotations

import re

from nccp.languages.abbreviations import words
from nccp.languages.english.abbreviations import ABBREVIATIONS
from nccp.languages.latin_tokens import latin_tokenizer

_OWN = r"""
  | (?<!<W>)['’](?i:\d\ds?|n['’]|em|cause|cuz|till?|bout|round)(?!<W>)   # '80s, rock 'n' roll
  | (?<!<W>)['’](?i:t(?=(?:is|was)(?!<W>)))                                              # 't|is
  | ['’](?i:s|d|m|ll|re|ve)(?!<W>)                                                  # 's after a mark: "it"'s
"""
_CLITIC = re.compile(r"(?i)(?:n['’]t|['’](?:s|d|m|ll|re|ve))\Z")
_HALVES = {"cannot": 3, "gonna": 3, "wanna": 3, "gotta": 3, "gimme": 3, "lemme": 3}
_BREAK = re.compile(r"(?<=[^\W_])([-‐‑]|(?<=[^\W\d_])/(?=[^\W\d_]))(?=[^\W_])")
_PREFIXES = words(  # not cut off by the treebanks that cut at hyphens
    "anti auto co counter cross e ex extra inter intra micro mid mini multi non over pan post pre pro pseudo "
    "re semi sub super ultra un"
)


def cut_places(word: str, split_hyphens: bool) -> list[int]:
    """Where to cut a word: ``do|n't``, ``can|not``, and with ``split_hyphens`` ``well|-|known``."""
    if word.isalnum():
        half = _HALVES.get(word.lower())
        return [half] if half else []
    small = word.lower()
    places = []
    end = len(word)
    while (clitic := _CLITIC.search(word, max(0, end - 3), end)) and clitic.start():
        end = clitic.start()
        places.append(end)
    if split_hyphens:
        for mark in _BREAK.finditer(word):
            is_prefix = mark.start() < 8 and small[: mark.start()] in _PREFIXES
            if mark[0] == "/" or not (is_prefix or small[mark.end() : mark.end() + 5] == "fold"):
                places += mark.span()
    return sorted(places)


cut_words = latin_tokenizer(ABBREVIATIONS, own=_OWN, cut_places=cut_places)
