"""Numbers in these tests were counted by hand, or by trying every pair of brackets."""

from dataclasses import replace
from random import Random

import pytest

from nccp.scoring import BUILT_IN, COLLINS, Parameters, SentenceScore, Status, score_pair
from nccp.trees import Tree, parse_tree

GOLD = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .)))"
PRED = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat) (RP on)) (NP (DT a) (NN mat)) (. .)))"


def score(gold: str, pred: str, parameters: Parameters = COLLINS, **options: bool) -> SentenceScore:
    return score_pair(parse_tree(gold), parse_tree(pred), parameters, **options)


def test_counts() -> None:
    one = score(GOLD, PRED)
    assert (one.status, one.message, one.length, one.words, one.correct_tags) == (Status.VALID, "", 7, 6, 5)
    assert (one.gold, one.test, one.matched) == (5, 4, 3)  # S, NP, NP
    assert one.crossing == 1  # VP 2-4 against PP 3-6
    assert one.gold_labels == ("S", "NP", "VP", "PP", "NP")
    assert one.test_labels == ("S", "NP", "VP", "NP")
    assert (one.missed, one.extra, one.complete) == (("VP", "PP"), ("VP",), False)


def test_a_tree_against_itself_is_complete() -> None:
    one = score(GOLD, GOLD)
    assert one.complete
    assert (one.matched, one.crossing, one.missed, one.extra) == (5, 0, (), ())


def test_punctuation_counts_where_kept() -> None:
    one = score(GOLD, PRED, BUILT_IN["keep-punct"])
    assert (one.words, one.correct_tags, one.gold, one.test, one.matched) == (7, 6, 5, 4, 3)


@pytest.mark.parametrize(
    ("gold", "pred", "matched"),
    [
        ("(NP-SBJ-1 (NN a) (NN b))", "(NP=2 (NN a) (NN b))", 1),  # cut at - and =
        ("(ADVP (RB a))", "(PRT (RP a))", 1),  # EQ_LABEL
        ("(NP (NP (NN a)))", "(NP (NN a))", 1),  # each bracket matches once
        ("(A (B (NN a)))", "(B (A (NN a)))", 2),  # order in a chain does not matter
        ("(S (NP (NN a)) (: :))", "(S (NP (NN a) (: :)))", 2),  # spans without punctuation
    ],
)
def test_matching(gold: str, pred: str, matched: int) -> None:
    assert score(gold, pred).matched == matched


def test_unlabelled() -> None:
    one = score(
        "(S (NP (NN a) (NN b)) (NN c))", "(X (Y (NN a) (NN b)) (NN c))", replace(COLLINS, labelled=False)
    )
    assert (one.gold, one.test, one.matched) == (2, 2, 2)


def test_equal_labels_are_not_transitive_and_the_first_fit_is_taken() -> None:
    chained = Parameters(equal_labels=frozenset({("A", "B"), ("B", "C")}))
    assert score("(A (NN a))", "(C (NN a))", chained).matched == 0
    # gold B takes A, the first that fits, and leaves nothing for gold A but C
    assert score("(B (A (NN a)))", "(A (C (NN a)))", chained).matched == 1


def test_tags_are_compared_whole_but_for_equal_labels() -> None:
    one = score("(S (NN-X a) (ADVP b) (DT c))", "(S (NN-Y a) (PRT b) (DT c))")
    assert (one.words, one.correct_tags) == (3, 2)


def test_a_bracket_goes_with_a_deleted_label_or_its_equal_a_word_only_with_its_own() -> None:
    parameters = replace(COLLINS, delete_labels=frozenset({"PRT"}))
    one = score("(S (ADVP (RB a)) (ADVP b))", "(S (PRT-1 (RB a)) (ADVP b))", parameters)
    assert (one.gold, one.test, one.words) == (1, 1, 2)


def test_constituents_without_words_do_not_count() -> None:
    one = score("(S (NP (-NONE- *)) (NP (NN a)) (X))", "(S (NP (NN a)) (NP (, ,)))")
    assert (one.length, one.words, one.gold, one.test, one.matched) == (1, 1, 2, 2, 2)


def test_the_unnamed_root_counts_as_in_evalb() -> None:
    one = score("( (S (NN a)))", "(TOP (S (NN a)))")
    assert (one.gold, one.test, one.matched) == (2, 1, 1)


def test_length_leaves_out_what_the_parameters_say() -> None:
    assert score("(S (-NONE- *) (NN a) (. .))", "(S (NN a))").length == 2


def test_errors_and_skips() -> None:
    one = score("(S (NN a) (NN b))", "(S (NN a))")
    assert one == SentenceScore(2, Status.ERROR, "Length unmatch (2|1)")
    assert score("(S (NN a) (NN b))", "(S (NN a) (NN c))").message == "Words unmatch (b|c)"
    assert score("(S (NN a))", "(S (. a))").status is Status.SKIP
    assert score_pair(parse_tree("(S (NN a))"), None).status is Status.SKIP
    assert score_pair(parse_tree("(S (NN a))"), Tree("", [Tree("", [])])).status is Status.SKIP
    assert score_pair(None, None) == SentenceScore(0, Status.SKIP)
    assert score_pair(None, parse_tree("(S (NN a))")).message == "Length unmatch (0|1)"


def test_equal_words() -> None:
    parameters = replace(COLLINS, equal_words=frozenset({("Example", "example")}))
    assert score("(S (NN example) (NN b))", "(S (NN Example) (NN b))", parameters).status is Status.VALID


class TestGoldDeletion:
    GOLD = "(S (NP (NN a) (, ,)) (VP (VB b)) (. .))"

    @pytest.mark.parametrize(
        "pred",
        [
            "(S (NP (NN a) (CC ,)) (VP (VB b)) (. .))",  # punctuation tagged as a word
            "(S (NP (NN a) (, ,)) (VP (: b)) (. .))",  # a word tagged as punctuation
            "(S (NP (NN a) (CC ,)) (VP (: b)) (. .))",  # both: as many words, but others
            "(S (NP (: a) (, ,)) (VP (: b)) (. .))",  # nothing left: a skip
        ],
    )
    def test_gold_tags_decide(self, pred: str) -> None:
        assert score(self.GOLD, pred).status is not Status.VALID
        one = score(self.GOLD, pred, gold_deletion=True)
        assert (one.status, one.rescued, one.words, one.message) == (Status.VALID, True, 2, "")
        assert (one.gold, one.test, one.matched) == (3, 3, 3)

    def test_sentences_that_evalb_scores_are_not_touched(self) -> None:
        pred = "(S (NP (NN a)) (, ,) (VP (VB b)) (. .))"
        assert score(self.GOLD, pred, gold_deletion=True) == score(self.GOLD, pred)
        assert not score(self.GOLD, pred, gold_deletion=True).rescued

    def test_empty_elements_may_be_missing(self) -> None:
        gold = "(S (NP (-NONE- *)) (NN a) (, ,))"
        assert score(gold, "(S (NN a) (CC ,))", gold_deletion=True).rescued

    def test_other_words_stay_an_error(self) -> None:
        one = score(self.GOLD, "(S (NN a) (CC ,) (VB c) (. .))", gold_deletion=True)
        assert (one.status, one.message) == (Status.ERROR, "Length unmatch (2|3)")
        assert score_pair(parse_tree(self.GOLD), None, gold_deletion=True).status is Status.SKIP

    def test_a_sentence_of_punctuation_stays_skipped(self) -> None:
        assert score("(S (. .))", "(S (. .))", gold_deletion=True).status is Status.SKIP


def chain(depth: int, left: bool) -> Tree:
    tree = Tree("NN", ["w"])
    for _ in range(depth):
        word = Tree("NN", ["w"])
        tree = Tree("X", [tree, word] if left else [word, tree])
    return tree


def test_ten_thousand_levels() -> None:
    one = score_pair(chain(10_000, left=True), chain(10_000, left=False))
    assert (one.gold, one.test, one.matched, one.crossing) == (10_000, 10_000, 1, 9_999)


def random_tree(rng: Random, words: int) -> Tree:
    """Over words w0, w1, ...; unary chains and every arity occur."""
    nodes = [Tree(rng.choice(["NN", ",", "ADVP"]), [f"w{i}"]) for i in range(words)]
    while len(nodes) > 1 or rng.random() < 0.5:
        start = rng.randrange(len(nodes))
        end = rng.randint(start + 1, min(len(nodes), start + 4))
        nodes[start:end] = [Tree(rng.choice(["NP-1", "VP", "ADVP", "PRT", "TOP"]), nodes[start:end])]
    return nodes[0]


def spans(tree: Tree) -> list[tuple[int, int, str]]:
    """Brackets that count, by Collins' parameters; recursive and plain."""
    found: list[tuple[int, int, str]] = []

    def walk(node: Tree, start: int) -> int:
        if isinstance(node[0], str):
            return start + (node.label() != ",")
        place = len(found)
        found.append((0, 0, ""))
        end = start
        for child in node:
            end = walk(child, end)
        found[place] = (start, end, node.label().split("-")[0])
        return end

    walk(tree, 0)
    return [one for one in found if one[0] < one[1] and one[2] != "TOP"]


@pytest.mark.parametrize("seed", range(200))
def test_against_every_pair_of_brackets(seed: int) -> None:
    rng = Random(seed)
    words = rng.randint(1, 12)
    gold, pred = random_tree(rng, words), random_tree(rng, words)
    for place, node in enumerate(pred.subtrees(lambda node: node.is_preterminal)):
        node.set_label(gold.tags()[place])
    one = score_pair(gold, pred)
    if one.status is Status.SKIP:
        assert set(pred.tags()) == {","}
        return
    golds, tests = spans(gold), spans(pred)
    crossing = sum(any(a < s < b < e or s < a < e < b for a, b, _ in golds) for s, e, _ in tests)
    rest = [(s, e, "ADVP" if label == "PRT" else label) for s, e, label in tests]
    matched = 0
    for start, end, label in golds:
        bracket = (start, end, "ADVP" if label == "PRT" else label)
        if bracket in rest:
            rest.remove(bracket)
            matched += 1
    assert (one.gold, one.test, one.matched, one.crossing) == (len(golds), len(tests), matched, crossing)
    assert (len(one.missed), len(one.extra)) == (len(golds) - matched, len(tests) - matched)
