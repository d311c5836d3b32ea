import os

import numpy as np
import pytest

from nccp.errors import InputError
from nccp.inputs.encoder.feature_cache import FeatureCache, sentence_key

SHAPE = (2, 3)


def vectors(words: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(words, *SHAPE)).astype(np.float16)


def opened(folder, identity="one") -> FeatureCache:
    return FeatureCache(folder, identity, SHAPE, {"encoder": "tiny"})


def filled(folder, count=5) -> FeatureCache:
    cache = opened(folder)
    for i in range(count):
        cache.put([(sentence_key([str(i)]), vectors(i, i))])
    return cache


def holds(cache: FeatureCache, count: int) -> bool:
    found = [cache.get(sentence_key([str(i)])) for i in range(count)]
    return all(a is not None and np.array_equal(a, vectors(i, i)) for i, a in enumerate(found))


def test_keys_tell_sentences_apart():
    sentences = [["a", "b"], ["ab"], ["a b"], [], [""], ["a", "b", ""], ["b", "a"]]
    assert len({sentence_key(words) for words in sentences}) == len(sentences)
    assert sentence_key(("a", "b")) == sentence_key(["a", "b"])


def test_what_is_put_is_there_at_once_and_after_opening_again(tmp_path):
    cache = filled(tmp_path)
    assert len(cache) == 5
    assert holds(cache, 5)
    assert cache.get(sentence_key(["else"])) is None
    assert holds(opened(tmp_path), 5)
    assert len(opened(tmp_path, "other")) == 0


def test_two_at_once_do_not_disturb_each_other(tmp_path):
    one, two = opened(tmp_path), opened(tmp_path)
    for i in range(6):
        (one if i % 2 else two).put([(sentence_key([str(i)]), vectors(i, i))])
    assert holds(opened(tmp_path), 6)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_writes_elsewhere(tmp_path):
    cache = filled(tmp_path, 2)
    child = os.fork()
    if child == 0:
        cache.put([(sentence_key(["2"]), vectors(2, 2))])
        os._exit(0)
    os.waitpid(child, 0)
    cache.put([(sentence_key(["3"]), vectors(3, 3))])
    assert holds(opened(tmp_path), 4)


def test_any_cut_leaves_what_precedes_it(tmp_path):
    filled(tmp_path)
    [path] = tmp_path.rglob("*.features")
    whole = path.read_bytes()
    ends = np.cumsum([32 + 2 * 6 * i for i in range(5)])
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        cache = opened(tmp_path)
        assert len(cache) == (ends <= size).sum()
        assert holds(cache, len(cache))


def test_what_was_cut_can_be_added_again(tmp_path):
    filled(tmp_path)
    [path] = tmp_path.rglob("*.features")
    path.write_bytes(path.read_bytes()[:-1])
    cache = opened(tmp_path)
    assert not holds(cache, 5)
    cache.put([(sentence_key(["4"]), vectors(4, 4))])
    assert holds(cache, 5)
    assert holds(opened(tmp_path), 5)


def test_damaged_vectors_are_not_given_out(tmp_path):
    filled(tmp_path)
    [path] = tmp_path.rglob("*.features")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    cache = opened(tmp_path)
    assert holds(cache, 4)
    assert cache.get(sentence_key(["4"])) is None


def test_zeros_where_a_record_should_be_end_the_file(tmp_path):
    filled(tmp_path)
    [path] = tmp_path.rglob("*.features")
    path.write_bytes(path.read_bytes() + bytes(1000))
    assert holds(opened(tmp_path), 5)
    assert len(opened(tmp_path)) == 5


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot open the feature cache"):
        opened(tmp_path / "file")
