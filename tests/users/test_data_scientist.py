"""A data scientist has customers' reviews in files and tables, and wants trees and tables of phrases."""

from __future__ import annotations

import gzip
import json

import pytest

pytestmark = pytest.mark.slow

REVIEWS = """\
The battery died after two days. I sent it back!
My daughter loves the camera that we bought in May, but the screen scratches easily.
"""
TREE = "(S (NP (DT The) (NN battery)) (VP (VBD died) (PP (IN after) (NP (CD two) (NNS days)))) (. .))"


def test_after_pip_install(light):
    """Nothing but the package: trees, JSON and rows work, offline; what needs more says how to get it."""
    light.write("reviews.txt", REVIEWS)
    trees = light.prints("nccp parse reviews.txt --model en-fast").splitlines()
    assert trees[0] == TREE
    assert len(trees) == 3

    packed = light.home / "reviews.txt.gz"
    packed.write_bytes(gzip.compress(REVIEWS.encode()))
    rows = [json.loads(line) for line in light.prints(f"nccp parse {packed.name} --output json").splitlines()]
    assert [row["text"] for row in rows] == [
        "The battery died after two days.",
        "I sent it back!",
        "My daughter loves the camera that we bought in May, but the screen scratches easily.",
    ]
    assert [row["sentence"] for row in rows] == [1, 2, 3]
    assert all(0 < row["score"] <= 1 for row in rows)
    assert "(SBAR (WHNP (WDT that)) (S (NP (PRP we)) (VP (VBD bought)" in rows[2]["tree"]

    said = light.python(
        "import sys, nccp\n"
        "parser = nccp.load('en-fast')\n"
        "for row in nccp.to_rows(parser.parse_text(open('reviews.txt'))):\n"
        "    print(row['sentence'], len(row['words']), row['tree'])\n"
        "print(nccp.explain('SBAR'))\n"
        "print([name for name in ('torch', 'transformers', 'pandas', 'pyarrow') if name in sys.modules])\n"
        "try:\n"
        "    nccp.to_frame([])\n"
        "except nccp.NccpError as error:\n"
        "    print(error)\n"
    ).splitlines()
    assert said[0] == f"1 7 {TREE}"
    assert "clause" in said[3]
    assert said[4] == "[]"
    assert said[5].startswith("to_frame needs pandas: pip install '")
    wheel = said[5].split("'")[1]
    assert wheel.endswith(".whl[pandas]")  # the file that it was installed from: pip accepts this line

    for line, extra in (("nccp train --trees nowhere", "train"), ("nccp bulk reviews.txt out", "bulk")):
        assert f"[{extra}]'" in light.run(line, fails=True).stderr


def test_a_table_of_phrases(user):
    """From a column of texts to the most common noun phrases."""
    said = user.python(
        "import nccp, pandas\n"
        "texts = ['The battery died.', 'I love the battery.']\n"
        "reviews = pandas.DataFrame({'id': ['a', 'b'], 'text': texts})\n"
        "parser = nccp.load('en-fast')\n"
        "frame = nccp.to_frame(parser.parse_many(reviews.text), 'constituents')\n"
        "frame['phrase'] = frame.words.str.join(' ').str.lower()\n"
        "print(frame[frame.label == 'NP'].groupby('phrase').size().to_dict())\n"
        "tags = nccp.to_frame(parser.parse_many(reviews.text), 'words')\n"
        "print(tags[tags.sentence == 2].tag.tolist())\n"
        "print(nccp.to_frame([]).columns.tolist())\n"
    ).splitlines()
    assert said[0] == "{'i': 1, 'the battery': 2}"
    assert said[1] == "['PRP', 'VBP', 'DT', 'NN', '.']"
    assert said[2] == "['sentence', 'text', 'words', 'tags', 'tree', 'score', 'joined']"


def test_a_corpus_into_parquet(user):
    """Documents with identifiers in JSON lines, compressed; trees come back to their documents."""
    documents = [{"id": f"r{i}", "body": text} for i, text in enumerate(REVIEWS.splitlines())]
    user.home.joinpath("reviews.jsonl.gz").write_bytes(
        gzip.compress("".join(json.dumps(one) + "\n" for one in documents).encode())
    )
    command = "nccp bulk reviews.jsonl.gz trees --model en-fast --column body --id-column id"
    assert "3 sentences" in user.prints(command)
    assert json.loads(user.prints(f"{command} --json"))["resumed"] == 1  # a second time it is done already
    said = user.python(
        "import pandas\n"
        "table = pandas.read_parquet('trees')\n"
        "print(table.groupby('document_id').sentence.max().to_dict())\n"
        "print(table.tree[0])\n"
        "print(table.text[1], table.start[1], table.end[1])\n"
    ).splitlines()
    assert said == ["{'r0': 2, 'r1': 1}", TREE, "I sent it back! 33 48"]


def test_a_notebook(user):
    """The value of a cell is drawn, in the colours of the notebook, without anything from the network."""
    html = user.python(
        "import nccp\n"
        "parses = list(nccp.load('en-fast').parse_text('It broke. We <3 it.'))\n"
        "print(parses[0]._repr_html_())\n"
        "print(nccp.render(parses)._repr_html_())\n"
    )
    one, several = html.split("</div>\n", 1)
    assert one.count("<svg") == 1
    assert several.count("<svg") == 2
    assert "currentColor" in html
    assert "<3" not in html
    assert "http://" not in html.replace("http://www.w3.org/", "")
    assert "https://" not in html
