from dataclasses import replace

from nccp.scoring import COLLINS, Status, score_pair
from nccp.trees import parse_tree

QUOTES = replace(COLLINS, quote_labels=frozenset({"``", "''", "POS", "NN", "CD", "VBZ", ":"}))
GOLD = "(S (NP (NNS dogs) (POS ')) (NN tail))"
PRED = "(S (NP (NNS dogs)) ('' ') (NN tail))"


def test_without_quote_labels_the_sentence_is_an_error() -> None:
    one = score_pair(parse_tree(GOLD), parse_tree(PRED))
    assert (one.status, one.message) == (Status.ERROR, "Length unmatch (3|2)")


def test_a_quote_deleted_from_the_prediction_comes_back() -> None:
    one = score_pair(parse_tree(GOLD), parse_tree(PRED), QUOTES)
    assert (one.status, one.words, one.correct_tags) == (Status.VALID, 3, 2)
    assert (one.gold, one.test, one.matched) == (2, 2, 1)  # NP is 0-2 in gold, 0-1 in the prediction


def test_a_quote_deleted_from_the_gold_tree_comes_back() -> None:
    one = score_pair(parse_tree(PRED), parse_tree(GOLD), QUOTES)
    assert (one.status, one.words, one.correct_tags, one.matched) == (Status.VALID, 3, 2, 1)


def test_other_words_stay_deleted() -> None:
    one = score_pair(parse_tree("(S (NN a) (POS 's))"), parse_tree("(S (NN a) ('' 's))"), QUOTES)
    assert one.message == "Length unmatch (2|1)"


def test_evalb_takes_a_quote_back_twice() -> None:
    """Seen with the C program: the first of two quotes fills both places, so here the words differ."""
    gold = parse_tree("(S ('' ') ('' \") (NN a))")
    pred = parse_tree("(S (POS ') (POS \") (NN a))")
    assert score_pair(gold, pred, QUOTES).message == "Words unmatch ('|\")"
