import json

import pytest

from nccp.scoring import COLLINS, as_dict, evalb_report, evalb_stop, score_trees, table
from nccp.trees import Tree, parse_tree, parse_trees

GOLDS = parse_trees(
    """
    (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .))
    (S (NN a) (NN b))
    (S (NN a) (, ,))
    """
)
PREDS: list[Tree | None] = [
    parse_tree("(S (NP (DT the) (NN cat)) (VP (VBD sat) (RP on)) (NP (DT a) (NN mat)) (. .))"),
    None,
    parse_tree("(S (NN a) (CC ,))"),
]
SCORE = score_trees(GOLDS, PREDS)
RESCUED = score_trees(GOLDS, PREDS, gold_deletion=True)

REPORT = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    7    0   60.00  75.00     3      5    4      1      6     5    83.33
   2    2    2    0.00   0.00     0      0    0      0      0     0     0.00
   3    2    1    0.00   0.00     0      0    0      0      0     0     0.00
============================================================================
                 60.00  75.00      3     5     4      1      6     5    83.33
=== Summary ===

-- All --
Number of sentence        =      3
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      1
Bracketing Recall         =  60.00
Bracketing Precision      =  75.00
Bracketing FMeasure       =  66.67
Complete match            =   0.00
Average crossing          =   1.00
No crossing               =   0.00
2 or less crossing        = 100.00
Tagging accuracy          =  83.33

-- len<=5 --
Number of sentence        =      2
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      0
Bracketing Recall         =   0.00
Bracketing Precision      =   0.00
Bracketing FMeasure       =   -nan
Complete match            =   0.00
Average crossing          =   0.00
No crossing               =   0.00
2 or less crossing        =   0.00
Tagging accuracy          =   0.00
"""


def test_evalbs_report() -> None:
    score = score_trees(GOLDS, PREDS)
    assert evalb_report(type(score)(score.sentences, cutoff=5)) == REPORT


def test_without_any_bracket_the_sums_are_short() -> None:
    lines = evalb_report(score_trees(GOLDS[1:2], [None])).split("\n")
    assert lines[5] == "      0     0     0.00"


def test_evalbs_report_says_when_gold_tags_decided() -> None:
    assert evalb_report(RESCUED).endswith(
        "\n-- Gold tags decide deletion --\nRescued sentence          =      1\n"
    )


@pytest.mark.parametrize(("errors", "stop"), [(0, None), (4, None), (5, 4), (6, 4)])
def test_evalb_gives_up_at_the_second_error_too_many(errors: int, stop: int | None) -> None:
    score = score_trees(GOLDS[1:2] * errors, GOLDS[2:3] * errors)
    assert evalb_stop(score, max_error=3) == stop
    lines = evalb_report(score, max_error=3).splitlines()
    if stop is None:
        assert "=== Summary ===" in lines
    else:
        assert len(lines) == 3 + stop


def test_the_table() -> None:
    text = table(SCORE)
    assert "F1                   66.67    66.67\n" in text
    assert "errors                   1        1\n" in text
    assert "rescued" not in text
    assert "label" not in text
    assert "length" not in text


def test_the_table_says_when_gold_tags_decided() -> None:
    text = table(RESCUED)
    assert "rescued                  1        1\n" in text
    assert "Gold tags decided" in text
    assert "1 sentence was rescued" in text


def test_the_table_breaks_down() -> None:
    text = table(SCORE, by_label=True, by_length=True)
    assert "\nNP        2     2  100.00     100.00  100.00\n" in text
    assert "\n1-10            3     5     4   60.00      75.00  66.67            0.00\n" in text


def test_the_dictionary() -> None:
    made = json.loads(json.dumps(as_dict(SCORE, COLLINS, by_label=True, by_length=True, sentences=True)))
    assert (made["parameters"], made["gold_deletion"]) == ("collins", False)
    assert made["all"]["f1"] == pytest.approx(200 / 3)
    assert (made["all"]["sentences"], made["all"]["valid"], made["short"]["cutoff"]) == (3, 1, 40)
    assert made["by_label"]["VP"] == {
        "gold": 1,
        "test": 1,
        "recalled": 0,
        "confirmed": 0,
        "recall": 0.0,
        "precision": 0.0,
        "f1": 0.0,
    }
    assert [(one["from"], one["to"], one["sentences"]) for one in made["by_length"]] == [(1, 10, 3)]
    assert [one["status"] for one in made["sentences"]] == ["valid", "skip", "error"]
    assert made["sentences"][2]["message"] == "Length unmatch (1|2)"
    assert set(as_dict(SCORE)) == {"parameters", "gold_deletion", "all", "short"}
