"""What nccp knows about a language, in one object.

Adding a language means writing a package beside ``english/`` that makes such an object, and one line in
`nccp.languages.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Cuts = list[tuple[int, int]]
"""Words as ``(start, end)``, in order, without overlap."""

EndFinder = Callable[[str, int, int], int]
"""``find_end(text, start, stop)``: where the sentence from ``start`` ends, not after ``stop``; or -1."""

HeadFinder = Callable[[str, Sequence[str]], "int | None"]
"""``find_head(parent, children)``: the head's place among the children's labels and tags; None if no rule
applies. Punctuation is left out of the children."""


class Tokenizer(Protocol):
    """Cuts a sentence into words. Every character that is no white space is in exactly one word."""

    def __call__(self, text: str, *, split_hyphens: bool = False) -> Cuts:
        """``split_hyphens``: cut words at hyphens, where the language's treebanks differ in this."""


@dataclass(frozen=True, eq=False)
class Language:
    """A language. All fields after ``find_end`` have defaults that suit a language without further rules."""

    code: str
    """ISO 639-1, such as "en"."""
    name: str
    """In English, such as "English"."""
    cut_words: Tokenizer
    find_end: EndFinder
    spaced: bool = True
    """Whether words are separated by spaces in writing."""
    scripts: tuple[str, ...] = ("Latin",)
    """Unicode scripts it is written in, the most characteristic first."""
    left_branching: bool = False
    """Whether phrases mostly end with their head, as in Japanese."""
    determiners: frozenset[str] = frozenset()
    """Labels and tags of determiners in its treebanks."""
    conjunctions: frozenset[str] = frozenset()
    """Labels and tags of coordinating conjunctions in its treebanks."""
    find_head: HeadFinder | None = None
    """Head rules; None: the first child of a phrase is its head, or the last one if ``left_branching``."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the labels of its treebanks mean."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What the part-of-speech tags of its treebanks mean."""

    examples: tuple[str, ...] = ()
    """Sentences or short texts to try a model with."""

    def join(self, words: Sequence[str]) -> str:
        """Words as running text."""
        return (" " if self.spaced else "").join(words)

    def to_dict(self) -> dict[str, Any]:
        """What a page needs to show text of this language, in plain values."""
        return {
            "code": self.code,
            "name": self.name,
            "spaced": self.spaced,
            "scripts": list(self.scripts),
            "examples": list(self.examples),
        }
