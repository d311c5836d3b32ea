"""The parser over a small bundle: all kinds of input, order, threads, and that no word is ever lost."""

from __future__ import annotations

import itertools
import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nccp.decoding.stream as streaming
from nccp import InputError, NccpWarning, Parser, load
from nccp.decoding import Context
from nccp.decoding.input_sentence import InputSentence
from nccp.languages.sentences import split_text
from nccp.runtime.synthetic import make_sentences
from nccp.trees import Symbols, parse_tree
from tests.bundles import write_bundle
from tests.runtime.networks import random_sentences

KINDS = {"binary": {}, "multi": {"kind": "multi"}, "triangular": {"format": "triangular"}}
WORDS = ["the", "cat", "(", "sat"]
anything = st.text(st.characters(), max_size=6)


@pytest.fixture(scope="module")
def parsers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {kind: load(write_bundle(folder / kind, model), threads=2) for kind, model in KINDS.items()}


@pytest.fixture(params=KINDS)
def parser(request, parsers):
    return parsers[request.param]


def test_text_words_and_pairs(parser):
    text = "The cat (sat)."
    words = ["The", "cat", "(", "sat", ")", "."]
    parse = parser.parse(text)
    assert parse.words == words == parse.tree.leaves()
    assert [text[start:end] for start, end in parse.offsets] == words
    assert parse.tree == parser.parse(words).tree == parser.parse([(word, None) for word in words]).tree
    assert parser.parse(words).offsets is None
    (sentence,) = split_text(text)
    assert parser.parse(sentence).to_dict() == parse.to_dict()
    assert parser.parse(iter(words)).tree == parse.tree


def test_tags_that_are_given_stand(parser):
    free = parser.parse(WORDS)
    parse = parser.parse([("the", "MY+TAG"), ("cat", None), "(", ("sat", "(")])
    assert parse.tags == ["MY+TAG", free.tags[1], free.tags[2], "("]
    assert parse.tree.tags() == parse.tags
    assert parse_tree(parse.brackets()).tags() == ["MY+TAG", *free.tags[1:3], "-LRB-"]
    assert parse_tree(parse.brackets()).leaves() == ["the", "cat", "-LRB-", "sat"]
    scores = [node.score for node in parse.tree.subtrees() if node.is_preterminal]
    assert [score is None for score in scores] == [True, False, False, True]


@pytest.mark.parametrize("nothing", ["", "  \n\t", [], ()])
def test_nothing_to_parse(parser, nothing):
    parse = parser.parse(nothing)
    assert (parse.tree, parse.score, parse.tags, parse.spans) == (None, None, [], [])
    assert (parse.brackets(), parse.brackets("TOP"), parse.conll()) == ("(())", "(())", "")
    assert json.loads(json.dumps(parse.to_dict()))["words"] == []
    assert len(list(parser.parse_many(["a", nothing, nothing, "b"]))) == 4


@pytest.mark.parametrize("bad", [3, None, b"bytes", [1], [("a",)], [("a", 1)], [["a", "b", "c"]]])
def test_what_is_no_sentence(parser, bad):
    with pytest.raises(InputError, match="sentence"):
        parser.parse(bad)


def test_what_is_not_many(parser):
    with pytest.raises(InputError, match="parse_text"):
        parser.parse_many("The cat sat.")
    with pytest.raises(InputError, match="at least 1"):
        parser.parse_many([], threads=0)


def test_results_agree_with_each_other(parser):
    for words in random_sentences(30):
        parse = parser.parse(words)
        tree = parse.tree
        assert [(s.label, s.start, s.end, s.score) for s in parse.spans] == [
            (node.label(), *node.span, node.score) for node in tree.subtrees() if not node.is_preterminal
        ]
        assert all(0 < node.score <= 1 for node in tree.subtrees())
        assert 0 < parse.score <= 1
        bits = [line.split("\t")[3] for line in parse.conll().splitlines()]
        pairs = zip(bits, tree.pos())
        read = "".join(bit.replace("*", f"(T {i})") for i, (bit, _) in enumerate(pairs))
        if read.startswith("(T"):
            assert len(words) == 1
        else:
            assert [node.label() for node in parse_tree(read).subtrees() if not node.is_preterminal] == [
                span.label for span in parse.spans
            ]


def test_without_scores(parser):
    parse = parser.parse(WORDS, scores=False)
    assert parse.score is parse.weights is parse.tree.score is None
    assert parse.tree == parser.parse(WORDS).tree


def test_character_offsets_of_spans(parser):
    text = "  The cat can't sleep. "
    for span in parser.parse(text).spans:
        assert text[span.start_char : span.end_char].startswith(parser.parse(text).words[span.start])


def test_text_of_several_sentences(parser):
    text = "The cat sat. The dog ran!\n\nWhy?"
    parses = list(parser.parse_text(text))
    assert [parse.words[-1] for parse in parses] == [".", "!", "?"]
    for parse in parses:
        assert [text[start:end] for start, end in parse.offsets] == parse.words
    pieces = list(parser.parse_text(iter(["The cat s", "at. The dog ran!\n", "\nWhy?"])))
    assert [parse.to_dict() for parse in pieces] == [parse.to_dict() for parse in parses]


def test_weights(parsers):
    parse = parsers["multi"].parse([f"w{i}" for i in range(40)])
    branching = [node for node in parse.tree.subtrees() if len(node) > 1]
    assert [(one.label, one.start, one.end, len(one.weights)) for one in parse.weights] == [
        (node.label(), *node.span, len(node)) for node in branching
    ]
    for one in parse.weights:
        assert sum(one.weights) == pytest.approx(1, abs=1e-4)
    assert parse.to_dict()["weights"][0]["weights"]
    assert parsers["binary"].parse(WORDS).weights is None


def test_any_batch_any_threads(parser, monkeypatch):
    monkeypatch.setattr(streaming, "_WINDOWS", (3, 20))
    sentences = [*random_sentences(60), [], "The cat sat.", [("a", "X"), ("b", None)]]
    alone = [parser.parse(sentence) for sentence in sentences]
    expected = [parse.brackets() for parse in alone]
    for batch_size, threads in itertools.product((1, 7, 200), (1, 3)):
        parses = list(parser.parse_many(iter(sentences), batch_size=batch_size, threads=threads))
        assert [parse.brackets() for parse in parses] == expected
        np.testing.assert_allclose([p.score or 0 for p in parses], [p.score or 0 for p in alone], rtol=1e-4)


@pytest.mark.parametrize("threads", [1, 2])
def test_it_reads_no_more_than_it_must(parser, threads, monkeypatch):
    monkeypatch.setattr(streaming, "_WINDOWS", (4, 8))
    taken = itertools.count()
    results = parser.parse_many((f"w{next(taken)} x" for _ in itertools.count()), threads=threads)
    for number, parse in enumerate(itertools.islice(results, 100)):
        assert parse.words == [f"w{number}", "x"]
    results.close()
    assert next(taken) < 130


def test_errors_in_the_middle_come_out(parser):
    for threads in (1, 2):
        with pytest.raises(InputError, match="not 7"):
            list(parser.parse_many(["a b", 7, "c d"], threads=threads))


def test_a_very_long_sentence_is_parsed_in_pieces(parsers, monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST", 10)
    parser = parsers["multi"]
    words = [f"w{i}" for i in range(34)]
    parse = parser.parse(words)
    assert parse.joined
    assert (parse.tree.leaves(), parse.tree.label()) == (words, "")
    assert parse.weights is None
    assert 0 < parse.tree.score < 1
    assert parse_tree(parse.brackets("TOP")).label() == "TOP"
    part = parser.parse(words[:10])
    assert not part.joined
    assert part.tree.leaves() == words[:10]
    assert list(parse.gaps.heights[:9]) == list(part.gaps.heights)


def test_windows_and_batches_are_bounded_in_letters(monkeypatch):
    """Sentences of a few very long words must not be held by the thousand."""
    monkeypatch.setattr(streaming, "_WINDOW_LETTERS", 5000)
    monkeypatch.setattr(streaming, "_BATCH_LETTERS", 2500)
    sentences = [InputSentence(["a" * 100] * 7) for _ in range(40)]
    windows = list(streaming._windows(sentences))
    assert [len(window) for window in windows] == [8] * 5
    batches = [batch for window in windows for batch in streaming._batches(window, 128)]
    assert max(map(len, batches)) == 3
    assert sum(map(len, batches)) == 40


def test_of_a_very_long_word_both_ends_are_read(parsers):
    long = "a" * 500 + "x" * 1000 + "b" * 500
    assert InputSentence(["the", long]).readable() == ["the", "a" * 500 + "b" * 500]
    assert InputSentence(["the", "a" * 1000]).readable() == ["the", "a" * 1000]
    assert parsers["binary"].parse(["the", long]).tree.leaves() == ["the", long]


@pytest.mark.parametrize(("count", "joined"), [(2000, False), (5000, True)])
def test_thousands_of_words(count, joined):
    (words,) = make_sentences([count])
    parse = load("en-fast").parse(words)  # an untrained network joins little in a layer: many layers
    assert parse.tree.leaves() == words
    assert parse.joined is joined
    assert parse.spans[0].end == count
    assert parse.brackets().count("(") > count


def test_roots(parser):
    parse = parser.parse(WORDS)
    assert parse_tree(parse.brackets("TOP")) == parse_tree(f"(TOP {parse.brackets()})")


def test_words_that_brackets_cannot_hold(parser):
    words = ["New York", "a(b)", "", "\n", "1/2", "-LRB-", "[", "{", "\u2028", "\0"]
    parse = parser.parse(words)
    assert parse.tree.leaves() == words
    read = parse_tree(parse.brackets()).leaves()
    assert read == ["New\xa0York", "a-LRB-b-RRB-", "_", "\xa0", "1/2", "-LRB-", "[", "{", "\u2028", "␀"]
    assert len(parse.conll().split("\n")) == len(words) + 1


@given(sentences=st.lists(st.lists(anything, max_size=8), max_size=5))
@pytest.mark.parametrize("kind", KINDS)
def test_every_word_survives(parsers, kind, sentences):
    parses = list(parsers[kind].parse_many(sentences, threads=1))
    assert [list(parse.words) for parse in parses] == sentences
    for words, parse in zip(sentences, parses):
        if words:
            assert parse.tree.leaves() == words
            written = parse.brackets().encode("utf-8", "replace").decode()  # surrogates are no text
            assert len(parse_tree(written).leaves()) == len(words)
            assert parse.to_dict()["words"] == words


@given(text=st.text(st.characters(), max_size=60))
def test_every_character_survives(parsers, text):
    parse = parsers["binary"].parse(text)
    assert "".join(parse.words) == "".join(text.split())
    assert [text[start:end] for start, end in parse.offsets] == parse.words
    if parse.tree is not None:
        assert parse.tree.leaves() == parse.words


@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4), min_size=1))
def test_brackets_read_back(parsers, words):
    words = ["".join(word.split()).translate(dict.fromkeys(b"\0()", "x")) or "z" for word in words]
    parse = parsers["multi"].parse(words)
    assert parse_tree(parse.brackets()) == parse.tree


class Sure:
    """An engine that joins from the left, as surely as it is told."""

    binary, triangular = True, False
    symbols = Symbols(["S", "NP", "_S", "#T"], ["T"], frozen=True)

    def __init__(self, margin):
        self.margin = margin

    def context(self, sentences):
        n = sum(map(len, sentences))
        return Context(np.zeros((n, 1), np.float32), np.zeros((n, 1), np.float32))

    def labels(self, x):
        return np.tile(np.log(np.array([0.5, 0.25, 1e-9, 0.25], np.float32)), (len(x), 1))

    def orient(self, x, lengths):
        return np.full(len(x), -self.margin, np.float32)

    def compose(self, left, right):
        return left + right, None


def test_scores_are_what_they_say():
    sigmoid = lambda margin: 1 / (1 + np.exp(-3 * margin))
    tree = Parser(Sure(1.0), threads=1).parse(["a", "b", "c"]).tree
    assert tree == parse_tree("(S (S (S (T a)) (S (T b))) (S (T c)))")
    # the ends cannot point outward: b is the only word that decides anything; #T may not stand here
    assert tree[0].score == pytest.approx(0.5 / 0.75 * sigmoid(1), rel=1e-5)
    assert tree.score == pytest.approx(0.5 / 0.75, rel=1e-5)  # S or NP: _S and #T may not stand on top
    assert tree[1].score == pytest.approx(0.5, rel=1e-5)
    assert tree[1][0].score == pytest.approx(1)
    lower = Parser(Sure(0.1), threads=1).parse(["a", "b", "c"])
    assert lower.score < Parser(Sure(1.0), threads=1).parse(["a", "b", "c"]).score


def test_the_tag_for_hyphens_says_how_words_are_cut():
    engine = Sure(1.0)
    assert Parser(engine, threads=1).parse("well-known").words == ["well-known"]
    engine.symbols = Symbols(["S"], ["HYPH"], frozen=True)
    assert Parser(engine, threads=1).parse("well-known").words == ["well", "-", "known"]


def test_a_language_without_a_tokenizer_takes_words():
    parser = Parser(Sure(1.0), "xx", threads=1)
    assert parser.parse(["a", "b"]).tree.leaves() == ["a", "b"]
    with pytest.raises(InputError, match="pass words instead"):
        parser.parse("a b")


def test_a_sentence_in_capitals_is_read_in_lower_case():
    shouted = InputSentence(["THE", "CAT", "SAT", "-", "DOWN", "\ud800"])
    assert shouted.readable() == ["the", "cat", "sat", "-", "down", "\ufffd"]
    for words in (["DNA", "AND", "RNA"], ["THE", "CAT", "sat", "DOWN"], ["1", "2", "3", "4"]):
        assert InputSentence(words).readable() == words


def test_words_in_capitals_stay_as_they_were_given():
    words = ["THE", "CAT", "SAT", "ON", "THE", "MAT", "."]
    parser = load("en-fast")
    loud, quiet = parser.parse(words), parser.parse([word.lower() for word in words])
    assert loud.tree.leaves() == words
    assert loud.brackets().lower() == quiet.brackets().lower()


def test_several_sentences_given_to_parse():
    parser = Parser(Sure(1.0), threads=1)
    with pytest.warns(NccpWarning, match="'One. Two.' seems to hold several.*use parse_text"):
        assert parser.parse("One. Two.").words == ["One", ".", "Two", "."]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parser.parse("Mr. Smith left.")
        parser.parse(["One.", "Two."])
        assert [parse.text for parse in parser.parse_text("One. Two.")] == ["One.", "Two."]
        assert parser.parse("").tree is parser.parse([]).tree is None
