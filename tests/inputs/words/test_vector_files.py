"""Reading word vectors of every format, and refusing what is none."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nccp.errors import InputError
from nccp.inputs.words.ngrams import NGrams, Table
from nccp.inputs.words.vector_files import load_vectors
from nccp.inputs.words.vectors import Vectors

TEXT = "the naïve cat sees 日本語 and 犬 twice\n" * 6


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    floret = pytest.importorskip("floret")
    folder = tmp_path_factory.mktemp("fasttext")
    (folder / "text").write_text(TEXT, encoding="utf-8")
    model = floret.train_unsupervised(
        str(folder / "text"),
        model="cbow",
        dim=6,
        bucket=500,
        minCount=1,
        epoch=20,
        lr=0.5,
        thread=1,
        verbose=0,
    )
    model.save_model(str(folder / "model.bin"))
    return model, folder / "model.bin"


def official(data: bytes) -> bytes:
    """A model as fastText itself writes it: without floret's two extra arguments, mode and hash count."""
    return data[:52] + data[60:]


@pytest.mark.parametrize("layout", [bytes, official])
def test_fasttext_models(trained: tuple[Any, Path], tmp_path: Path, layout: Any) -> None:
    model, path = trained
    (tmp_path / "m").write_bytes(layout(path.read_bytes()))
    vectors = load_vectors(tmp_path / "m")
    assert sorted(vectors.words) == sorted(model.words)
    words = ["the", "naïve", "日本語", "犬", "</s>", "unseen", "naïvely", "日本", "x", "", "the"]
    expected = np.array([model.get_word_vector(word) for word in words])
    assert np.abs(expected).max() > 1e-2
    np.testing.assert_allclose(vectors.lookup(words), expected, atol=1e-6)


def test_fasttext_without_ngrams(tmp_path: Path) -> None:
    floret: Any = pytest.importorskip("floret")
    (tmp_path / "text").write_text(TEXT, encoding="utf-8")
    model = floret.train_unsupervised(
        str(tmp_path / "text"), dim=4, maxn=0, minCount=1, epoch=1, thread=1, verbose=0
    )
    model.save_model(str(tmp_path / "m"))
    vectors = load_vectors(tmp_path / "m")
    assert vectors.ngrams is None
    np.testing.assert_allclose(vectors.lookup(["cat"])[0], model.get_word_vector("cat"), atol=1e-6)


def test_fasttext_classifiers_have_labels_besides_words(tmp_path: Path) -> None:
    floret: Any = pytest.importorskip("floret")
    (tmp_path / "text").write_text("__label__a the cat\n__label__b the dog\n" * 150)
    model = floret.train_supervised(
        str(tmp_path / "text"), dim=4, minn=2, maxn=3, bucket=300, epoch=1, thread=1, verbose=0
    )
    model.save_model(str(tmp_path / "m.bin"))
    vectors = load_vectors(tmp_path / "m.bin")
    assert vectors.words == ["</s>", "cat", "dog", "the"]
    np.testing.assert_allclose(vectors.lookup(["cats"])[0], model.get_word_vector("cats"), atol=1e-6)
    model.quantize()
    model.save_model(str(tmp_path / "m.ftz"))
    with pytest.raises(InputError, match="quantised"):
        load_vectors(tmp_path / "m.ftz")


def test_the_first_words_of_a_model(trained: tuple[Any, Path]) -> None:
    model, path = trained
    vectors = load_vectors(path, limit=3)
    assert sorted(vectors.words) == sorted(model.words[:3])
    np.testing.assert_allclose(
        vectors.lookup(model.words[:3]), [model.get_word_vector(word) for word in model.words[:3]], atol=1e-6
    )


def test_a_model_cut_short_anywhere_is_refused(trained: tuple[Any, Path], tmp_path: Path) -> None:
    data = trained[1].read_bytes()
    input_end = len(data) - 1 - 16 - 4 * 6 * 9  # before the output matrix, which is not read
    for length in [*range(4, 400, 3), *range(400, input_end, 499), input_end - 1]:
        (tmp_path / "m").write_bytes(data[:length])
        with pytest.raises(InputError, match=r"truncated|damaged"):
            load_vectors(tmp_path / "m")


def test_models_of_another_kind_are_refused(trained: tuple[Any, Path], tmp_path: Path) -> None:
    data = trained[1].read_bytes()
    (tmp_path / "m").write_bytes(data[:4] + struct.pack("<i", 13) + data[8:])
    with pytest.raises(InputError, match="version 13"):
        load_vectors(tmp_path / "m")
    (tmp_path / "m").write_bytes(data[:8] + struct.pack("<i", 7) + data[12:])
    with pytest.raises(InputError, match="for 9 words of 7"):
        load_vectors(tmp_path / "m")
    floret: Any = pytest.importorskip("floret")
    (tmp_path / "text").write_text(TEXT, encoding="utf-8")
    options = {"dim": 4, "bucket": 50, "minCount": 1, "epoch": 1, "thread": 1, "verbose": 0}
    floret.train_unsupervised(str(tmp_path / "text"), mode="floret", **options).save_model(
        str(tmp_path / "m")
    )
    with pytest.raises(InputError, match="floret mode"):
        load_vectors(tmp_path / "m")


def write(tmp_path: Path, data: bytes | str) -> Path:
    (tmp_path / "v").write_bytes(data.encode() if isinstance(data, str) else data)
    return tmp_path / "v"


@pytest.mark.parametrize(
    "text",
    [
        "3 2\nthe 1 2\ncat 3 4\n犬 5 -6e-1\n",
        "the 1 2\ncat 3 4\n犬 5 -.6",
        "3 2 \r\nthe 1 2 \r\ncat\t3\t4\r\n犬 5 -0.6\r\n",
        "4 2\nthe 1 2\ncat 3 4\nthe 8 8\n犬 5 -0.6\n",
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_text(tmp_path: Path, text: str, pack: Any) -> None:
    vectors = load_vectors(write(tmp_path, pack(text.encode())))
    assert vectors.words == ["cat", "the", "犬"]
    np.testing.assert_allclose(vectors.lookup(["the", "cat", "犬"]), [[1, 2], [3, 4], [5, -0.6]])


def test_text_with_spaces_and_odd_letters_in_words(tmp_path: Path) -> None:
    vectors = load_vectors(write(tmp_path, ". . . 1 2\na\u2028b 3 4\n\u00a0 5 6\nmail name@x.org 7 8\n"))
    assert set(vectors.words) == {". . .", "a\u2028b", "\u00a0", "mail name@x.org"}


def test_the_first_words_of_a_text(tmp_path: Path) -> None:
    assert load_vectors(write(tmp_path, "3 1\nb 1\na 2\nc 3\n"), limit=2).words == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 2\nthe 1 2\ncat 3\n", "v:3: expected a word and 2 numbers, found 1"),
        ("2 2\nthe 1 2\ncat 3 4 5\n", "v:3: expected a word and 2 numbers, found 3"),
        ("the 1 2\n\ncat 3 4\n", "v:2: expected a word and 2 numbers, found 0"),
        ("the 1 2\ncat 3 x\n", "v:2: could not convert"),
        ("a sentence of words\n", "v:1: expected a word and numbers; supported"),
        ("word\n", "v:1: expected a word and numbers"),
        ("2 2\nthe 1 2\ncat nan 4\n", "v:3: a number that is not finite"),
        ("the 1 2\ncat 3 1e99\n", "v:2: a number that is not finite"),
        ("3 2\nthe 1 2\ncat 3 4\n", "truncated: its first line promises 3 words, it has 2"),
        ("0 2\n", "no word vectors"),
        ("", "no word vectors"),
    ],
)
def test_bad_text(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_vectors(write(tmp_path, text))


def test_bad_gzip(tmp_path: Path, trained: tuple[Any, Path]) -> None:
    data = gzip.compress(b"the 1 2\n" * 99)
    with pytest.raises(InputError, match="truncated"):
        load_vectors(write(tmp_path, data[:-9]))
    with pytest.raises(InputError, match="gunzip"):
        load_vectors(write(tmp_path, gzip.compress(trained[1].read_bytes())))


def npz(path: Path, **changes: Any) -> Path:
    arrays: dict[str, Any] = {
        "vectors": np.array([[1, 2], [3, 4]], np.float16),
        "words": np.frombuffer("the\ncat\n犬".encode(), np.uint8),
        "rows": np.array([1, 0, 1], np.uint16),
    } | changes
    np.savez_compressed(path, **{name: array for name, array in arrays.items() if array is not None})
    return path


def test_npz(tmp_path: Path) -> None:
    vectors = load_vectors(npz(tmp_path / "v.npz"))
    assert vectors.lookup(["the", "cat", "犬"]).tolist() == [[3, 4], [1, 2], [3, 4]]
    assert vectors.table.values.dtype == np.float16


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": None}, "rows"),
        ({"rows": np.array([1, 0])}, "do not fit"),
        ({"rows": np.array([1, 0, 2])}, "do not fit"),
        ({"rows": np.array([1, 0, -1])}, "do not fit"),
        ({"vectors": np.zeros(4)}, "do not fit"),
        ({"vectors": np.array([[object()] * 2] * 2)}, "damaged"),
    ],
)
def test_bad_npz(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_vectors(npz(tmp_path / "v.npz", **changes))


def test_npz_cut_short(tmp_path: Path) -> None:
    data = npz(tmp_path / "v.npz").read_bytes()
    for length in range(4, len(data), 7):
        with pytest.raises(InputError, match="damaged"):
            load_vectors(write(tmp_path, data[:length]))


def example(mixed: bool = True) -> Vectors:
    values = np.arange(20, dtype=np.float32).reshape(5, 4)
    return Vectors.from_words(["a", "b", "犬"], Table(values[:3]), NGrams(Table(values), 2, 3), mixed=mixed)


def test_saved_files_are_found_out_and_agree_with_the_safetensors_package(tmp_path: Path) -> None:
    safetensors: Any = pytest.importorskip("safetensors.numpy")
    for vectors in (example(), example().compact("int8")):
        vectors.save(tmp_path / "v")
        assert np.array_equal(load_vectors(tmp_path / "v").lookup(["a", "犬x"]), vectors.lookup(["a", "犬x"]))
        arrays = safetensors.load_file(tmp_path / "v")
        assert arrays["words"].tobytes().decode() == "a\nb\n犬"
        assert np.array_equal(arrays["table"], vectors.table.values)
        info = {
            "format": "nccp-vectors",
            "version": "1",
            "mixed": str(int(vectors.mixed)),
            "minn": "2",
            "lower": "0",
            "maxn": "3",
        }
        safetensors.save_file(arrays, tmp_path / "w", info)
        assert np.array_equal(load_vectors(tmp_path / "w").lookup(["a", "犬x"]), vectors.lookup(["a", "犬x"]))


def test_saved_files_cut_short_are_refused(tmp_path: Path) -> None:
    example().save(tmp_path / "v")
    data = (tmp_path / "v").read_bytes()
    for length in range(9, len(data)):
        (tmp_path / "w").write_bytes(data[:length])
        with pytest.raises(InputError, match=r"truncated|damaged"):
            load_vectors(tmp_path / "w")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"version":"1"', '"version":"9"', "version 9"),
        ('"nccp-vectors"', '"other-format"', "not of word vectors"),
        ('"rows"', '"rosw"', "damaged"),
        ('"F32"', '"Q99"', "damaged"),
        ('"minn":"2"', '"minn":"x"', "damaged"),
    ],
)
def test_damaged_saved_files_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    example().save(tmp_path / "v")
    data = (tmp_path / "v").read_bytes()
    assert old.encode() in data
    with pytest.raises(InputError, match=message):
        load_vectors(write(tmp_path, data.replace(old.encode(), new.encode())))


@pytest.mark.parametrize("header", [[], {"__metadata__": 3}, {"__metadata__": {"format": "nccp-vectors"}}])
def test_headers_that_make_no_sense(tmp_path: Path, header: Any) -> None:
    text = b"{" + json.dumps(header).encode() if not isinstance(header, dict) else json.dumps(header).encode()
    with pytest.raises(InputError, match=r"damaged|not of"):
        load_vectors(write(tmp_path, len(text).to_bytes(8, "little") + text))


def test_anything_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not a file of word vectors; supported: .*\.bin"):
        load_vectors(write(tmp_path, b"\x89PNG\r\n\0\0\0"))
    with pytest.raises(InputError, match="No such file"):
        load_vectors(tmp_path / "none")
    with pytest.raises(InputError, match="directory"):
        load_vectors(tmp_path)
