"""The input of a parser: the kinds of sentences that users may pass, in one form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nccp.characters import replace_surrogates
from nccp.errors import InputError
from nccp.languages import Sentence, Token, tokenize

Words = Sequence[str]
TaggedWords = Sequence[tuple[str, str | None]]
Parsable = str | Words | TaggedWords | Sentence
"""The raw text of one sentence, its words, its words with tags, or a sentence of `Parser.split`."""

_SENTENCE = 4  # words; fewer in capitals may well be names
_LONG, _END = 1000, 500  # characters of a word


@dataclass(frozen=True, eq=False)
class InputSentence:
    """The words of a sentence as the user has them, and what else is known of them."""

    words: Sequence[str]
    tags: Sequence[str | None] | None = None
    """The tags that the user has decided; None or "" for a word whose tag is to be predicted."""
    offsets: Sequence[tuple[int, int]] | None = None
    """Where each word stands in the text, in characters."""
    text: str | None = None
    """The sentence as raw text, if it came as such."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def letters(self) -> int:
        """About how many characters it has in memory."""
        return sum(map(len, self.words)) if self.text is None else len(self.text)

    def readable(self) -> Sequence[str]:
        """The words as a model reads them.

        In valid Unicode, since an encoder's tokenizer accepts nothing else; and those of a sentence that is
        ALL IN CAPITALS in lower case, in which every model knows them better. Of a word that is too long to
        be one, only both ends are read.
        """
        words, text = self.words, "".join(self.words)
        if len(text) > _LONG and any(len(word) > _LONG for word in words):
            words = [word if len(word) <= _LONG else word[:_END] + word[-_END:] for word in words]
            text = "".join(words)
        if len(words) >= _SENTENCE and text.isupper():
            words = [word.lower() for word in words]
        return words if text.isascii() else [replace_surrogates(word) for word in words]


def prepare(sentence: Parsable, language: str, *, split_hyphens: bool = False) -> InputSentence:
    """A sentence of any kind as words."""
    if isinstance(sentence, str):
        return _from_tokens(sentence, tokenize(sentence, language, split_hyphens=split_hyphens))
    if isinstance(sentence, Sentence):
        return _from_tokens(sentence.text, sentence.tokens)
    if not isinstance(sentence, Iterable) or isinstance(sentence, (bytes, bytearray)):
        raise InputError(f"a sentence is a text, words, or (word, tag) pairs, not {_show(sentence)}")
    items: list[Any] = list(sentence)
    if all(isinstance(item, str) for item in items):
        return InputSentence(items)
    pairs = [_pair(item) for item in items]
    return InputSentence([word for word, _ in pairs], [tag for _, tag in pairs])


def _from_tokens(text: str, tokens: Sequence[Token]) -> InputSentence:
    offsets = [(token.start, token.end) for token in tokens]
    return InputSentence([token.text for token in tokens], offsets=offsets, text=text)


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
