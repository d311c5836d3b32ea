r"""English words as the Penn Treebank cuts them, with exact offsets.

    They can't say "U.S.-based" (or won't...).
    They ca n't say " U.S.-based " ( or wo n't ... ) .

One regular expression finds the tokens. Only words with an apostrophe or a hyphen, and the few that Penn cuts
in the middle (``can|not``, ``gon|na``), are looked at a second time. No part of the expression can match
without bound and then fail, so the time is linear in the length of any text.
"""

from __future__ import annotations

import re
from itertools import pairwise

from nccp.languages.english.abbreviations import NEVER_LAST, NUMBERED, SELDOM_LAST, words
from nccp.languages.language import Cuts

# Marks and symbols. Any other character is a letter of a word: this keeps combining marks, joiners and rare
# scripts inside their words, where re's \w would cut.
_MARKS = (
    r"\s!-/:-@\[-^`{-~"  # ASCII, but for _
    r"\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7"  # Latin-1
    r"\u2010-\u205e\u20a0-\u20cf\u2100-\u214f\u2190-\u2bff"  # punctuation, currencies, symbols
    r"\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef"
    r"\U0001f000-\U0001faff"  # emoji
)
_PARTS = {
    "<W>": rf"[^{_MARKS}]",
    "<L>": r"[^\W\d_]",  # a letter in the strict sense
    "<STOP>": r"\s<>\"“”",  # never part of an address
    "<EMOJI>": "[\u203c\u2049\u2100-\u2bff\u3030-\u3299\U0001f000-\U0001faff]",
    "<DRESS>": "[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]",  # variants, keycaps, skins
}
_PATTERN = r"""
    (?: (?:https?|ftp)://|www\.(?=\w))[^<STOP>]{0,2000}[^<STOP>.,;:!?'’…(){}\[\]]   # addresses
  | (?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9][\w-]{0,62}(?:\.[\w-]{1,63}){1,8}
  | (?<!\S)(?:[:;=]['-]?[()\[\]DPpOo|/\\]|<3)(?!\S)                                 # :-)
  | [@\#][A-Za-z_]\w*                                                               # @name, #topic
  | (?:US|HK|NZ|C|A|S)\$
  | (?<!<W>)['’](?i:\d\ds?|n['’]|em|cause|cuz|till?|bout|round)(?!<W>)   # '80s, rock 'n' roll
  | (?<!<W>)['’](?i:t(?=(?:is|was)(?!<W>)))                                              # 't|is
  | ['’](?i:s|d|m|ll|re|ve)(?!<W>)                                                  # 's after a mark: "it"'s
  | [\U0001f1e6-\U0001f1ff]{2}                                                      # flags
  | [0-9\#*]\ufe0f?\u20e3                                                           # keycaps
  | (?P<word>
      (?:(?<![\w)\]}%.-])(?:-\.?|\.)(?=\d))?                                         # -5, .05; not 3-5
      <W>+
      (?: (?: (?<=<L>)['’](?=<L>)                                                   # O'Brien, don't
            | (?<=[a-z])\.(?![A-Z][a-z])(?=<W>) | (?<![a-z])\.(?=<W>)               # U.S, 3.5, not end.The
            | (?<=\d)[,:/](?=\d) | (?<=<L>)/(?=<L>) | [&·‧](?=<W>)
            | [.%]?[-‐‑](?=<W>)                                                     # U.S.-based, 62%-owned
          ) <W>+ )*
      (?: -(?=[\s,]|\Z) | (?<=[A-Za-z\d])\+{1,2}(?![+=\w]) )?                    # pre- and post-, C++, Ca2+
    )
  | \.[.…]+ | …[.…]* | ``|'' | -{2,} | [–—―]+ | [!?]+ | [-=]+> | <[-=]+ | °[CF](?!<W>)
  | ([*=_~^+\#|•·])\2+
  | <EMOJI><DRESS>*(?:\u200d<EMOJI><DRESS>*)*
  | \S
"""
for _name, _part in _PARTS.items():
    _PATTERN = _PATTERN.replace(_name, _part)
_TOKEN = re.compile(_PATTERN, re.VERBOSE)

_INITIALS = re.compile(r"(?:.*-)?(?:[^\W\d_]\.)*[^\W\d_]")  # U.S, p.m, J; with a period to come
_CLITIC = re.compile(r"(?i)(?:n['’]t|['’](?:s|d|m|ll|re|ve))\Z")
_NUMBER = re.compile(r"\s{0,9}[\d(]")
_HALVES = {"cannot": 3, "gonna": 3, "wanna": 3, "gotta": 3, "gimme": 3, "lemme": 3}
_BREAK = re.compile(r"(?<=[^\W_])([-‐‑]|(?<=[^\W\d_])/(?=[^\W\d_]))(?=[^\W_])")
_PREFIXES = words(  # not cut off by the treebanks that cut at hyphens
    "anti auto co counter cross e ex extra inter intra micro mid mini multi non over pan post pre pro pseudo "
    "re semi sub super ultra un"
)


def cut_words(text: str, *, split_hyphens: bool = False) -> Cuts:
    """Where each word starts and ends."""
    cuts: Cuts = []
    add = cuts.append
    word_end = -1  # where the last token ended, if it was a word
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match.lastgroup == "word":
            word = match[0]
            word_end = end
            if not word.isalnum() or word.lower() in _HALVES:
                cuts += _cut_word(word, start, split_hyphens)
            else:
                add((start, end))
        elif start == word_end and match[0] == "." and _is_short(text, *cuts[-1], len(cuts) == 1):
            cuts[-1] = (cuts[-1][0], end)
        else:
            add((start, end))
    return cuts


def _is_short(text: str, start: int, end: int, is_first: bool) -> bool:
    """Whether the period after a word belongs to it: to an abbreviation that does not end the text."""
    word, after = text[start:end], text[end + 1 : end + 2]
    if _INITIALS.fullmatch(word):
        return bool(after) or len(word) > 1
    if not after:
        return False
    small = word.lower()
    return (
        small in NEVER_LAST
        or small in SELDOM_LAST
        or after in ",;:"
        or (small in NUMBERED and _NUMBER.match(text, end + 1) is not None)
        or (is_first and after.isspace() and word.isdigit())  # 1. Introduction
    )


def _cut_word(word: str, start: int, split_hyphens: bool) -> Cuts:
    """The parts of a word: ``do|n't``, ``can|not``, and with ``split_hyphens`` ``well|-|known``."""
    small = word.lower()
    places = [0, len(word)]
    if small in _HALVES:
        places.append(_HALVES[small])
    end = len(word)
    while (clitic := _CLITIC.search(word, max(0, end - 3), end)) and clitic.start():
        end = clitic.start()
        places.append(end)
    if split_hyphens:
        for mark in _BREAK.finditer(word):
            is_prefix = mark.start() < 8 and small[: mark.start()] in _PREFIXES
            if mark[0] == "/" or not (is_prefix or small[mark.end() : mark.end() + 5] == "fold"):
                places += mark.span()
    places.sort()
    return [(start + one, start + two) for one, two in pairwise(places)]
