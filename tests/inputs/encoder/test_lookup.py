from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from nccp.decoding import decode
from nccp.errors import BundleError
from nccp.export.bundle import export_model
from nccp.export.onnx_graph import OPSET, Graph
from nccp.inputs import ExportOptions
from nccp.inputs.encoder.export import export_module, measure_bounds
from nccp.inputs.encoder.lookup import load_lookup
from nccp.runtime import Bundle
from nccp.runtime.manifest import Manifest
from nccp.trees import from_gaps
from tests.runtime.networks import random_parser, random_sentences, same

tiny_encoders = pytest.importorskip("tests.inputs.encoder.tiny_encoders")

SENTENCES = [words for words in random_sentences(30, 40) if all(words)]


@pytest.fixture(scope="module", params=tiny_encoders.KINDS)
def encoder(request, tmp_path_factory):
    return tiny_encoders.build(request.param, tmp_path_factory.mktemp(request.param))


def write(parser, folder):
    options = ExportOptions(int8=False, max_vectors=None, sentences=[], opset=OPSET, quantize=None)
    assert export_module(parser.input, folder.joinpath, options) is None


def torch_vectors(input, sentences):
    input.eval()
    with torch.no_grad():
        return input(input.features(sentences)).numpy()


@pytest.mark.parametrize(
    "options", [{"subword": "first"}, {"subword": "last"}, {"subword": "mean", "mix_layers": True}]
)
def test_a_word_is_the_same_to_training_and_parsing(encoder, options, tmp_path):
    parser = random_parser(input={"encoder": encoder, **options})
    if "mix_layers" in options:
        torch.nn.init.normal_(parser.input.mix)
    write(parser, tmp_path)
    read = load_lookup(tmp_path.joinpath)
    assert read.size == parser.input.size
    words = read.lookup(SENTENCES)
    np.testing.assert_allclose(words.vectors[words.rows], torch_vectors(parser.input, SENTENCES), atol=1e-4)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_bundle_with_an_encoder(encoder, precision, tmp_path):
    parser = random_parser(input={"encoder": encoder})
    golds = [from_gaps(gaps) for gaps in decode(parser.engine(), SENTENCES).gaps()]
    export_model(parser, tmp_path / "out", golds, Manifest(), precision=precision)
    bundle = Bundle.load(tmp_path / "out")
    bundle.verify()
    decoded = decode(bundle.engine(), SENTENCES)
    assert [list(gaps.words) for gaps in decoded.gaps()] == SENTENCES
    if precision == "float32":
        assert same(decoded, decode(parser.engine(), SENTENCES))


@pytest.fixture
def written(tmp_path):
    encoder = tiny_encoders.build("bert", tmp_path / "bert")
    folder = tmp_path / "written"
    folder.mkdir()
    write(random_parser(input={"encoder": encoder}), folder)
    return folder


def test_range(written):
    input = load_lookup(written.joinpath)
    bounds = measure_bounds(input, SENTENCES)
    assert (np.abs(input.lookup(SENTENCES).vectors) <= bounds).all()
    assert (measure_bounds(input, []) > 0).all()


def test_no_words(written):
    assert load_lookup(written.joinpath).lookup([]).vectors.shape == (0, 16)


@pytest.mark.parametrize("name", ["encoder.onnx", "tokenizer.json", "pieces.json"])
def test_damaged_files(written, name):
    (written / name).write_bytes(b"{}")
    with pytest.raises(BundleError, match=name):
        load_lookup(written.joinpath)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limit": 3}, "windows of 3 pieces"),
        ({"limit": -(2**40)}, "windows of"),
        ({"limit": 2**40}, "windows of"),
        ({"pad": -1}, "pieces"),
        ({"unknown": 10**9}, "pieces"),
        ({"before": [10**9]}, "pieces"),
        ({"after_types": [0, 0, 0, 0, 0]}, "types for"),
        ({"space": 3}, "Expected `str`"),
    ],
)
def test_pieces_that_do_not_fit(written, changes, message):
    path = written / "pieces.json"
    spec = json.loads(path.read_bytes())
    path.write_text(json.dumps({**spec, "subwords": {**spec["subwords"], **changes}}))
    with pytest.raises(BundleError, match=rf"pieces\.json: damaged.*{message}"):
        load_lookup(written.joinpath)


def test_another_graph_in_place_of_the_encoder(written):
    graph = Graph("encoder")
    ids = graph.input("ids", "int64", "rows", "columns")
    graph.output(graph.op("Cast", ids, to=1), "vectors", "float", "rows", "columns")
    (written / "encoder.onnx").write_bytes(graph.model().SerializeToString())
    with pytest.raises(BundleError, match=r"encoder\.onnx: unexpected outputs"):
        load_lookup(written.joinpath)
