"""EVALB's repair of lone quotes.

An apostrophe is a word when it is a possessive and punctuation when it closes a quotation. If one tree has
it as the one and the other as the other, only one side loses it to DELETE_LABEL, and the sentence is lost to
"Length unmatch". Newer versions of EVALB take the lost one back where both stand at the same place.
"""

from __future__ import annotations

from itertools import accumulate

from nccp.scoring.flat import Flat
from nccp.scoring.parameters import Parameters

_QUOTES = frozenset({"'", '"', "/"})


def repair_quotes(
    gold: Flat, test: Flat, gold_counts: list[int], test_counts: list[int], parameters: Parameters
) -> tuple[list[int], list[int]]:
    """How often each word stands in the sentence after the repair; the counts given are those before it.

    EVALB finds a quote by the number of words kept before it, and moves this number on, behind a quote it
    has taken back, for that quote itself too. The same quote can thus be found, and taken back, once more.
    """
    delete = parameters.delete_labels
    gold_counts, test_counts = list(gold_counts), list(test_counts)
    gold_quotes = _quotes(gold, parameters)
    test_quotes = _quotes(test, parameters)
    gold_places = _places(gold_quotes, gold_counts)
    test_places = _places(test_quotes, test_counts)
    for i, in_test in enumerate(test_quotes):
        test_tag, place = test.tags[in_test], test_places[i]
        for j, in_gold in enumerate(gold_quotes):
            gold_tag = gold.tags[in_gold]
            if gold_places[j] != place or (gold_tag in delete) == (test_tag in delete):
                continue
            if gold_tag in delete:
                gold_counts[in_gold] += 1
                gold_places[j:] = [later + 1 for later in gold_places[j:]]
            else:
                test_counts[in_test] += 1
                test_places[i:] = [later + 1 for later in test_places[i:]]
    return gold_counts, test_counts


def _quotes(flat: Flat, parameters: Parameters) -> list[int]:
    labels = parameters.quote_labels
    return [
        i for i, (word, tag) in enumerate(zip(flat.words, flat.tags)) if word in _QUOTES and tag in labels
    ]


def _places(quotes: list[int], counts: list[int]) -> list[int]:
    """Of each quote, the number of words kept before it."""
    before = list(accumulate(counts, initial=0))
    return [before[quote] for quote in quotes]
