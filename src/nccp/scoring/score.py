"""Scores of many sentences: values that add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any

from nccp.errors import InputError, TreeError
from nccp.scoring.counts import SentenceScore, Status, score_pair
from nccp.scoring.parameters import COLLINS, Parameters
from nccp.trees import Tree

BIN = 10  # words


def percent(part: int, whole: int) -> float:
    """In EVALB's order of operations, so that the last digit is rounded the same way."""
    return 100.0 * part / whole if whole else 0.0


def harmonic(precision: float, recall: float) -> float:
    """F1, in EVALB's order of operations; 0 where EVALB divides by zero."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts summed over sentences, and the figures made of them (in percent)."""

    sentences: int
    errors: int
    skipped: int
    rescued: int
    """Valid only because gold tags decided deletion."""
    gold: int
    test: int
    matched: int
    complete: int
    """Sentences with every bracket right."""
    words: int
    correct_tags: int
    crossing: int
    without_crossing: int
    """Sentences without a crossing bracket."""
    few_crossing: int
    """Sentences with two crossing brackets or fewer."""

    @classmethod
    def of(cls, sentences: Iterable[SentenceScore]) -> Totals:
        """The sum over sentences."""
        sentences = list(sentences)
        valid = [one for one in sentences if one.status is Status.VALID]
        return cls(
            sentences=len(sentences),
            errors=sum(one.status is Status.ERROR for one in sentences),
            skipped=sum(one.status is Status.SKIP for one in sentences),
            rescued=sum(one.rescued for one in valid),
            gold=sum(one.gold for one in valid),
            test=sum(one.test for one in valid),
            matched=sum(one.matched for one in valid),
            complete=sum(one.complete for one in valid),
            words=sum(one.words for one in valid),
            correct_tags=sum(one.correct_tags for one in valid),
            crossing=sum(one.crossing for one in valid),
            without_crossing=sum(one.crossing == 0 for one in valid),
            few_crossing=sum(one.crossing <= 2 for one in valid),
        )

    @property
    def valid(self) -> int:
        """Sentences that were scored."""
        return self.sentences - self.errors - self.skipped

    @property
    def recall(self) -> float:
        """Gold brackets that were predicted."""
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        """Predicted brackets that are gold."""
        return percent(self.matched, self.test)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return harmonic(self.precision, self.recall)

    @property
    def precision_minus_recall(self) -> float:
        """Above 0, too few brackets are predicted; below 0, too many (paper, Table "dev_score")."""
        return self.precision - self.recall

    @property
    def complete_match(self) -> float:
        """Sentences with every bracket right."""
        return percent(self.complete, self.valid)

    @property
    def average_crossing(self) -> float:
        """Crossing brackets per sentence (not in percent)."""
        return self.crossing / self.valid if self.valid else 0.0

    @property
    def no_crossing(self) -> float:
        """Sentences without a crossing bracket."""
        return percent(self.without_crossing, self.valid)

    @property
    def two_or_less_crossing(self) -> float:
        """Sentences with two crossing brackets or fewer."""
        return percent(self.few_crossing, self.valid)

    @property
    def tag_accuracy(self) -> float:
        """Words with the gold tag."""
        return percent(self.correct_tags, self.words)


@dataclass(frozen=True, slots=True)
class LabelScore:
    """The brackets of one label. Under EQ_LABEL the matching bracket may have another label."""

    gold: int
    test: int
    recalled: int
    """Gold brackets with a match."""
    confirmed: int
    """Predicted brackets with a match."""

    @property
    def recall(self) -> float:
        """In percent."""
        return percent(self.recalled, self.gold)

    @property
    def precision(self) -> float:
        """In percent."""
        return percent(self.confirmed, self.test)

    @property
    def f1(self) -> float:
        """In percent."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True)
class Score:
    """The score of sentences in order; every figure follows from these.

    ``a + b`` is the score of all sentences of both, so that shards and batches add up: ``sum(scores)``.
    ``a < b`` says that b has the higher F1.
    """

    sentences: tuple[SentenceScore, ...] = ()
    cutoff: int = COLLINS.cutoff
    gold_deletion: bool = False
    """Whether gold tags were to decide deletion where predicted ones made an error of a sentence."""

    def __add__(self, other: Score) -> Score:
        if not isinstance(other, Score):
            return NotImplemented
        if (self.cutoff, self.gold_deletion) != (other.cutoff, other.gold_deletion):
            raise ValueError(f"scores made with different settings do not add up: {self!r}, {other!r}")
        return Score(self.sentences + other.sentences, self.cutoff, self.gold_deletion)

    def __radd__(self, start: int) -> Score:
        return self if start == 0 else NotImplemented  # sum() starts at 0

    def __lt__(self, other: Score) -> bool:
        return self.f1 < other.f1 if isinstance(other, Score) else NotImplemented

    def __len__(self) -> int:
        return len(self.sentences)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return (
            f"Score(f1={self.f1:.2f}, recall={self.recall:.2f}, precision={self.precision:.2f}, "
            f"sentences={len(self)}, cutoff={self.cutoff}, gold_deletion={self.gold_deletion})"
        )

    @cached_property
    def total(self) -> Totals:
        """Over all sentences."""
        return Totals.of(self.sentences)

    @cached_property
    def short(self) -> Totals:
        """Over sentences of at most ``cutoff`` words."""
        return Totals.of(one for one in self.sentences if one.length <= self.cutoff)

    @property
    def recall(self) -> float:
        """Gold brackets that were predicted, in percent."""
        return self.total.recall

    @property
    def precision(self) -> float:
        """Predicted brackets that are gold, in percent."""
        return self.total.precision

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in percent."""
        return self.total.f1

    @property
    def complete_match(self) -> float:
        """Sentences with every bracket right, in percent."""
        return self.total.complete_match

    @property
    def tag_accuracy(self) -> float:
        """Words with the gold tag, in percent."""
        return self.total.tag_accuracy

    @property
    def average_crossing(self) -> float:
        """Crossing brackets per sentence."""
        return self.total.average_crossing

    def by_length(self) -> dict[tuple[int, int], Totals]:
        """Totals by length in bins of ten words, ``(1, 10)``, ``(11, 20)``, ...; empty bins left out."""
        bins: dict[int, list[SentenceScore]] = {}
        for one in self.sentences:
            bins.setdefault(max(one.length - 1, 0) // BIN, []).append(one)
        return {(k * BIN + 1, k * BIN + BIN): Totals.of(bins[k]) for k in sorted(bins)}

    def by_label(self) -> dict[str, LabelScore]:
        """Brackets by label, the most frequent first."""
        gold, test, missed, extra = (
            Counter(chain.from_iterable(getattr(one, name) for one in self.sentences))
            for name in ("gold_labels", "test_labels", "missed", "extra")
        )
        labels = sorted(gold | test, key=lambda label: (-gold[label], -test[label], label))
        return {
            label: LabelScore(
                gold[label], test[label], gold[label] - missed[label], test[label] - extra[label]
            )
            for label in labels
        }


_MISSING: Any = object()


def score_trees(
    golds: Iterable[Tree | None],
    preds: Iterable[Tree | None],
    parameters: Parameters = COLLINS,
    *,
    gold_deletion: bool = False,
) -> Score:
    """Score predicted trees against gold ones, pair by pair; None is a failed parse.

    See `score_pair` for ``gold_deletion``. As many predicted trees as gold ones are needed.
    """
    sentences: list[SentenceScore] = []
    unpaired_golds = unpaired_preds = 0
    for gold, pred in zip_longest(golds, preds, fillvalue=_MISSING):
        if pred is _MISSING:
            unpaired_golds += 1
        elif gold is _MISSING:
            unpaired_preds += 1
        else:
            try:
                sentences.append(score_pair(gold, pred, parameters, gold_deletion=gold_deletion))
            except TreeError as error:
                raise TreeError(f"sentence {len(sentences) + 1}: {error}") from None
    if unpaired_golds or unpaired_preds:
        paired = len(sentences)
        raise InputError(
            f"{paired + unpaired_golds} gold trees but {paired + unpaired_preds} predicted trees"
        )
    return Score(tuple(sentences), parameters.cutoff, gold_deletion)
