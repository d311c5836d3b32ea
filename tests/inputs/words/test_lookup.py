from __future__ import annotations

import threading

import numpy as np
import pytest
from safetensors.numpy import save

from nccp.errors import BundleError
from nccp.inputs.words import lookup
from nccp.inputs.words.export import to_lookup
from nccp.inputs.words.lookup import load_lookup
from nccp.inputs.words.ngrams import NGrams, Table
from nccp.inputs.words.vectors import Vectors
from tests.runtime.networks import VOCABULARY, random_parser, random_sentences

PARTS = {
    "ngrams": {"ngrams": 8, "buckets": 50},
    "words": {"words": 6},
    "both": {"words": 6, "ngrams": 8, "buckets": 50},
    "vectors": {"vectors": True},
    "tuned": {"vectors": True, "tune": True},
    "all": {"vectors": True, "tune": True, "words": 6, "ngrams": 8, "buckets": 50},
}


@pytest.fixture
def vectors(tmp_path):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(4, 5)).astype(np.float32)
    grams = NGrams(Table(rng.normal(size=(30, 5)).astype(np.float32)), 2, 3)
    path = tmp_path / "given.vectors"
    Vectors.from_words(["the", "cat", "(", '"'], Table(table), grams).save(path)
    return path


@pytest.fixture(params=PARTS)
def parser(request, vectors):
    options = dict(PARTS[request.param])
    if options.pop("vectors", False):
        options["vectors"] = str(vectors)
    return random_parser(input=options)


def export_input(module, precision):
    whole = to_lookup(module)
    return whole.cast("int8") if precision == "int8" else whole


def torch_vectors(parser, words):
    parser.eval()
    return parser.input(parser.input.features([words])).detach().numpy()


def test_a_word_is_the_same_to_training_and_parsing(parser):
    found = export_input(parser.input, "float32").embed(VOCABULARY)
    np.testing.assert_allclose(found, torch_vectors(parser, VOCABULARY), atol=1e-5)


def test_it_survives_its_files(parser, tmp_path):
    for precision in ("float32", "int8"):
        written = export_input(parser.input, precision)
        folder = tmp_path / precision
        folder.mkdir()
        written.save(folder.joinpath)
        read = load_lookup(folder.joinpath)
        assert read.size == written.size == parser.input.size
        np.testing.assert_array_equal(read.embed(VOCABULARY), written.embed(VOCABULARY))


def test_bounds_hold(parser):
    input = export_input(parser.input, "int8")
    assert (np.abs(input.embed(VOCABULARY)) <= input.bounds() * (1 + 1e-6)).all()
    assert (input.bounds() > 0).all()


def test_eight_bits_are_near(parser):
    exact, rough = (
        export_input(parser.input, precision).embed(VOCABULARY) for precision in ("float32", "int8")
    )
    assert np.abs(exact - rough).max() < 0.05 * np.abs(exact).max()


def test_lookup_remembers_grows_and_forgets(monkeypatch):
    monkeypatch.setattr(lookup, "_LIMIT", 3000)
    input = export_input(random_parser().input, "float32")
    for start in (0, 900, 2000, 2500, 0):
        words = [f"w{i}" for i in range(start, start + 1500)]
        found = input.lookup([words[:7], words[7:]])
        np.testing.assert_array_equal(found.vectors[found.rows], input.embed(words))


def test_more_words_at_once_than_are_remembered(monkeypatch):
    monkeypatch.setattr(lookup, "_LIMIT", 10)
    input = export_input(random_parser().input, "float32")
    words = [f"w{i}" for i in range(100)]
    found = input.lookup([words])
    np.testing.assert_array_equal(found.vectors[found.rows], input.embed(words))


def test_threads_do_not_disturb_each_other(monkeypatch):
    monkeypatch.setattr(lookup, "_LIMIT", 500)
    input = export_input(random_parser().input, "float32")
    wrong = []

    def work(seed):
        for step in range(30):
            words = [f"{seed} {step} {i}" for i in range(40)]
            found = input.lookup([words])
            if not np.array_equal(found.vectors[found.rows], input.embed(words)):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_no_words():
    found = export_input(random_parser().input, "float32").lookup([])
    assert len(found.rows) == 0


def test_damaged_files(tmp_path):
    parser = random_parser(input={"words": 6})
    export_input(parser.input, "float32").save(tmp_path.joinpath)
    words, tables = tmp_path / "words.json", tmp_path / "tables.safetensors"
    whole = tables.read_bytes()
    for bad in (b"", whole[:20], b"\xff" * len(whole)):
        tables.write_bytes(bad)
        with pytest.raises(BundleError, match=r"tables\.safetensors"):
            load_lookup(tmp_path.joinpath)
    tables.write_bytes(whole)
    words.write_bytes(b'["the"')
    with pytest.raises(BundleError, match=r"words\.json"):
        load_lookup(tmp_path.joinpath)
    words.write_bytes(b'["the"]')
    with pytest.raises(BundleError, match="4 rows of words for 1"):
        load_lookup(tmp_path.joinpath)


def test_sentences_of_the_test_are_awkward():
    assert {"", "🙂", "-LRB-"} <= {word for sentence in random_sentences() for word in sentence}


def tables(**arrays):
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()})


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"ngrams": np.zeros(4, np.float32)}, "ngrams is float32 of shape"),
        ({"ngrams": np.zeros((4, 0), np.float32)}, "ngrams is float32 of shape"),
        ({"ngrams": np.zeros((0, 4), np.float32)}, "the table ngrams has no rows"),
        ({"ngrams": np.zeros((4, 2), np.int64)}, "ngrams is int64 of shape"),
        ({"ngrams": np.zeros((4, 2), np.int8)}, "only a table of int8 has scales, and needs them"),
        ({"ngrams": np.zeros((4, 2), np.int8), "ngrams_scales": np.ones(3, np.float32)}, "scales of shape"),
        ({"words": np.zeros((5, 2), np.float32)}, "5 rows of words for 2 words"),
        ({"shift": np.zeros((3, 2), np.float32)}, "shift does not fit"),
        ({"other": np.zeros((3, 2), np.float32)}, "incomplete"),
    ],
)
def test_tables_that_do_not_fit(tmp_path, arrays, message):
    (tmp_path / "words.json").write_bytes(b'["a", "b"]')
    (tmp_path / "tables.safetensors").write_bytes(tables(**arrays))
    with pytest.raises(BundleError, match=message):
        load_lookup(tmp_path.joinpath)


def test_any_flipped_byte_is_an_error_or_a_lookup(tmp_path, vectors):
    options = {"vectors": str(vectors), "words": 6, "ngrams": 4, "buckets": 5}
    to_lookup(random_parser(input=options).input).cast("int8").save(tmp_path.joinpath)
    rng = np.random.default_rng(0)
    for name in ("words.json", "tables.safetensors", "vectors.safetensors"):
        whole = (tmp_path / name).read_bytes()
        for place in rng.integers(len(whole), size=150):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << int(rng.integers(8))
            (tmp_path / name).write_bytes(damaged)
            try:
                found = load_lookup(tmp_path.joinpath).embed(VOCABULARY)
            except BundleError as error:
                assert name in str(error) or "does not fit" in str(error)  # noqa: PT017 (both ends are fine)
            else:
                assert len(found) == len(VOCABULARY)
        (tmp_path / name).write_bytes(whole)
