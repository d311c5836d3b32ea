"""The layer loop over scripted engines and over small random networks."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from nccp.config import ModelConfig
from nccp.decoding import Context, decode
from nccp.decoding.layers import merge
from nccp.inputs.words.config import WordsConfig
from nccp.inputs.words.table import WordTable
from nccp.inputs.words.torch_module import WordModule
from nccp.model.engine import TorchEngine
from nccp.model.network import Network
from nccp.trees import Symbols, from_gaps, parse_tree

SYMBOLS = Symbols(["S", "NP", "_S", "#T"], ["T"], frozen=True)
KINDS = [{}, {"kind": "multi"}, {"format": "triangular"}, {"context_layers": 0, "orientation": "ffnn"}]


def engine(seed=0, **variant):
    torch.manual_seed(seed)
    config = ModelConfig(
        **{"size": 16, "context_layers": 1, "label_hidden": 8, "orientation_hidden": 6, **variant}
    )
    words = WordModule(WordsConfig(ngrams=8), WordTable(buckets=500))
    network = Network(config, words.size, len(SYMBOLS.tags), len(SYMBOLS.labels))
    torch.nn.init.normal_(words.ngrams.weight, std=3)
    return TorchEngine(words, network, SYMBOLS)


class Script:
    """An engine whose answers are written down: each word says how it points, or where chunks begin."""

    triangular = False
    symbols = SYMBOLS

    def __init__(self, answers, *, binary):
        self.answers, self.binary = iter(answers), binary

    def context(self, sentences):
        n = sum(map(len, sentences))
        return Context(np.arange(n, dtype=np.float32)[:, None], np.zeros((n, 1), np.float32))

    def labels(self, x):
        return np.tile(
            np.array([0, 0, 0, 1], np.float32), (len(x), 1)
        )  # "#T" wherever it may stand, else "S"

    def orient(self, x, lengths):
        return np.array(next(self.answers), np.float32)

    def compose(self, left, right):
        return left + right, None

    def chunk(self, x, lengths):
        return np.array(next(self.answers), np.float32), np.zeros_like(x)

    def merge(self, x, hints, begins):
        return merge(x, hints, begins)


def test_two_that_point_at_each_other_combine():
    decoded = decode(Script([[1, 1, -1, -1], [1, 1, -1], [1, -1]], binary=True), [["a", "b", "c", "d"]])
    assert from_gaps(next(decoded.gaps())) == parse_tree("(S (T a) (S (S (T b) (T c)) (T d)))")
    assert next(decoded.gaps()).heights.tolist() == [3, 1, 2]


def test_a_layer_that_points_outward_everywhere_still_shrinks():
    decoded = decode(Script([[-1, -1, 1, 1], [-1, 1, 1], [-1, 1]], binary=True), [["a", "b", "c", "d"]])
    assert not decoded.joined.any()
    assert len(from_gaps(next(decoded.gaps())).leaves()) == 4


def test_layers_that_the_scores_alone_would_break_are_counted():
    layers = [
        [1, 1, -1, -1, -1, -1],  # fine; the second sentence begins with a node that points left
        [1, 1, -1],  # fine, the second sentence is done
        [1, 1],  # ends with a node that points right
    ]
    decoded = decode(Script(layers, binary=True), [["a", "b", "c", "d"], ["e", "f"]])
    assert decoded.invalid.tolist() == [1, 1]
    outward = Script([[-1, -1, 1, 1], [-1, 1]], binary=True)
    assert decode(outward, [["a", "b", "c", "d"]]).invalid.tolist() == [2]


def test_a_multi_branching_layer_that_combines_nothing_is_counted():
    decoded = decode(Script([[1, 1, 1, 1, 1, -1, 1]], binary=False), [["a", "b", "c"], ["e", "f"]])
    assert decoded.invalid.tolist() == [1, 0]


def test_one_class_for_all_sub_constituents_may_stand_anywhere_but_on_top():
    script = Script([[1, 1, -1], [1, -1]], binary=True)
    script.symbols = Symbols(["S", "NP", "X", "_"], ["T"], frozen=True)
    decoded = decode(script, [["a", "b", "c"]])
    assert decoded.leaf_labels.tolist() == [3, 3, 3]
    assert from_gaps(next(decoded.gaps())) == parse_tree("(S (T a) (T b) (T c))")


def test_chunks_combine_and_a_layer_without_any_is_joined_and_flagged():
    scores = [[1, -1, 1, 1, 1, 1, -1, 1], [1, 1, 1, 1]]
    decoded = decode(Script(scores, binary=False), [["a", "b", "c", "d"], ["e", "f"]])
    first, second = decoded.gaps()
    assert (first.heights.tolist(), second.heights.tolist()) == ([1, 2, 2], [1])
    assert decoded.joined.tolist() == [True, False]
    assert from_gaps(first) == parse_tree("(S (S (T a) (T b)) (T c) (T d))")


@pytest.mark.parametrize("variant", KINDS, ids=str)
def test_a_tree_does_not_depend_on_its_neighbours(variant):
    parser = engine(**variant)
    rng = np.random.default_rng(1)
    vocabulary = ["the", "cat", "sat", "東京", "-LRB-", "x1", "!"]
    sentences = [rng.choice(vocabulary, size=rng.integers(1, 40)).tolist() for _ in range(160)]
    together = list(decode(parser, sentences).gaps())
    alone = [next(decode(parser, [sentence]).gaps()) for sentence in sentences]
    assert together == alone
    assert len({tree.heights.tobytes() for tree in alone}) > 30  # the networks do decide something


@pytest.mark.parametrize("variant", KINDS, ids=str)
@given(
    sentences=st.lists(
        st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=9), min_size=1, max_size=4
    )
)
def test_every_word_is_in_its_tree(variant, sentences):
    for words, gaps in zip(sentences, decode(engine(**variant), sentences).gaps()):
        assert from_gaps(gaps).leaves() == words
