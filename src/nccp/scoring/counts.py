"""One predicted tree against its gold tree, counted as EVALB counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from nccp.scoring.flat import Flat, flatten
from nccp.scoring.matching import Bracket, Rules, crosses, innermost_brackets, pair_brackets, rules_of
from nccp.scoring.parameters import COLLINS, Parameters
from nccp.scoring.quotes import repair_quotes
from nccp.trees import Tree


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
    rules = rules_of(parameters)
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
        message = _difference(one.words, two.words, rules)
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


def _difference(gold: list[str], test: list[str], rules: Rules) -> str:
    """How two sentences differ, as EVALB words it; empty if they do not."""
    if gold == test:
        return ""
    if len(gold) != len(test):
        return f"Length unmatch ({len(gold)}|{len(test)})"
    for pair in zip(gold, test):
        if pair[0] != pair[1] and pair not in rules.equal_words:
            return f"Words unmatch ({pair[0]}|{pair[1]})"
    return ""


def _compare(one: Flat, two: Flat, length: int, rules: Rules, rescued: bool = False) -> SentenceScore:
    equal = rules.equal
    if one.tags == two.tags:
        correct_tags = len(one.tags)
    else:
        correct_tags = sum(pair[0] == pair[1] or pair in equal for pair in zip(one.tags, two.tags))
    gold, test = rules.brackets(one), rules.brackets(two)
    _, missed, extra = pair_brackets(gold, test, rules)
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
        missed=tuple([gold[place][1] for place in missed]),
        extra=tuple([test[place][1] for place in extra]),
    )


def _crossing(gold: list[Bracket], test: list[Bracket], words: int) -> int:
    """How many test brackets cross a gold one."""
    spans = {span for span, _ in gold}
    suspects = [span for span, _ in test if span not in spans]  # a gold span is crossed by no other
    if not suspects:
        return 0
    innermost = innermost_brackets((span for span, _ in gold), words)
    return sum(crosses(innermost, span) for span in suspects)


def _gold_decides(gold: Flat, test: Flat, gold_counts: list[int], rules: Rules) -> list[int] | None:
    """Which words of ``test`` stay, by the gold tags; None if the two are not over the same words.

    Empty elements of the gold tree (deleted, and without length) may be missing from the prediction.
    """
    if not _difference(gold.words, test.words, rules):
        return gold_counts
    empty = rules.delete & rules.delete_for_length
    full = [i for i, tag in enumerate(gold.tags) if tag not in empty]
    if _difference([gold.words[i] for i in full], test.words, rules):
        return None
    return [gold_counts[i] for i in full]
