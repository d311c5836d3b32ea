"""Constituents on spaCy's documents are those of the parser, whatever white space and sentences there are."""

from __future__ import annotations

import json
import sys
import warnings

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from nccp import load
from nccp.errors import BundleError, InputError, NccpWarning
from tests.bundles import write_bundle

TEXT = "The cat  sat on\nthe mat (1/2). It didn't sleep! \n"
WORDS = st.sampled_from(["the", "cat", "sat", "(", ")", "1/2", " ", "\n", "猫", "."])


@pytest.fixture(scope="module")
def ours(bundle):
    return load(bundle)


@pytest.fixture(scope="module")
def nlp(bundle):
    nlp = spacy.blank("en")
    nlp.add_pipe("nccp", config={"model": bundle})
    return nlp


def words_of(span):
    return [token.text for token in span if not token.is_space]


def check(sentence, parse):
    """All that is known of a sentence agrees with its parse, and among itself."""
    assert sentence._.parse_string == parse.brackets()
    parts = list(sentence._.constituents)
    assert words_of(parts[0]) == list(parse.words)
    labels = [label for part in parts for label in part._.labels]
    assert labels == [span.label for span in parse.spans]
    for part in parts:
        children = list(part._.children)
        assert [word for child in children for word in words_of(child)] == (
            words_of(part) if len(words_of(part)) > 1 else []
        )
        for child in children:
            assert (child._.parent.start, child._.parent.end) == (part.start, part.end)
            assert child._.parse_string in part._.parse_string
    assert parts[0]._.parent is None


def test_a_text(nlp, ours):
    doc = nlp(TEXT)
    first, second = doc.sents
    for sentence in (first, second):
        check(sentence, ours.parse(words_of(sentence)))
    assert [token.tag_ for token in first if not token.is_space] == ours.parse(words_of(first)).tags
    assert first._.score == ours.parse(words_of(first)).tree.score
    assert doc[0]._.parse_string == doc[0:1]._.parse_string
    assert doc[0]._.labels == doc[0:1]._.labels


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_any_words_and_sentences(nlp, ours, tokens):
    words, spaces, starts = map(list, zip(*tokens))
    doc = Doc(nlp.vocab, words=words, spaces=spaces, sent_starts=[True, *starts[1:]])
    doc = nlp.get_pipe("nccp")(doc)
    assert [token.text for token in doc] == words
    assert [bool(token.is_sent_start) for token in doc] == [True, *starts[1:]]
    for sentence in doc.sents:
        if words_of(sentence):
            check(sentence, ours.parse(words_of(sentence)))


def test_tags_that_are_there_stand(nlp):
    doc = Doc(nlp.vocab, words=["The", "cat"], tags=["A", "B"], sent_starts=[True, False])
    doc = nlp.get_pipe("nccp")(doc)
    assert "(A The)" in doc[:]._.parse_string
    assert [token.tag_ for token in doc] == ["A", "B"]


def test_tags_that_brackets_cannot_hold(nlp, ours):
    doc = Doc(nlp.vocab, words=["(", "cat"], tags=["$(", "N"], sent_starts=[True, False])
    doc = nlp.get_pipe("nccp")(doc)
    assert doc[:]._.parse_string == ours.parse([("(", "$("), ("cat", "N")]).brackets()


def test_many_documents_in_order(nlp):
    texts = [TEXT, "", "One.", " \n ", "Two words."] * 3
    docs = list(nlp.pipe(texts, batch_size=4))
    assert [doc.text for doc in docs] == texts
    for doc in docs:
        assert [s._.parse_string for s in doc.sents if words_of(s)] == [
            s._.parse_string for s in nlp(doc.text).sents if words_of(s)
        ]


def test_documents_are_written_and_read(nlp):
    doc = nlp(TEXT)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert [s._.parse_string for s in again.sents] == [s._.parse_string for s in doc.sents]
    first = next(iter(again.sents))
    assert [part.text for part in first._.constituents] == [
        part.text for part in next(iter(doc.sents))._.constituents
    ]


def test_what_is_no_constituent(nlp):
    doc = nlp(TEXT)
    span = doc[0 : len(doc)]  # two sentences
    assert span._.labels is span._.score is span._.parse_string is span._.parent is None
    assert list(span._.children) == list(span._.constituents) == []
    bare = spacy.blank("en")("No parser here.")
    with pytest.raises(InputError, match="add_pipe"):
        bare[0:1]._.labels  # noqa: B018


def test_an_unknown_model():
    with pytest.raises(BundleError, match="no model 'nope'"):
        spacy.blank("en").add_pipe("nccp", config={"model": "nope"})


def test_json(nlp):
    doc = nlp(TEXT)
    plain = json.loads(json.dumps(doc.to_json(underscore=["nccp", "parse_strings"])))
    trees = [sentence._.parse_string for sentence in doc.sents if words_of(sentence)]
    assert plain["_"].pop("parse_strings") == trees
    again = Doc(nlp.vocab).from_json(plain)
    assert again._.parse_strings == trees
    assert [part.text for part in next(again.sents)._.constituents] == [
        part.text for part in next(doc.sents)._.constituents
    ]


def test_what_is_assigned(nlp):
    assigned = nlp.analyze_pipes()["summary"]["nccp"]["assigns"]
    assert {"doc.sents", "token.tag", "span._.parse_string", "token._.labels", "doc._.nccp"} <= set(assigned)


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    folder = write_bundle(tmp_path_factory.mktemp("zh") / "small", language="zh")
    nlp = spacy.blank("zh")
    nlp.add_pipe("nccp", config={"model": str(folder)})
    return nlp


def test_chinese_words_need_no_segmenter(chinese, monkeypatch):
    for name in ("rjieba", "jieba"):
        monkeypatch.setitem(sys.modules, name, None)  # importing it fails
    words = ["我們", "在", "學校", "學習", "中文", "。", "很", "好", "。"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        doc = chinese.get_pipe("nccp")(Doc(chinese.vocab, words=words, spaces=[False] * 9))
    assert [words_of(sentence) for sentence in doc.sents] == [words[:6], words[6:]]
    assert len(doc._.parse_strings) == 2


def test_characters_for_words_are_warned_of_once(chinese):
    with pytest.warns(NccpWarning, match="every word of a document is a single character"):
        chinese("我們在學校學習中文。")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chinese("我們在學校學習中文。")
