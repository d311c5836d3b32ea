"""One predicted tree against its gold tree, counted as EVALB counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import chain

from nccp.scoring.flat import Flat, flatten
from nccp.scoring.parameters import COLLINS, Pairs, Parameters
from nccp.scoring.quotes import repair_quotes
from nccp.trees import Tree

Bracket = tuple[tuple[int, int], str]  # ((start, end), label)


class Status(IntEnum):
    """EVALB's state of a sentence; only valid ones enter the totals."""

    VALID = 0
    ERROR = 1  # the two trees are not over the same words
    SKIP = 2  # the prediction has no words: a failed parse


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """The counts of one sentence: a row of EVALB's report."""

    length: int
    """Words of the gold tree, those of DELETE_LABEL_FOR_LENGTH apart."""
    status: Status = Status.VALID
    message: str = ""
    """What EVALB says of an error, e.g. ``Length unmatch (20|21)``."""
    words: int = 0
    """Words that were scored: without the deleted ones."""
    correct_tags: int = 0
    gold: int = 0
    """Brackets of the gold tree."""
    test: int = 0
    """Brackets of the predicted tree."""
    matched: int = 0
    crossing: int = 0
    """Predicted brackets that cross a gold one."""
    rescued: bool = False
    """Valid only because the gold tags decided which words are left out."""
    gold_labels: tuple[str, ...] = field(default=(), repr=False)
    test_labels: tuple[str, ...] = field(default=(), repr=False)
    missed: tuple[str, ...] = field(default=(), repr=False)
    """Labels of the gold brackets without a match."""
    extra: tuple[str, ...] = field(default=(), repr=False)
    """Labels of the predicted brackets without a match."""

    @property
    def complete(self) -> bool:
        """Whether every bracket matches."""
        return self.status is Status.VALID and self.gold == self.test == self.matched


def score_pair(
    gold: Tree | None, pred: Tree | None, parameters: Parameters = COLLINS, *, gold_deletion: bool = False
) -> SentenceScore:
    """Compare two trees over one sentence; None is a failed parse.

    ``gold_deletion``: where EVALB would give the sentence up because predicted tags make other words
    punctuation than gold tags do, the gold tags decide for both trees. Other sentences are not touched.
    """
    rules = _rules(parameters)
    gold_flat, test_flat = flatten(gold), flatten(pred)
    length = sum(tag not in parameters.delete_for_length for tag in gold_flat.tags)
    gold_counts, test_counts = rules.keep(gold_flat), rules.keep(test_flat)
    one, two = gold_flat.times(gold_counts), test_flat.times(test_counts)
    status, message = Status.VALID, ""
    if not two.words:
        status = Status.SKIP
    else:
        if len(one.words) != len(two.words) and parameters.quote_labels:
            repaired = repair_quotes(gold_flat, test_flat, gold_counts, test_counts, parameters)
            one, two = gold_flat.times(repaired[0]), test_flat.times(repaired[1])
        message = rules.difference(one.words, two.words)
        if message:
            status = Status.ERROR
    if status is Status.VALID:
        return _compare(one, two, length, rules)
    if gold_deletion and test_flat.words:
        decided = _gold_decides(gold_flat, test_flat, gold_counts, rules)
        if decided is not None and any(decided):
            one, two = gold_flat.times(gold_counts), test_flat.times(decided)
            return _compare(one, two, length, rules, rescued=True)
    return SentenceScore(length, status, message)


class _Labels(dict[str, str | None]):
    """From a constituent's label to what is compared: cut at ``-`` and ``=``; None if it is not counted."""

    def __init__(self, delete: Iterable[str], equal: Pairs) -> None:
        deleted = set(delete)
        # A bracket is also left out when its label *equals* a deleted one, unlike a tag
        self._delete = deleted | {two for one, two in equal if one in deleted}

    def __missing__(self, label: str) -> str | None:
        cut = re.split("[-=]", label, maxsplit=1)[0]
        self[label] = kept = None if cut in self._delete else cut
        return kept


class _Rules:
    """Parameters made ready for use."""

    def __init__(self, parameters: Parameters) -> None:
        self.labelled = parameters.labelled
        self.equal = _both_ways(parameters.equal_labels)
        self.equal_words = _both_ways(parameters.equal_words)
        self.delete = parameters.delete_labels
        self.delete_for_length = parameters.delete_for_length
        self.labels = _Labels(parameters.delete_labels, self.equal)

    def keep(self, flat: Flat) -> list[int]:
        """1 for a word that is scored, 0 for one that its tag deletes."""
        delete = self.delete
        return [0 if tag in delete else 1 for tag in flat.tags]

    def difference(self, gold: list[str], test: list[str]) -> str:
        """What keeps two sentences from being the same, in EVALB's words; empty if nothing does."""
        if gold == test:
            return ""
        if len(gold) != len(test):
            return f"Length unmatch ({len(gold)}|{len(test)})"
        for pair in zip(gold, test):
            if pair[0] != pair[1] and pair not in self.equal_words:
                return f"Words unmatch ({pair[0]}|{pair[1]})"
        return ""

    def brackets(self, flat: Flat) -> list[Bracket]:
        """What is compared: brackets over at least one word, with a label that is not deleted."""
        labels = self.labels
        return [
            ((start, end), cut)
            for start, end, label in zip(flat.starts, flat.ends, flat.labels)
            if start != end and (cut := labels[label]) is not None
        ]


@lru_cache(maxsize=16)
def _rules(parameters: Parameters) -> _Rules:
    return _Rules(parameters)


def _both_ways(pairs: Pairs) -> Pairs:
    return pairs | {(two, one) for one, two in pairs}


def _compare(one: Flat, two: Flat, length: int, rules: _Rules, rescued: bool = False) -> SentenceScore:
    equal = rules.equal
    if one.tags == two.tags:
        correct_tags = len(one.tags)
    else:
        correct_tags = sum(pair[0] == pair[1] or pair in equal for pair in zip(one.tags, two.tags))
    gold, test = rules.brackets(one), rules.brackets(two)
    missed, extra = _match(gold, test, rules)
    return SentenceScore(
        length=length,
        words=len(one.words),
        correct_tags=correct_tags,
        gold=len(gold),
        test=len(test),
        matched=len(gold) - len(missed),
        crossing=_crossing(gold, test, len(one.words)) if extra else 0,
        rescued=rescued,
        gold_labels=tuple([label for _, label in gold]),
        test_labels=tuple([label for _, label in test]),
        missed=tuple(missed),
        extra=tuple(extra),
    )


def _match(gold: list[Bracket], test: list[Bracket], rules: _Rules) -> tuple[list[str], list[str]]:
    """Labels of unmatched gold and test brackets; each gold one, parents first, takes the first that fits."""
    waiting: dict[tuple[int, int], list[str]] = {}
    for span, label in test:
        if span in waiting:
            waiting[span].append(label)
        else:
            waiting[span] = [label]
    equal, labelled = rules.equal, rules.labelled
    missed = []
    for span, label in gold:
        candidates = waiting.get(span, ())
        for place, candidate in enumerate(candidates):
            if candidate == label or not labelled or (label, candidate) in equal:
                del waiting[span][place]
                break
        else:
            missed.append(label)
    return missed, list(chain.from_iterable(waiting.values()))


def _crossing(gold: list[Bracket], test: list[Bracket], words: int) -> int:
    """How many test brackets cross a gold one.

    Gold brackets nest, so those with boundary b strictly inside form a chain; its innermost one has the
    latest start and the earliest end. A test bracket is crossed at its start s (or its end e) iff the
    innermost gold bracket around s ends before e (around e starts after s): no need to try every pair.
    """
    spans = {span for span, _ in gold}
    suspects = [span for span, _ in test if span not in spans]  # a gold span is crossed by no other
    if not suspects:
        return 0
    innermost = [(-1, words + 1)] * (words + 1)  # around each boundary
    for span, _ in gold:  # parents first
        start, end = span
        innermost[start + 1 : end] = [span] * (end - start - 1)
    return sum(innermost[start][1] < end or innermost[end][0] > start for start, end in suspects)


def _gold_decides(gold: Flat, test: Flat, gold_counts: list[int], rules: _Rules) -> list[int] | None:
    """Which words of ``test`` stay, by the gold tags; None if the two are not over the same words.

    Empty elements of the gold tree (deleted, and without length) may be missing from the prediction.
    """
    if not rules.difference(gold.words, test.words):
        return gold_counts
    empty = rules.delete & rules.delete_for_length
    full = [i for i, tag in enumerate(gold.tags) if tag not in empty]
    if rules.difference([gold.words[i] for i in full], test.words):
        return None
    return [gold_counts[i] for i in full]
