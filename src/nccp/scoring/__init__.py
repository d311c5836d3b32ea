"""EVALB in Python: labelled bracketing scores of predicted trees against gold trees.

    score = score_trees(golds, preds)             # Collins' parameters
    score.f1, score.recall, score.precision, score.complete_match
    print(table(score, by_label=True))

Numbers are those of the C program, sentence by sentence (its fixed buffers apart: here a line may be longer
than 5,000 bytes and a sentence than 200 words).
"""

from nccp.scoring.counts import SentenceScore, Status, score_pair
from nccp.scoring.files import read_sentences, score_files
from nccp.scoring.matching import Brackets, Constituent, Matching, Span, match
from nccp.scoring.parameters import BUILT_IN, COLLINS, Parameters
from nccp.scoring.report import as_dict, evalb_report, evalb_stop, format_rows, table
from nccp.scoring.score import LabelScore, Score, Totals, score_trees

__all__ = [
    "BUILT_IN",
    "COLLINS",
    "Brackets",
    "Constituent",
    "LabelScore",
    "Matching",
    "Parameters",
    "Score",
    "SentenceScore",
    "Span",
    "Status",
    "Totals",
    "as_dict",
    "evalb_report",
    "evalb_stop",
    "format_rows",
    "match",
    "read_sentences",
    "score_files",
    "score_pair",
    "score_trees",
    "table",
]
