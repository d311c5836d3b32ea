import pytest

from nccp.errors import InputError, TreeError
from nccp.scoring import LabelScore, Score, score_trees
from nccp.trees import Tree, parse_tree, parse_trees

GOLDS = parse_trees(
    """
    (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))))
    (S (NP (NN a)) (ADVP (RB b)))
    (S (NN a) (NN b))
    (S (NN a) (NN b))
    """
)
PREDS: list[Tree | None] = [
    parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (IN on)) (NP (DT a) (NN mat)))"),
    parse_tree("(S (NP (NN a)) (PRT (RP b)))"),
    parse_tree("(S (NN a))"),
    None,
]


def test_totals() -> None:
    total = score_trees(GOLDS, PREDS).total
    assert (total.sentences, total.errors, total.skipped, total.valid, total.rescued) == (4, 1, 1, 2, 0)
    assert (total.gold, total.test, total.matched, total.crossing) == (8, 7, 6, 1)
    assert (total.complete, total.words, total.correct_tags) == (1, 8, 7)


def test_figures() -> None:
    score = score_trees(GOLDS, PREDS)
    assert score.recall == 75.0
    assert score.precision == pytest.approx(600 / 7)
    assert score.f1 == pytest.approx(80.0)
    assert score.complete_match == 50.0
    assert score.tag_accuracy == 87.5
    assert score.average_crossing == 0.5
    assert (score.total.no_crossing, score.total.two_or_less_crossing) == (50.0, 100.0)


def test_nothing_scored_is_zero_everywhere() -> None:
    for score in (Score(), score_trees(GOLDS[:1], [None])):
        assert (score.f1, score.recall, score.precision, score.complete_match) == (0.0, 0.0, 0.0, 0.0)
        assert (score.tag_accuracy, score.average_crossing) == (0.0, 0.0)


def test_scores_add_up() -> None:
    whole = score_trees(GOLDS, PREDS)
    parts = [score_trees([gold], [pred]) for gold, pred in zip(GOLDS, PREDS)]
    assert sum(parts) == whole
    assert sum(parts[2:], parts[0] + parts[1]).total == whole.total
    assert len(whole) == 4


def test_scores_of_different_settings_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="different settings"):
        Score(cutoff=40) + Score(cutoff=70)
    with pytest.raises(TypeError):
        Score() + 1  # type: ignore[operator]


def test_scores_compare_by_f1() -> None:
    worse, better = score_trees(GOLDS[:1], PREDS[:1]), score_trees(GOLDS[1:2], PREDS[1:2])
    assert worse < better
    assert max(worse, better) is better


def test_the_short_section() -> None:
    score = score_trees(GOLDS, PREDS)
    short = Score(score.sentences, cutoff=2).short
    assert (short.sentences, short.gold, short.matched, short.valid) == (3, 3, 3, 1)


def test_by_length() -> None:
    long = parse_tree("(S " + "(NN a) " * 11 + ")")
    bins = score_trees([*GOLDS, long], [*PREDS, long]).by_length()
    assert list(bins) == [(1, 10), (11, 20)]
    assert (bins[1, 10].sentences, bins[1, 10].matched) == (4, 6)
    assert (bins[11, 20].sentences, bins[11, 20].f1) == (1, 100.0)
    ten = parse_tree("(S " + "(NN a) " * 10 + ")")
    assert list(score_trees([ten], [ten]).by_length()) == [(1, 10)]


def test_by_label() -> None:
    labels = score_trees(GOLDS, PREDS).by_label()
    assert labels == {
        "NP": LabelScore(gold=3, test=3, recalled=3, confirmed=3),
        "S": LabelScore(gold=2, test=2, recalled=2, confirmed=2),
        "VP": LabelScore(gold=1, test=1, recalled=0, confirmed=0),
        "ADVP": LabelScore(gold=1, test=0, recalled=1, confirmed=0),
        "PP": LabelScore(gold=1, test=0, recalled=0, confirmed=0),
        "PRT": LabelScore(gold=0, test=1, recalled=0, confirmed=1),
    }
    assert list(labels) == ["NP", "S", "VP", "ADVP", "PP", "PRT"]
    assert (labels["NP"].f1, labels["VP"].f1, labels["ADVP"].recall, labels["PRT"].precision) == (
        100,
        0,
        100,
        100,
    )


@pytest.mark.parametrize(("golds", "preds"), [(4, 2), (1, 4), (0, 1)])
def test_different_numbers_of_trees_are_an_error(golds: int, preds: int) -> None:
    with pytest.raises(InputError, match=f"^{golds} gold trees but {preds} predicted trees$"):
        score_trees(iter(GOLDS[:golds]), iter(PREDS[:preds]))


def test_a_tree_that_cannot_be_scored_is_named() -> None:
    with pytest.raises(TreeError, match=r"^sentence 2: the word 'b' has no tag of its own"):
        score_trees(GOLDS[:2], [PREDS[0], Tree("S", [Tree("NN", ["a"]), "b"])])
