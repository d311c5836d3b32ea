"""What users may ask a parser to parse, in one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nccp.errors import InputError
from nccp.languages.sentences import Sentence
from nccp.languages.tokens import cut_words

Words = Sequence[str]
TaggedWords = Sequence[tuple[str, str | None]]
Parsable = str | Words | TaggedWords | Sentence
"""The raw text of one sentence, its words, its words with tags, or what `split_text` gives."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_SENTENCE = 4  # words; fewer in capitals may well be names


@dataclass(frozen=True, eq=False)
class Given:
    """The words of a sentence as the user has them, and what else is known of them."""

    words: Sequence[str]
    tags: Sequence[str | None] | None = None
    """Those that the user has decided; None or "" for a word whose tag is to be found."""
    offsets: Sequence[tuple[int, int]] | None = None
    """Where each word stands in the text, in characters."""

    def __len__(self) -> int:
        return len(self.words)

    def readable(self) -> Sequence[str]:
        """The words as a model shall read them.

        In valid Unicode, since an encoder's tokenizer takes nothing else; and those of a sentence that is ALL
        IN CAPITALS in lower case, in which every model knows them better.
        """
        words, text = self.words, "".join(self.words)
        if len(words) >= _SENTENCE and text.isupper():
            words = [word.lower() for word in words]
        if text.isascii() or not _SURROGATES.search(text):
            return words
        return [_SURROGATES.sub("\ufffd", word) for word in words]


def understand(sentence: Parsable, language: str, *, split_hyphens: bool = False) -> Given:
    """Whatever kind of sentence this is, its words."""
    if isinstance(sentence, str):
        cuts = cut_words(sentence, language, split_hyphens)
        return Given([sentence[start:end] for start, end in cuts], offsets=cuts)
    if isinstance(sentence, Sentence):
        tokens = sentence.tokens
        return Given([token.text for token in tokens], offsets=[(token.start, token.end) for token in tokens])
    if not isinstance(sentence, Iterable) or isinstance(sentence, (bytes, bytearray)):
        raise InputError(f"a sentence is a text, words, or (word, tag) pairs, not {_show(sentence)}")
    items: list[Any] = list(sentence)
    if all(isinstance(item, str) for item in items):
        return Given(items)
    pairs = [_pair(item) for item in items]
    return Given([word for word, _ in pairs], [tag for _, tag in pairs])


def _pair(item: Any) -> tuple[str, str | None]:
    if isinstance(item, str):
        return item, None
    if isinstance(item, (tuple, list)) and len(item) == 2:
        word, tag = item
        if isinstance(word, str) and (tag is None or isinstance(tag, str)):
            return word, tag or None
    raise InputError(f"a sentence holds words or (word, tag) pairs, not {_show(item)}")


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
