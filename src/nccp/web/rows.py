"""The rows of a file of trees: one each, in order, and a last one with the totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nccp.decoding.input_sentence import Given
from nccp.decoding.trace import Trace
from nccp.scoring import Score, SentenceScore, score_pair
from nccp.scoring.score import BIN
from nccp.trees import format_tree, unescape_word
from nccp.web.gold import Item, score_value, total_value

_TEXT = 80  # characters that a row shows of its sentence
_PART = 500  # rows at a time


class Rows:
    """Built as parses come in. Trees that cannot be used have rows, too, but no sentence to parse."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._next = 0
        self._scores: list[SentenceScore] = []
        self._joined = 0
        self._model = False
        self.sentences = [Given(item.tree.leaves()) for item in items if item.tree is not None]

    def listed(self) -> Iterator[list[dict[str, Any]]]:
        """The rows without a model, some at a time."""
        while self._next < len(self._items):
            end = min(self._next + _PART, len(self._items))
            rows = [self._row(index) for index in range(self._next, end)]
            self._next = end
            yield rows

    def scored(self, traces: Sequence[Trace]) -> Iterator[dict[str, Any]]:
        """The rows of the next parses."""
        self._model = True
        for trace in traces:
            yield from self._unusable()
            gold, parse = self._items[self._next].tree, trace.parse
            score = score_pair(gold, parse.tree)
            self._scores.append(score)
            self._joined += parse.joined
            figures = score_value(score)
            yield {
                **self._row(self._next),
                "tree": parse.brackets(),
                "f1": figures["f1"],
                "matched": figures["matched"],
                "gold_brackets": figures["gold"],
                "predicted": figures["predicted"],
                "score": round(parse.score or 0.0, 6),
                "joined": parse.joined,
            }
            self._next += 1

    def rest(self) -> Iterator[dict[str, Any]]:
        """What is left when all has been parsed: unusable trees at the end, and the totals."""
        yield from self._unusable()
        if self._model:
            bins = [
                {"from": low, "to": high, "sentences": part.sentences, "f1": round(part.f1, 4)}
                for (low, high), part in Score(tuple(self._scores)).by_length().items()
            ]
            yield {"total": {**total_value(self._scores), "joined": self._joined}, "bins": bins}
            return
        counts: dict[int, int] = {}
        for given in self.sentences:
            number = (len(given) - 1) // BIN
            counts[number] = counts.get(number, 0) + 1
        bins = [
            {"from": number * BIN + 1, "to": number * BIN + BIN, "sentences": counts[number]}
            for number in sorted(counts)
        ]
        yield {"total": {"sentences": len(self.sentences)}, "bins": bins}

    def _unusable(self) -> Iterator[dict[str, Any]]:
        while self._next < len(self._items) and self._items[self._next].tree is None:
            yield self._row(self._next)
            self._next += 1

    def _row(self, index: int) -> dict[str, Any]:
        tree = self._items[index].tree
        if tree is None:
            return {"index": index, "error": self._items[index].error}
        words = tree.leaves()
        return {"index": index, "length": len(words), "text": _beginning(words), "gold": format_tree(tree)}


def _beginning(words: Sequence[str]) -> str:
    text = " ".join(map(unescape_word, words[: _TEXT // 2 + 1]))
    return text if len(text) <= _TEXT else text[: _TEXT - 3].rstrip() + "..."
