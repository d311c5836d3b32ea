"""How well a tokeniser agrees with a treebank: words are joined to text and cut again.

    python benchmarks/tokens.py id ../shared/treebanks/icon
    python benchmarks/tokens.py is ../shared/treebanks/greynir --split test

Punctuation is joined as it is written; Indonesian hyphens, slashes and ``-nya`` are joined to their words.
Prints recall, precision, the share of sentences that come out exactly, and the most frequent differences:
words of the treebank alone (-) and of the tokeniser alone (+).
"""

from __future__ import annotations

import argparse
from collections import Counter

from nccp.languages import tokenize
from nccp.treebanks import Cleaning, open_treebank

_CLOSING = frozenset([",", ".", "?", "!", ":", ";", ")", "]", "…", "..."])
_OPENING = frozenset(["(", "["])
_ALSO_CLOSING = {"id": frozenset({"nya", "%"})}
_JOINING = {"id": frozenset({"-", "/"})}


def join(words: list[str], language: str) -> str:
    """Words as running text."""
    closing = _CLOSING | _ALSO_CLOSING.get(language, frozenset())
    joining = _JOINING.get(language, frozenset())
    text, is_open, joined = "", False, True
    for word in words:
        is_quote = word == '"'
        ends = word in closing or word in joining or (is_quote and is_open)
        text += word if joined or ends else f" {word}"
        joined = word in _OPENING or word in joining or (is_quote and not is_open)
        is_open ^= is_quote
    return text


def places(words: list[str]) -> dict[tuple[int, int], str]:
    """Words by their places, white space left out."""
    found, start = {}, 0
    for word in words:
        found[start, start + len(word)] = word
        start += len(word)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("language")
    parser.add_argument("treebank")
    parser.add_argument("--split", default="dev")
    options = parser.parse_args()
    right = gold = cut = exact = sentences = 0
    differences: Counter[str] = Counter()
    bank = open_treebank(options.treebank)
    for entry in bank.read(options.split, cleaning=Cleaning(words="unescape")):
        words = entry.tree.leaves()
        tokens = tokenize(join(words, options.language), options.language)
        wanted, found = places(words), places([token.text for token in tokens])
        both = wanted.keys() & found.keys()
        right, gold, cut = right + len(both), gold + len(wanted), cut + len(found)
        sentences, exact = sentences + 1, exact + (wanted == found)
        differences.update(f"-{word}" for place, word in wanted.items() if place not in both)
        differences.update(f"+{word}" for place, word in found.items() if place not in both)
    print(f"recall {right / gold:.2%}, precision {right / cut:.2%}, sentences {exact / sentences:.2%}")
    print("  ".join(f"{word} {count}" for word, count in differences.most_common(30)))


if __name__ == "__main__":
    main()
