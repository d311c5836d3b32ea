"""Where sentences end in languages that use the Latin alphabet and put spaces between words.

A sentence ends at ``. ! ? …`` (with closing quotes and brackets) before white space, unless the next word is
in lower case or the period belongs to an abbreviation; at a blank line; and before an item of a list. A
single line break is a space: lines of plain text are often folded.
"""

from __future__ import annotations

import re

from nccp.languages.abbreviations import Abbreviations
from nccp.languages.language import EndFinder

_REACH = 300
_MARK = re.compile(
    r"""
      (?P<break> \n[^\S\n]{0,99}\n | [\f\u2028\u2029] | (?<!\s)\s{200}
               | \n(?=[ \t]{0,20}(?:[-*•‣▪◦]|\d{1,3}[.)])[ \t]) )
    | (?=(?P<mark> [.!?…‼⁇⁈⁉。！？]{1,50}))(?P=mark)  # taken whole: no shorter run is tried
      (?P<close> (?:["'“”’)\]}»]|\[\d{1,4}\]){0,5}) (?=\s|\Z)
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"\s{1,199}[\"'“„‘‚`«(\[{¿¡*_]{0,5}((?:[^\W_]|['’.&-](?=\w)){0,40})(.?)", re.DOTALL)
_WORD = re.compile(r"[^\s()\[\]{}\"“”„‘/—–…!?-]*\Z")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")


def latin_end_finder(abbreviations: Abbreviations) -> EndFinder:
    """What finds the ends of sentences in a language with these abbreviations."""

    def find_end(text: str, start: int, stop: int) -> int:
        """Where the sentence that starts at ``start`` ends, if not after ``stop``; else -1."""
        for match in _MARK.finditer(text, start, min(len(text), stop + _REACH)):
            end = match.start() if match["break"] else match.end()
            if end > stop:
                return -1
            if match["break"] or _is_end(text, start, match, abbreviations):
                return end
        return -1

    return find_end


def _is_end(text: str, start: int, match: re.Match[str], short: Abbreviations) -> bool:
    """Whether a sentence ends at a mark that white space follows."""
    following = _NEXT.match(text, match.end())
    if following is None or not (following[1] or following[2]):
        return True
    word, other = following.groups()
    if not word:  # something that is no word
        return other not in ",;:)]}&/=<>–—-"
    if word[0].islower():
        return False
    if match["mark"] != "." or match["close"]:
        return True
    before = _WORD.search(text[max(start, match.start() - 40) : match.start()])
    last = before[0].lstrip("'’") if before else ""
    small = last.lower()
    if small in short.never_last or (small in short.numbered and any(letter.isdigit() for letter in word)):
        return False
    if small in short.seldom_last or _INITIALS.fullmatch(last):
        return word.lower() in short.starters
    is_number = len(last) < 4 and last.isdigit() and match.start() - start == len(last)  # 1. Introduction
    return not is_number
