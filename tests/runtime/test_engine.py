"""The onnxruntime engine beside the torch one, over random networks of every kind."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from nccp.config import Compose
from nccp.decoding import decode
from nccp.export.graphs import network_graphs
from nccp.inputs.sessions import Session
from nccp.inputs.words.export import to_lookup
from nccp.runtime import OnnxEngine
from tests.runtime.networks import KINDS, random_parser, random_sentences, same


def onnx_engine(parser, precision="float32"):
    input = to_lookup(parser.input).cast(precision)
    graphs = network_graphs(parser.network, input.bounds() if precision == "int8" else None)
    sessions = {name: Session(graph.SerializeToString()) for name, graph in graphs.items()}
    return OnnxEngine(parser.config.model, parser.symbols, input, sessions)


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def test_every_part_agrees_with_torch(kind):
    parser = random_parser(kind)
    one, two = parser.engine(), onnx_engine(parser)
    sentences = random_sentences()
    lengths = np.array([len(words) for words in sentences])
    mine, theirs = two.context(sentences), one.context(sentences)
    size = theirs.x.shape[1]
    close = lambda a, b: np.testing.assert_allclose(a, b, atol=1e-4)
    close(mine.x[:, :size], theirs.x)
    close(mine.tags, theirs.tags)
    close(two.labels(mine.x), one.labels(theirs.x))
    if not one.binary:
        (scores, hints), (scores_2, hints_2) = two.chunk(mine.x, lengths), one.chunk(theirs.x, lengths)
        close(scores, scores_2)
        begins = np.random.default_rng(0).random(len(hints)) < 0.4
        begins[0] = True
        (new, lam), (new_2, lam_2) = two.merge(mine.x, hints, begins), one.merge(theirs.x, hints_2, begins)
        close(new[:, :size], new_2)
        close(lam, lam_2)
        return
    close(two.orient(mine.x, lengths), one.orient(theirs.x, lengths))
    left, right = np.random.default_rng(0).integers(len(mine.x), size=(2, 200))
    new, my_lam = two.compose(mine.x[left], mine.x[right])
    expected, lam = one.compose(theirs.x[left], theirs.x[right])
    close(new[:, :size], expected)
    assert (lam is None) == (one.network.config.compose is Compose.ADD)
    if lam is not None:
        close(my_lam, lam)
        assert ((lam > 0) & (lam < 1)).all()
    for parts in ([200], [3, 180, 17], [161, 39]):  # short and long, in both ways of BiLSTM_ori
        own = np.array(parts)
        close(two.orient(new, own), one.orient(np.ascontiguousarray(new[:, :size]), own))


@pytest.mark.parametrize("seed", range(3))
def test_same_trees_as_torch(kind, seed):
    parser = random_parser(kind, seed=seed)
    sentences = random_sentences(seed=seed)
    assert same(decode(onnx_engine(parser), sentences), decode(parser.engine(), sentences))


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_same_tree_alone_and_in_any_batch(kind, precision):
    engine = onnx_engine(random_parser(kind), precision)
    sentences = [*random_sentences(70), *random_sentences(8, 340, seed=1)]  # some longer than LONG
    together = list(decode(engine, sentences).gaps())
    alone = [next(decode(engine, [words]).gaps()) for words in sentences]
    assert together == alone
    order = np.random.default_rng(1).permutation(len(sentences))
    shuffled = list(decode(engine, [sentences[i] for i in order]).gaps())
    assert shuffled == [together[i] for i in order]


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_the_same_numbers_beside_louder_words(precision):
    """In 8 bits a range taken from the batch would show here."""
    parser = random_parser()
    engine = onnx_engine(parser, precision)
    sentences = random_sentences(5)
    alone = engine.context(sentences).x
    beside = engine.context([*sentences, *random_sentences(60, 60, seed=9)]).x[: len(alone)]
    np.testing.assert_array_equal(alone, beside) if precision == "int8" else None
    np.testing.assert_allclose(alone, beside, atol=1e-6)


def test_eight_bits_are_near(kind):
    parser = random_parser(kind)
    sentences = random_sentences()
    exact, rough = (onnx_engine(parser, precision).context(sentences) for precision in ("float32", "int8"))
    assert np.abs(exact.x - rough.x).mean() < 0.02 * np.abs(exact.x).max()
    assert np.abs(exact.tags - rough.tags).mean() < 0.02 * np.abs(exact.tags).max()


def test_threads_share_an_engine():
    engine = onnx_engine(random_parser())
    batches = [random_sentences(20, seed=seed) for seed in range(8)]
    expected = [list(decode(engine, batch).gaps()) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda batch: list(decode(engine, batch).gaps()), batches))
    assert found == expected


@pytest.mark.parametrize("model", [{}, {"kind": "multi"}])
def test_a_long_sentence(model):
    parser = random_parser(model)
    words = [f"w{i % 97}" for i in range(400)]
    (gaps,) = decode(onnx_engine(parser), [words]).gaps()
    assert list(gaps.words) == words
    assert (gaps.heights > 0).all()
