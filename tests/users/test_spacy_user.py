"""A spaCy user adds constituents to a pipeline that she has, by the names she knows from benepar."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("spacy")
pytestmark = pytest.mark.slow

PIPELINE = """
import json, warnings
import spacy
from spacy.tokens import Doc, DocBin
warnings.simplefilter("error")
nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
nlp.add_pipe("nccp", config={"model": "en-fast"})
"""


def test_a_pipeline(user):
    said = user.python(
        PIPELINE
        + """
doc = nlp("The quick fox that I saw has eaten the old dog. It ran away.")
sentence, other = doc.sents
print(sentence._.parse_string)
print([part.text for part in sentence._.constituents if "NP" in part._.labels])
dog = doc[8:11]
print(dog.text, dog._.labels, dog._.parent.text)
print(doc[1:3]._.labels, doc[1:3]._.parent, list(doc[1:3]._.children))
print([token.tag_ for token in other])
print("span._.parse_string" in nlp.analyze_pipes()["summary"]["nccp"]["assigns"])
"""
    ).splitlines()
    assert said[0].startswith("(S (NP (NP (DT The) (JJ quick) (NN fox)) (SBAR (WHNP (WDT that)) (S")
    nouns = ["The quick fox that I saw", "The quick fox", "I", "the old dog"]
    assert json.loads(said[1].replace("'", '"')) == nouns
    assert said[2] == "the old dog ('NP',) eaten the old dog"
    assert said[3] == "None None []"  # no constituent, and no error
    assert said[4] == "['PRP', 'VBD', 'RB', '.']"
    assert said[5] == "True"


def test_documents_travel(user):
    """Through a stream with contexts, to disk and back, and as JSON."""
    said = user.python(
        PIPELINE
        + """
texts = [(f"Number {i} is here. It is good.", i) for i in range(20)]
docs = []
for doc, number in nlp.pipe(texts, as_tuples=True, batch_size=8):
    assert str(number) in doc.text
    docs.append(doc)
DocBin(docs=docs, store_user_data=True).to_disk("docs.spacy")
again = list(DocBin().from_disk("docs.spacy").get_docs(nlp.vocab))
print([d._.parse_strings for d in again] == [d._.parse_strings for d in docs], len(again))
record = json.loads(json.dumps(docs[3].to_json(underscore=["nccp", "parse_strings"])))
print(record["_"]["parse_strings"][1])
del record["_"]["parse_strings"]
print(Doc(nlp.vocab).from_json(record)._.parse_strings == docs[3]._.parse_strings)
"""
    ).splitlines()
    assert said == ["True 20", "(S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ good))) (. .))", "True"]


def test_her_own_words_and_tags(user):
    """Words and tags that a Doc comes with are kept."""
    said = user.python(
        PIPELINE
        + """
words, tags = ["We", "don't", "know"], ["PRP", "MD", "VB"]
doc = Doc(nlp.vocab, words=words, tags=tags, sent_starts=[True, False, False])
print(nlp.get_pipe("nccp")(doc)[:]._.parse_string)
"""
    )
    assert "(MD don't)" in said
