r"""Words of languages that use the Latin alphabet and put spaces between words, with exact offsets.

    They say "U.S.-based" (or 3.5%...).
    They say " U.S.-based " ( or 3.5 % ... ) .

One regular expression finds the tokens. A language adds alternatives of its own to it, and says where to cut
a word that the expression found. No part of the expression can match without bound and then fail, so the time
is linear in the length of any text; what a language adds must keep to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from nccp.languages.abbreviations import Abbreviations
from nccp.languages.language import Cuts, Tokenizer

CutPlaces = Callable[[str, bool], Sequence[int]]
"""``places(word, split_hyphens)``: where to cut a word, in order; nothing for most words."""

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
  <OWN>
  | [\U0001f1e6-\U0001f1ff]{2}                                                      # flags
  | [0-9\#*]\ufe0f?\u20e3                                                           # keycaps
  | (?P<word>
      (?: (?<![\w)\]}%.-])(?:-\.?|\.)(?=\d) <BEFORE> )?                              # -5, .05; not 3-5
      <W>+
      (?: (?: (?<=<L>)['’](?=<L>)                                                   # O'Brien, don't
            | (?<=[a-z])\.(?![A-Z][a-z])(?=<W>) | (?<![a-z])\.(?=<W>)               # U.S, 3.5, not end.The
            | (?<=\d)[,:/](?=\d) | (?<=<L>)/(?=<L>) | [&·‧](?=<W>)
            | [.%]?[-‐‑](?=<W>)                                                     # U.S.-based, 62%-owned
          ) <W>+ )*
      (?: -(?=[\s,]|\Z) | (?<=[A-Za-z\d])\+{1,2}(?![+=\w]) <AFTER> )?            # pre- and post-, C++, Ca2+
    )
  | \.[.…]+ | …[.…]* | ``|'' | -{2,} | [–—―]+ | [!?]+ | [-=]+> | <[-=]+ | °[CF](?!<W>)
  | ([*=_~^+\#|•·])\2+
  | <EMOJI><DRESS>*(?:\u200d<EMOJI><DRESS>*)*
  | \S
"""
_INITIALS = re.compile(r"(?:.*-)?(?:[^\W\d_]\.)*[^\W\d_]")  # U.S, p.m, J; with a period to come
_NUMBER = re.compile(r"\s{0,9}[\d(]")
_SMALL = re.compile(r"\s{1,9}[^\W\d_]")


def latin_tokenizer(
    abbreviations: Abbreviations,
    *,
    own: str = "",
    before: str = "",
    after: str = "",
    cut_places: CutPlaces | None = None,
    ordinals: bool = False,
) -> Tokenizer:
    """A tokeniser of a language with these abbreviations.

    ``own``, ``before`` and ``after`` add alternatives to the expression, each with its leading ``|``: tokens
    of the language's own, and what may belong to a word before its first letter and after its last one.
    ``<W>`` stands for any letter of a word, ``<L>`` for a letter in the strict sense. ``ordinals``: numbers
    with a period are ordinals before a word in lower case (``5. janúar``).
    """
    pattern = _PATTERN.replace("<OWN>", own).replace("<BEFORE>", before).replace("<AFTER>", after)
    for name, part in _PARTS.items():
        pattern = pattern.replace(name, part)
    token = re.compile(pattern, re.VERBOSE)

    def cut_words(text: str, *, split_hyphens: bool = False) -> Cuts:
        """Where each word starts and ends."""
        cuts: Cuts = []
        add = cuts.append
        word_end = -1  # where the last token ended, if it was a word
        for match in token.finditer(text):
            start, end = match.span()
            if match.lastgroup == "word":
                word_end = end
                places = cut_places(match[0], split_hyphens) if cut_places is not None else ()
                if places:
                    cuts += pairwise((start, *(start + place for place in places), end))
                else:
                    add((start, end))
            elif start == word_end and match[0] == "." and is_short(text, *cuts[-1], len(cuts) == 1):
                cuts[-1] = (cuts[-1][0], end)
            else:
                add((start, end))
        return cuts

    def is_short(text: str, start: int, end: int, is_first: bool) -> bool:
        """Whether the period after a word belongs to it: to an abbreviation that does not end the text."""
        word, following = text[start:end], text[end + 1 : end + 2]
        if _INITIALS.fullmatch(word):
            return bool(following) or len(word) > 1
        if not following:
            return False
        if following in ",;:":
            return True
        if word.isdigit():
            is_item = is_first and following.isspace()  # 1. Introduction
            return is_item or (ordinals and _is_small(text, end + 1))
        small = word.lower()
        return (
            small in abbreviations.never_last
            or small in abbreviations.seldom_last
            or (small in abbreviations.numbered and _NUMBER.match(text, end + 1) is not None)
        )

    return cut_words


def _is_small(text: str, start: int) -> bool:
    """Whether white space and a word in lower case follow."""
    match = _SMALL.match(text, start)
    return match is not None and match[0][-1].islower()
