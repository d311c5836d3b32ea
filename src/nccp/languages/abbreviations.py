"""Abbreviations that end in a period, by what may follow them: what tokenisers and sentence ends go by."""

from __future__ import annotations

from dataclasses import dataclass


def words(text: str) -> frozenset[str]:
    """The words of a list as a set."""
    return frozenset(text.split())


@dataclass(frozen=True)
class Abbreviations:
    """The abbreviations of a language, in lower case and without the last period.

    Words of one letter and those of single letters with periods between them (``U.S.``, ``p.m.``) need no
    list.
    """

    never_last: frozenset[str]
    """A name or a remark follows: ``Mr. Smith``."""
    numbered: frozenset[str]
    """An abbreviation before a number only: ``No. 5``, but ``no.`` at the end of a sentence."""
    seldom_last: frozenset[str]
    """A sentence ends here only if what follows is a word that often starts one."""
    starters: frozenset[str]
    """Words that, written with a capital, most likely start a sentence."""
