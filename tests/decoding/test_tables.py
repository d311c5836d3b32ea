from __future__ import annotations

import pytest

from nccp.decoding import InputSentence, Parse, to_frame, to_rows
from nccp.decoding.tables import COLUMNS
from nccp.errors import InputError
from nccp.trees import parse_tree, to_gaps


def parse(brackets, **known):
    tree = parse_tree(brackets)
    return Parse(InputSentence(tree.leaves(), **known), to_gaps(tree))


PARSES = [
    parse("(S (NP (DT the) (NN cat)) (VBD sat))", offsets=[(0, 3), (4, 7), (8, 11)], text="the cat sat"),
    Parse(InputSentence([]), None),
    parse("(NP (NN rain))"),
]


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_row_has_the_columns(kind):
    rows = list(to_rows(PARSES, kind))
    assert rows
    assert all(set(row) == set(COLUMNS[kind]) for row in rows)


def test_sentences():
    one, two, three = to_rows(PARSES)
    assert (one["sentence"], one["text"], one["tags"]) == (1, "the cat sat", ["DT", "NN", "VBD"])
    assert (two["words"], two["tree"], two["score"]) == ([], "(())", None)
    assert (three["text"], three["tree"]) == (None, "(NP (NN rain))")


def test_constituents():
    rows = [
        (row["sentence"], row["label"], row["words"], row["end_char"])
        for row in to_rows(PARSES, "constituents")
    ]
    assert rows == [
        (1, "S", ["the", "cat", "sat"], 11),
        (1, "NP", ["the", "cat"], 7),
        (3, "NP", ["rain"], None),
    ]


def test_words():
    rows = [(row["sentence"], row["number"], row["word"], row["tag"]) for row in to_rows(PARSES, "words")]
    assert rows == [(1, 1, "the", "DT"), (1, 2, "cat", "NN"), (1, 3, "sat", "VBD"), (3, 1, "rain", "NN")]


def test_frames():
    pytest.importorskip("pandas")
    frame = to_frame(PARSES, "constituents")
    assert list(frame.columns) == list(COLUMNS["constituents"])
    assert list(frame["label"]) == ["S", "NP", "NP"]
    assert list(to_frame([]).columns) == list(COLUMNS["sentences"])


def test_an_unknown_kind():
    with pytest.raises(InputError, match="'trees': choose one of sentences, constituents, words"):
        to_rows(PARSES, "trees")
