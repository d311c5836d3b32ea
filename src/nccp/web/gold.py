"""Trees that are sent to the server: reading them, and comparing two over the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from nccp.decoding.nodes import walk
from nccp.errors import BracketError, InputError
from nccp.scoring import COLLINS, Constituent, SentenceScore, Status, Totals, match, score_pair
from nccp.scoring.flat import flatten
from nccp.scoring.score import harmonic, percent
from nccp.treebanks.cleaning import Cleaning, clean
from nccp.trees import Tree, TreeReader
from nccp.web.limits import Limits, Refused

Bracket = tuple[str, int, int]


class Item(NamedTuple):
    """A tree of a text as it is scored (without empty elements, functions and root), or why there is none."""

    tree: Tree | None
    error: str = ""


def read_items(text: str, limits: Limits, flat: tuple[str, ...] = ()) -> Iterator[Item]:
    """The trees of a text, and in their places what is wrong with the others.

    ``flat``: labels that are taken out, such as those that the model to compare with never gives.
    """
    reader, known = TreeReader([text], skip_bad=True), 0
    cleaning = Cleaning(flatten=flat)
    try:
        for tree in reader:
            yield from map(_unread, reader.errors[known:])
            known = len(reader.errors)
            yield _check(tree, reader, limits, cleaning)
    except InputError as error:  # such as a NUL: no text at all
        raise Refused(422, str(error).removeprefix("<text>:") + ".") from None
    yield from map(_unread, reader.errors[known:])


def read_all(text: str, limits: Limits, what: str, flat: tuple[str, ...] = ()) -> list[Tree]:
    """The trees of a text; the first that cannot be used is an error."""
    trees: list[Tree] = []
    for item in read_items(text, limits, flat):
        if item.tree is None:
            raise Refused(422, f"{what}: {item.error}.")
        trees.append(item.tree)
        if len(trees) > limits.sentences:
            raise Refused(413, f"{what}: more than {limits.sentences:,} trees.")
    if not trees:
        raise Refused(422, f"{what}: there is no tree here.")
    return trees


def _unread(error: BracketError) -> Item:
    return Item(None, f"line {error.line}: {error.what}")


def _check(tree: Tree, reader: TreeReader, limits: Limits, cleaning: Cleaning) -> Item:
    if tree.height() > limits.depth:
        return Item(None, f"line {reader.line}: the tree is more than {limits.depth:,} levels deep")
    cleaned = clean(tree, cleaning)
    if cleaned is None:
        return Item(None, f"line {reader.line}: the tree has no words")
    try:
        words = flatten(cleaned).words
    except InputError as error:
        return Item(None, f"line {reader.line}: {error}")
    counts = ((len(words), limits.words, "words"), (sum(map(len, words)), limits.letters, "characters"))
    for count, most, what in counts:
        if count > most:
            return Item(None, f"line {reader.line}: {count:,} {what}, and at most {most:,} are taken")
    return Item(cleaned) if words else Item(None, f"line {reader.line}: the tree has no words")


class Comparison(NamedTuple):
    """Two trees over one sentence, the left one taken for gold."""

    score: SentenceScore
    only_left: list[Bracket]
    only_right: list[Bracket]
    tags_wrong: list[int]

    def to_dict(self) -> dict[str, Any]:
        """All but the trees, in plain values."""
        return {"score": score_value(self.score), **{key: getattr(self, key) for key in self._fields[1:]}}


def compare(left: Tree, right: Tree) -> Comparison:
    """EVALB's score with Collins' parameters, and the brackets that only one of the two has.

    For the brackets the gold tags decide which words are punctuation, so that there is an answer also where
    EVALB would not score.
    """
    if left.leaves() != right.leaves():
        raise InputError("the two trees are not over the same words")
    found = match(left, right, COLLINS)
    wrong = [i for i, (one, two) in enumerate(zip(left.tags(), right.tags())) if one != two]
    return Comparison(
        score_pair(left, right, COLLINS),
        _brackets(left, found.gold.nodes, found.missed),
        _brackets(right, found.pred.nodes, found.extra),
        wrong,
    )


def score_value(one: SentenceScore) -> dict[str, Any]:
    """The figures of one sentence, in percent."""
    precision, recall = percent(one.matched, one.test), percent(one.matched, one.gold)
    message = "" if one.status is Status.VALID else one.message or "there is nothing but punctuation"
    return {
        "f1": round(harmonic(precision, recall), 4),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "exact": one.complete,
        "matched": one.matched,
        "gold": one.gold,
        "predicted": one.test,
        **({"message": message} if message else {}),
    }


def total_value(scores: Sequence[SentenceScore]) -> dict[str, Any]:
    """The figures of many, in percent."""
    total = Totals.of(scores)
    figures = {"f1": total.f1, "precision": total.precision, "recall": total.recall}
    made: dict[str, Any] = {key: round(value, 4) for key, value in figures.items()}
    return {**made, "exact": round(total.complete_match, 4), "sentences": total.sentences}


def _brackets(tree: Tree, found: Sequence[Constituent], places: Sequence[int]) -> list[Bracket]:
    """Where these constituents stand in the tree itself, punctuation counted."""
    nodes = walk(tree)
    numbers = (found[place].number for place in places)
    brackets = [(node.label(), start, end) for node, start, end in (nodes[number] for number in numbers)]
    return sorted(brackets, key=lambda bracket: (bracket[1], -bracket[2]))
