"""All errors of a model on a treebank, collected in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nccp.analysis.attachment import Attachments
from nccp.analysis.combination_order import Internals, count_internals
from nccp.analysis.errors import Errors, Fault, find_faults, ranked
from nccp.decoding import Parse
from nccp.evaluation import ConfidenceBin, by_confidence
from nccp.languages import known_language
from nccp.scoring import COLLINS, Matching, Parameters, Score, SentenceScore, as_dict, match, score_trees
from nccp.trees import Gaps, Tree, format_tree
from nccp.trees.draw import LayerGrid, forest_grid


@dataclass
class Tags:
    """Confused tags, and the words they were assigned to."""

    words: int = 0
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Gold and predicted tag."""
    examples: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)

    def add(self, gold: Tree, pred: Tree) -> None:
        """Count those of one more sentence."""
        for (word, tag), found in zip(gold.pos(), pred.tags()):
            self.words += 1
            if tag != found:
                self.wrong[tag, found] += 1
                self.examples.setdefault((tag, found), Counter())[word] += 1

    def to_dict(self, top: int = 10) -> dict[str, Any]:
        """For JSON."""
        return {
            "words": self.words,
            "wrong": self.wrong.total(),
            "confusions": [
                {"gold": gold, "predicted": pred, "count": count, "words": dict(self.most(gold, pred, 5))}
                for (gold, pred), count in ranked(self.wrong, top)
            ],
        }

    def most(self, gold: str, pred: str, top: int = 3) -> list[tuple[str, int]]:
        """The words that were most often given the one tag for the other."""
        return ranked(self.examples[gold, pred], top)


@dataclass(frozen=True)
class Sample:
    """A sentence to look at."""

    number: int
    """Among the sentences, from 1."""
    gold: Tree
    pred: Tree
    matching: Matching
    faults: list[Fault]
    score: SentenceScore
    confidence: float | None
    gaps: Gaps | None = None
    """The parse in compact form."""

    @property
    def forest(self) -> LayerGrid | None:
        """Of an invalid parse, the layers up to the one that repeats."""
        return None if self.gaps is None else forest_grid(self.gaps)

    @property
    def wrong(self) -> int:
        """Brackets that do not match, in both trees."""
        return len(self.faults)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "number": self.number,
            "words": len(self.gold.leaves()),
            "missed": len(self.matching.missed),
            "extra": len(self.matching.extra),
            "score": self.confidence,
            "gold": format_tree(self.gold),
            "predicted": format_tree(self.pred),
        }


@dataclass(frozen=True)
class Analysis:
    """The errors of a model. Brackets are matched as by EVALB; the gold tags decide what is punctuation."""

    model: str
    trees: str
    split: str | None
    parameters: Parameters
    seconds: float
    score: Score
    deciles: list[ConfidenceBin]
    errors: Errors
    attachments: Attachments
    tags: Tags
    joined: list[Sample]
    """Sentences for which the parser found no complete tree, so that the decoder joined the parts."""
    worst: list[Sample]
    """The sentences with the most wrong brackets among those short enough to be drawn."""
    internals: Internals | None
    """Of a binary model."""

    @property
    def speed(self) -> tuple[float, float]:
        """Sentences and words per second."""
        seconds = max(self.seconds, 1e-9)
        return len(self.score) / seconds, self.tags.words / seconds

    def to_dict(self, top: int = 20) -> dict[str, Any]:
        """For JSON."""
        sentences, words = self.speed
        return {
            "model": self.model,
            "trees": self.trees,
            "split": self.split,
            **as_dict(self.score, self.parameters, by_label=True, by_length=True),
            "by_score": [one.to_dict() for one in self.deciles],
            "errors": self.errors.to_dict(top),
            "attachments": self.attachments.to_dict(top),
            "tags": self.tags.to_dict(top),
            "joined": {
                "count": len(self.joined),
                "examples": [sample.to_dict() for sample in self.joined[:top]],
            },
            "worst": [sample.to_dict() for sample in self.worst],
            "internals": self.internals and self.internals.to_dict(top),
            "speed": {
                "seconds": round(self.seconds, 3),
                "sentences_per_second": round(sentences, 1),
                "words_per_second": round(words, 1),
            },
        }


def analyse(
    golds: Sequence[Tree],
    parses: Sequence[Parse],
    parameters: Parameters = COLLINS,
    *,
    binary: bool,
    seconds: float = 0.0,
    model: str = "",
    language: str = "en",
    trees: str = "",
    split: str | None = None,
    worst: int = 10,
    longest: int = 40,
) -> Analysis:
    """Compare parses, made with scores, with gold trees over the same words.

    ``worst``: how many of the worst sentences to keep, among those of at most ``longest`` words.
    """
    preds = [parse.tree for parse in parses]
    score = score_trees(golds, preds, parameters, gold_deletion=True)
    known = known_language(language)
    attachments = Attachments(by_end=known is not None and known.left_branching)
    errors, tags = Errors(), Tags()
    samples = []
    for number, (gold, pred, parse) in enumerate(zip(golds, preds, parses)):
        assert pred is not None  # gold trees have words
        matching = match(gold, pred, parameters)
        faults = find_faults(matching)
        errors.add(faults)
        attachments.add(matching)
        tags.add(gold, pred)
        one = score.sentences[number]
        samples.append(Sample(number + 1, gold, pred, matching, faults, one, parse.score, parse.gaps))
    drawable = [one for one in samples if one.wrong and len(one.gold.leaves()) <= longest]
    return Analysis(
        model=model,
        trees=trees,
        split=split,
        parameters=parameters,
        seconds=seconds,
        score=score,
        deciles=by_confidence(score, [parse.score or 0.0 for parse in parses]),
        errors=errors,
        attachments=attachments,
        tags=tags,
        joined=[sample for sample, parse in zip(samples, parses) if parse.joined],
        worst=sorted(drawable, key=lambda one: (-one.wrong, one.number))[:worst],
        internals=count_internals(parses) if binary else None,
    )
