"""The layers of a sentence: they are those of the very tree that the parser gives."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nccp import InputError, load
from nccp.decoding.input_sentence import InputSentence
from nccp.decoding.trace import LONGEST, trace
from nccp.trees import Gaps, from_gaps
from tests.bundles import write_bundle
from tests.decoding.test_decode import Script
from tests.runtime.networks import random_parser, random_sentences

KINDS = {
    "binary": {},
    "scalar": {"compose": "CS"},
    "add": {"compose": "ADD"},
    "multi": {"kind": "multi"},
    "triangular": {"format": "triangular"},
}
words = st.lists(st.sampled_from(["the", "cat", "sat", "東京", "(", "x1", ""]), min_size=1, max_size=14)


@pytest.fixture(scope="module")
def parsers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {kind: load(write_bundle(folder / kind, model), threads=1) for kind, model in KINDS.items()}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def rebuilt(traced):
    """The tree that the layers tell of, from their nodes alone."""
    symbols = traced.parse.gaps.symbols
    first = traced.layers[0]
    heights, labels = np.zeros((2, len(first)), np.int32)
    levels = [[0] * len(first)]  # of each node, the height of its tree: a triangle has rows without any
    for below, layer in pairwise(traced.layers):
        level = []
        for node in layer:
            height = max(levels[-1][i] for i in node.children) + (node.how == "combined")
            level.append(height)
            for child in node.children[1:]:
                heights[below[child].start], labels[below[child].start] = (
                    height,
                    symbols.labels.names.index(node.label),
                )
        levels.append(level)
    leaves = np.array([symbols.labels.names.index(node.label) for node in first], np.int32)
    gaps = traced.parse.gaps
    return from_gaps(Gaps(gaps.words, gaps.tags, leaves, heights[1:], labels[1:], symbols))


def check(traced, kind):
    """What holds of any trace."""
    n, layers = len(traced.parse.words), traced.layers
    assert [(node.start, node.end, node.how) for node in layers[0]] == [(i, i + 1, "word") for i in range(n)]
    assert len(layers[-1]) == 1
    assert (layers[-1][0].start, layers[-1][0].end) == (0, n)
    for below, layer in pairwise(layers):
        assert [i for node in layer for i in node.children] == list(range(len(below)))
        for node in layer:
            children = [below[i] for i in node.children]
            assert (node.start, node.end) == (children[0].start, children[-1].end)
            if node.how == "relay":
                assert [(node.label, node.score)] == [(child.label, child.score) for child in children]
                assert node.lam is node.weights is None
            else:
                assert len(children) > 1
                check_combined(node, children, kind)
    for layer in layers:
        for place, node in enumerate(layer):
            assert 0 < node.score <= 1
            last = layer is layers[-1]
            assert (node.sure is None) == last
            assert (node.right is None) == (last or kind == "multi")
            assert (node.begins is None) == (last or kind != "multi")
            if not last and place == 0:
                assert node.sure == 1
                assert node.right or node.begins


def check_combined(node, children, kind):
    assert (node.lam is None) == (kind in ("add", "multi"))
    if kind == "multi":
        assert sum(node.weights) == pytest.approx(1, abs=1e-4)
        assert len(node.weights) == len(children)
        assert children[0].begins
        assert not any(child.begins for child in children[1:])
    else:
        assert [child.right for child in children] == [True, False]
        assert node.lam is None or 0 <= node.lam <= 1


def test_the_tree_is_the_parsers(parsers, kind):
    parser = parsers[kind]
    for sentence in random_sentences(25):
        traced = trace(parser.engine, parser.prepare(sentence))
        parse = parser.parse(sentence)
        assert traced.parse.to_dict() == parse.to_dict()
        assert rebuilt(traced) == parse.tree
        check(traced, kind)


@settings(max_examples=30)
@pytest.mark.parametrize("kind", KINDS)
@given(sentence=words, seed=st.integers(0, 3))
def test_any_sentence_any_network(kind, sentence, seed):
    engine = random_parser(KINDS[kind], seed=seed).engine()
    traced = trace(engine, InputSentence(sentence))
    check(traced, kind)
    assert rebuilt(traced) == traced.parse.tree
    assert traced.parse.tree.leaves() == sentence


def test_one_word_and_none(parsers, kind):
    parser = parsers[kind]
    ((node,),) = trace(parser.engine, InputSentence(["cat"])).layers
    assert (node.how, node.children) == ("word", ())
    assert (node.right, node.begins, node.sure, node.lam, node.weights) == (None,) * 5
    empty = trace(parser.engine, InputSentence([]))
    assert (empty.parse.tree, empty.layers) == (None, [])


def test_too_long(parsers):
    with pytest.raises(InputError, match="up to"):
        trace(parsers["binary"].engine, InputSentence(["x"] * (LONGEST + 1)))


class Binary(Script):
    """λ is said to be a quarter."""

    def compose(self, left, right):
        return left + right, np.full(len(left), 0.25, np.float32)


def test_scripted_orientations():
    engine = Binary([[1, 1, -1, -1], [1, 1, -1], [1, -1]], binary=True)
    layers = trace(engine, InputSentence(["a", "b", "c", "d"])).layers
    assert [[(node.start, node.end) for node in layer] for layer in layers] == [
        [(0, 1), (1, 2), (2, 3), (3, 4)],
        [(0, 1), (1, 3), (3, 4)],
        [(0, 1), (1, 4)],
        [(0, 4)],
    ]
    assert [[node.right for node in layer] for layer in layers[:2]] == [
        [True, True, False, False],
        [True, True, False],
    ]
    assert [node.sure for node in layers[0]] == [
        1,
        pytest.approx(0.9526, abs=1e-4),
        pytest.approx(0.9526, abs=1e-4),
        1,
    ]
    assert asdict(layers[1][1]) == {
        "label": "S",
        "start": 1,
        "end": 3,
        "score": pytest.approx(1 / 3, abs=1e-5),  # S, NP and _S are alike, #T may not stand there
        "how": "combined",
        "children": (1, 2),
        "right": True,
        "begins": None,
        "sure": pytest.approx(0.952574),
        "lam": 0.25,
        "weights": None,
    }
    assert layers[1][0].how == "relay"


def test_a_layer_that_was_joined():
    traced = trace(
        Script([[1, -1, 1, 1, 1], [1, 1, 1, 1]], binary=False), InputSentence(["a", "b", "c", "d"])
    )
    assert traced.parse.joined
    assert [node.begins for node in traced.layers[1]] == [True, False, False]
    assert traced.layers[1][1].sure < 0.5  # against its own score
    assert traced.layers[2][0].children == (0, 1, 2)


def test_given_tags_stand(parsers):
    parser = parsers["multi"]
    traced = trace(parser.engine, parser.prepare([("the", "MY"), ("cat", None)]))
    assert traced.parse.tags[0] == "MY"
