"""Scores in the API: comparing two trees, and the rows of an opened file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nccp.decoding import Parse
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.nodes import walk
from nccp.errors import InputError
from nccp.scoring import COLLINS, Constituent, Score, SentenceScore, Status, Totals, match, score_pair
from nccp.scoring.score import BIN, harmonic, percent
from nccp.trees import Tree, format_tree, unescape_word
from nccp.web import responses
from nccp.web.batching import Result
from nccp.web.trees import Item

_TEXT = 80  # characters of a sentence that a row shows
_PART = 500  # rows at a time


class Pair(NamedTuple):
    """What differs between two trees over one sentence, the left one taken as gold."""

    score: SentenceScore
    only_left: list[tuple[str, int, int]]
    only_right: list[tuple[str, int, int]]
    tags_wrong: list[int]


def compare(left: Tree, right: Tree) -> Pair:
    """EVALB's score with Collins' parameters, and the brackets that only one of the two has.

    For the brackets the gold tags decide which words are punctuation, so that there is an answer even where
    EVALB would not score.
    """
    if left.leaves() != right.leaves():
        raise InputError("the two trees do not have the same words")
    found = match(left, right, COLLINS)
    return Pair(
        score_pair(left, right, COLLINS),
        _brackets(left, found.gold.nodes, found.missed),
        _brackets(right, found.pred.nodes, found.extra),
        [i for i, (one, two) in enumerate(zip(left.tags(), right.tags())) if one != two],
    )


def pair_score(one: SentenceScore) -> responses.PairScore:
    """The figures of one sentence."""
    precision, recall = percent(one.matched, one.test), percent(one.matched, one.gold)
    message = None if one.status is Status.VALID else one.message or "the sentence has only punctuation"
    return responses.PairScore(
        f1=round(harmonic(precision, recall), 4),
        precision=round(precision, 4),
        recall=round(recall, 4),
        exact=one.complete,
        matched=one.matched,
        gold=one.gold,
        predicted=one.test,
        message=message,
    )


def total_score(scores: Sequence[SentenceScore], joined: int | None = None) -> responses.Total:
    """The figures over many sentences."""
    total = Totals.of(scores)
    return responses.Total(
        sentences=total.sentences,
        f1=round(total.f1, 4),
        precision=round(total.precision, 4),
        recall=round(total.recall, 4),
        exact=round(total.complete_match, 4),
        joined=joined,
    )


def _brackets(tree: Tree, found: Sequence[Constituent], places: Sequence[int]) -> list[tuple[str, int, int]]:
    """The spans of these constituents in the tree itself, punctuation included."""
    nodes = walk(tree)
    chosen = (nodes[found[place].number] for place in places)
    brackets = [(node.label(), start, end) for node, start, end in chosen]
    return sorted(brackets, key=lambda bracket: (bracket[1], -bracket[2]))


class Rows:
    """A row for each tree, in order, built as parses come in, and a last one with the totals."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._next = 0
        self._scores: list[SentenceScore] = []
        self._joined = 0
        self.sentences = [InputSentence(item.tree.leaves()) for item in items if item.tree is not None]

    def listed(self) -> Iterator[list[responses.Row]]:
        """The rows without a model, some at a time."""
        for start in range(0, len(self._items), _PART):
            yield [self._row(index) for index in range(start, min(start + _PART, len(self._items)))]
        self._next = len(self._items)

    def scored(self, parses: Sequence[Result]) -> Iterator[responses.Row]:
        """The rows of the next parses."""
        for parse in parses:
            assert isinstance(parse, Parse)
            yield from self._unusable()
            gold, row = self._items[self._next].tree, self._row(self._next)
            self._next += 1
            score = score_pair(gold, parse.tree)
            self._scores.append(score)
            self._joined += parse.joined
            figures = pair_score(score)
            row.tree, row.f1, row.matched = parse.brackets(), figures.f1, figures.matched
            row.gold_brackets, row.predicted = figures.gold, figures.predicted
            row.score, row.joined = round(parse.score or 0.0, 6), parse.joined
            yield row

    def rest(self, scored: bool) -> Iterator[responses.Row | responses.Summary]:
        """What is left when all have been parsed: unusable trees at the end, and the totals."""
        yield from self._unusable()
        if scored:
            yield responses.Summary(
                total=total_score(self._scores, self._joined),
                bins=[
                    responses.LengthBin(low=low, high=high, sentences=part.sentences, f1=round(part.f1, 4))
                    for (low, high), part in Score(tuple(self._scores)).by_length().items()
                ],
            )
            return
        counts: dict[int, int] = {}
        for given in self.sentences:
            number = (len(given) - 1) // BIN
            counts[number] = counts.get(number, 0) + 1
        bins = [
            responses.LengthBin(low=number * BIN + 1, high=number * BIN + BIN, sentences=counts[number])
            for number in sorted(counts)
        ]
        yield responses.Summary(total=responses.Total(sentences=len(self.sentences)), bins=bins)

    def _unusable(self) -> Iterator[responses.Row]:
        while self._next < len(self._items) and self._items[self._next].tree is None:
            yield self._row(self._next)
            self._next += 1

    def _row(self, index: int) -> responses.Row:
        tree = self._items[index].tree
        if tree is None:
            return responses.Row(index=index, error=self._items[index].error)
        words = tree.leaves()
        return responses.Row(index=index, length=len(words), text=_beginning(words), gold=format_tree(tree))


def _beginning(words: Sequence[str]) -> str:
    text = " ".join(map(unescape_word, words[: _TEXT // 2 + 1]))
    return text if len(text) <= _TEXT else text[: _TEXT - 3].rstrip() + "..."
