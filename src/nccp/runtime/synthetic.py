"""English of any length that belongs to nobody: for measuring, where there is no text at hand."""

from __future__ import annotations

import numpy as np

_GRAMMAR = {
    "S": "NP VP|NP VP|NP VP PP|PP , NP VP|SBAR , NP VP",
    "NP": "D N|D J N|D N PP|NP that VP|Q|Q|D N and D N",
    "VP": "VI|VT NP|VT NP PP|VS that S|M VB NP|was VBN by NP",
    "PP": "P NP",
    "SBAR": "C NP VP",
    "D": "the|a|this|every|its|their|some|no",
    "J": "old|small|quiet|early|northern|unlikely|well-known|second|public|3.5",
    "N": "river|teacher|market|engine|letter|winter|committee|question|harbour|minute|protein|bridge",
    "Q": "Maria|they|Tokyo|everyone|it|prices|she|water|we",
    "VI": "slept|fell|returned|arrived|spoke",
    "VT": "found|followed|measured|sold|repaired|ignored|reached|described",
    "VS": "said|believed|argued|showed",
    "M": "will|can|may|should|did",
    "VB": "find|follow|measure|sell|repair|reach",
    "VBN": "found|followed|measured|sold|described",
    "P": "in|of|with|under|after|near|without|for",
    "C": "because|although|when|if|while",
}
_RULES = {symbol: rules.split("|") for symbol, rules in _GRAMMAR.items()}
_DEEP = 6


def make_sentences(lengths: list[int], seed: int = 0) -> list[list[str]]:
    """Sentences of exactly these lengths."""
    rng = np.random.default_rng(seed)
    return [_sentence(length, rng) for length in lengths]


def typical_lengths(count: int, mean: float = 19, seed: int = 0) -> list[int]:
    """Lengths as those of newspaper sentences, which are seldom shorter than 3 or longer than 60 words."""
    drawn = np.random.default_rng(seed).gamma(3.0, mean / 3, count)
    return [max(2, round(length)) for length in drawn]


def _sentence(length: int, rng: np.random.Generator) -> list[str]:
    words = _grow(rng)
    while len(words) < length - 1:
        words += [",", "and", *_grow(rng)]
    return [*words[: max(length - 1, 1)], "."][:length]


def _grow(rng: np.random.Generator) -> list[str]:
    words: list[str] = []
    stack = [("S", 0)]
    while stack:
        symbol, depth = stack.pop()
        rules = _RULES.get(symbol)
        if rules is None:
            words.append(symbol)
            continue
        choice = rules[0] if depth > _DEEP else rules[rng.integers(len(rules))]
        stack += [(part, depth + 1) for part in reversed(choice.split())]
    return words
