from __future__ import annotations

import pytest

from nccp.errors import NccpError
from nccp.runtime import load
from nccp.runtime.bench import by_length, measure_shares, measure_speed, measure_start, peak_memory
from nccp.runtime.synthetic import make_sentences, typical_lengths
from tests.bundles import write_bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return write_bundle(tmp_path_factory.mktemp("bench") / "tiny", {"kind": "multi"})


def test_made_up_text():
    lengths = [1, 2, 3, 19, 500]
    sentences = make_sentences(lengths)
    assert list(map(len, sentences)) == lengths
    assert sentences == make_sentences(lengths)
    assert sentences != make_sentences(lengths, seed=1)
    assert len(set(sentences[-1])) > 50
    lengths = typical_lengths(2000)
    assert 18 < sum(lengths) / len(lengths) < 20


def test_bins():
    made = by_length([*make_sentences([3, 10, 11, 600, 320]), []])
    assert {edges: len(part) for edges, part in made.items()} == {
        (1, 10): 2,
        (11, 20): 1,
        (161, 320): 1,
        (501, 600): 1,
    }


@pytest.mark.parametrize("model", [{}, {"kind": "multi"}])
def test_measures(model, tmp_path):
    parser = load(write_bundle(tmp_path / "tiny", model), threads=1)
    sentences = make_sentences([5, 9, 30])
    speed = measure_speed(parser, sentences, repeat=2)
    assert (speed.sentences, speed.words) == (3, 44)
    assert speed.to_dict()["words_per_second"] > speed.to_dict()["sentences_per_second"] > 0
    shares = measure_shares(parser, sentences)
    assert set(shares) == {"context", "layers", "labels", "glue", "recovery"}
    assert sum(shares.values()) == pytest.approx(1)
    assert all(share > 0 for share in shares.values())
    assert peak_memory() > 1e7


def test_start(bundle, tmp_path):
    start = measure_start(bundle)
    assert start["total"] > start["import"] > 0
    with pytest.raises(NccpError, match="no model bundle here"):
        measure_start(tmp_path / "none")
