"""The models in the package keep the conventions of the Penn Treebank, on sentences written for this test.

A treebank made by a parser once taught it ``(SBAR (NP (WDT that)) (S ...))``, and no score showed it.
"""

import pytest

import nccp

CASES = [
    ("The man who came to dinner left .", "WHNP", "who"),
    ("The man who came to dinner left .", "SBAR", "who came to dinner"),
    ("The book that I read was long .", "WHNP", "that"),
    ("The dog that barked belongs to my neighbour .", "WHNP", "that"),
    ("I know what you did last summer .", "WHNP", "what"),
    ("He saw the house in which she lived .", "WHPP", "in which"),
    ("We asked how they had done it .", "WHADVP", "how"),
    ("She said that it was late .", "SBAR", "that it was late"),
    ("If it rains , we stay at home .", "SBAR", "If it rains"),
    ("Where did they go ?", "SBARQ", "Where did they go ?"),
    ("Where did they go ?", "SQ", "did they go"),
    ("What is the capital of France ?", "WHNP", "What"),
    ("What is the capital of France ?", "SBARQ", "What is the capital of France ?"),
    ("Who wrote this book ?", "SBARQ", "Who wrote this book ?"),
    ("Did you see the film ?", "SQ", "Did you see the film ?"),
    ("Can I help you ?", "SQ", "Can I help you ?"),
    ("Well , I do n't know .", "INTJ", "Well"),
    ("Oh no !", "INTJ", "Oh no !"),
    ("More than 50 people came .", "QP", "More than 50"),
    ("They gave up after an hour .", "PRT", "up"),
    ("He wants to leave .", "S", "to leave"),
    ("John 's old hat fell down .", "NP", "John 's"),
    ("She is very proud of her work .", "ADJP", "very proud of her work"),
    ("The cat sat on the mat .", "PP", "on the mat"),
    ("Open the window !", "S", "Open the window !"),
    ("Never have I seen such a mess .", "SINV", "Never have I seen such a mess ."),
    ("Rarely does he speak in public .", "SINV", "Rarely does he speak in public ."),
    ("Down the street came a small dog .", "SINV", "Down the street came a small dog ."),
    ("They ordered him to pay the costs .", "S", "him to pay the costs"),
    ("They ordered him to pay the costs .", "VP", "to pay the costs"),
    ("The company ( founded in 1990 ) grew quickly .", "PRN", "( founded in 1990 )"),
]


MISSED = {"en-fast": {"who came to dinner", "Rarely does he speak in public ."}}
"""What a model is known to miss; its card says so."""


@pytest.fixture(scope="module", params=["en", "en-fast"])
def model(request):
    return request.param


@pytest.fixture(scope="module")
def parses(model):
    sentences = list(dict.fromkeys(sentence for sentence, _, _ in CASES))
    results = nccp.load(model).parse_many([sentence.split() for sentence in sentences])
    return dict(zip(sentences, results))


@pytest.mark.parametrize(("sentence", "label", "words"), CASES)
def test_label(parses, model, sentence, label, words):
    spans = parses[sentence].spans
    found = [span.label for span in spans if " ".join(sentence.split()[span.start : span.end]) == words]
    missed = words in MISSED.get(model, ())
    assert (label in found) != missed, parses[sentence].brackets()


def test_an_infinitive_with_a_subject_is_one_clause(parses):
    """``(S (NP him) (S (VP to pay)))`` is what silver trees once taught."""
    sentence = "They ordered him to pay the costs ."
    assert ("S", 3, 7) not in {(span.label, span.start, span.end) for span in parses[sentence].spans}
