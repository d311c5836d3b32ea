"""An encoder back from a bundle, to be trained further without its Hugging Face folder."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import nccp
from nccp.config import check_config
from nccp.decoding import Parser, decode
from nccp.errors import BundleError, ConfigError
from nccp.evaluation import evaluate
from nccp.export.bundle import export_model
from nccp.export.read_bundle import bundle_config, bundle_weights
from nccp.model.parsing_model import ParsingModel
from nccp.runtime import Bundle
from nccp.runtime.manifest import Manifest
from nccp.runtime.models import find_model
from nccp.trees import from_gaps
from tests.inputs.encoder.test_lookup import SENTENCES, torch_vectors
from tests.inputs.encoder.tiny_encoders import KINDS, build
from tests.runtime.networks import random_parser


def restore(bundle: Bundle) -> ParsingModel:
    """The model of a bundle in torch."""
    weights, words = bundle_weights(bundle)
    model = ParsingModel(check_config(bundle_config(bundle), "bundle"), bundle.symbols, words)
    result = model.load_state_dict(weights, strict=False)
    assert all(name.startswith("input.encoder.") for name in result.missing_keys)
    return model


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"subword": "mean", "mix_layers": True, "encoder_layers": 2}])
def test_there_and_back(kind, options, tmp_path):
    model = random_parser(input={"encoder": build(kind, tmp_path / "hub"), **options})
    if options:
        torch.nn.init.normal_(model.input.mix)
    golds = [from_gaps(gaps) for gaps in decode(model.engine(), SENTENCES).gaps()]
    export_model(model, tmp_path / "first", golds, Manifest(), precision="float32")
    again = restore(Bundle.load(tmp_path / "first"))
    np.testing.assert_allclose(
        torch_vectors(again.input, SENTENCES), torch_vectors(model.input, SENTENCES), atol=1e-4
    )
    assert evaluate(Parser(again.engine(), threads=1), golds).different == 0
    export_model(again, tmp_path / "second", golds, Manifest(), precision="float32")  # compares the trees


def test_the_first_layers_of_a_bundle(tmp_path):
    folder = build("deberta", tmp_path / "hub")
    model = random_parser(input={"encoder": folder})
    golds = [from_gaps(gaps) for gaps in decode(model.engine(), SENTENCES[:5]).gaps()]
    export_model(model, tmp_path / "out", golds, Manifest(), precision="float32")
    cut, expected = (
        random_parser(input={"encoder": str(source), "encoder_layers": 2}).input
        for source in (tmp_path / "out", folder)
    )
    assert cut.encoder.config.num_hidden_layers == 2
    np.testing.assert_allclose(torch_vectors(cut, SENTENCES), torch_vectors(expected, SENTENCES), atol=1e-4)
    with pytest.raises(ConfigError, match=r"input\.encoder_layers is 4, but .* has 3 layers"):
        random_parser(input={"encoder": str(tmp_path / "out"), "encoder_layers": 4})


def test_a_bundle_without_the_settings(tmp_path):
    model = random_parser(input={"encoder": build("bert", tmp_path / "hub")})
    golds = [from_gaps(gaps) for gaps in decode(model.engine(), SENTENCES[:5]).gaps()]
    export_model(model, tmp_path / "out", golds, Manifest(), precision="float32")
    bundle = Bundle.load(tmp_path / "out")
    (tmp_path / "out" / "encoder.json").unlink()
    with pytest.raises(BundleError, match=r"no encoder\.json.*export the model again"):
        bundle_weights(bundle)


def test_an_encoder_whose_weights_cannot_be_found(tmp_path):
    model = random_parser(input={"encoder": build("bert", tmp_path / "hub")})
    golds = [from_gaps(gaps) for gaps in decode(model.engine(), SENTENCES[:5]).gaps()]
    export_model(model, tmp_path / "out", golds, Manifest(), precision="float32")
    settings = tmp_path / "out" / "encoder.json"
    written = settings.read_text()
    settings.write_text(written.replace('"num_hidden_layers": 3', '"num_hidden_layers": 4'))
    assert settings.read_text() != written
    with pytest.raises(BundleError, match="cannot be trained further from a bundle"):
        restore(Bundle.load(tmp_path / "out"))


def test_the_shipped_model_comes_back():
    texts = ["The cat sat on the mat .", "It holds in vitro , as these well-known results show ."]
    golds = [parse.tree for parse in nccp.load("en").parse_many([text.split() for text in texts])]
    model = restore(Bundle.load(find_model("en")))
    assert evaluate(Parser(model.engine(), threads=1), golds).score.f1 > 95
