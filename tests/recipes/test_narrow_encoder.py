"""The script that makes a student's encoder of a model's."""

from __future__ import annotations

from importlib import import_module

import pytest
import torch

from nccp.inputs.encoder.config import EncoderConfig
from nccp.inputs.encoder.torch_module import EncoderModule
from tests.inputs.encoder.tiny_encoders import build

SENTENCES = [["the", "cat", "sat"], ["a", "dog"]]


@pytest.fixture
def narrow(pytestconfig, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(pytestconfig.rootpath / "recipes" / "materials")
    narrow_encoder = import_module("narrow_encoder")
    text = tmp_path / "text.txt"
    text.write_text("the cat sat\na dog\n")

    def run(source, layers, width):
        out = tmp_path / f"narrow-{width}"
        narrow_encoder.main(str(source), layers, width, out, [text])
        return EncoderModule(EncoderConfig(encoder=str(out))).eval()

    return run


def vectors(module):
    with torch.no_grad():
        return module.vectors(module.features(SENTENCES))


def test_layers_and_units(narrow, tmp_path):
    source = build("deberta", tmp_path / "whole")
    module = narrow(source, [0, 2], 8)
    layers = module.encoder.encoder.layer
    assert [layer.intermediate.dense.out_features for layer in layers] == [8, 8]
    assert module.encoder.config.pos_att_type == ["c2p"]
    whole = EncoderModule(EncoderConfig(encoder=str(source))).encoder.encoder.layer
    for layer, place in zip(layers, (0, 2)):
        assert torch.equal(layer.attention.self.key_proj.weight, whole[place].attention.self.key_proj.weight)


def test_units_that_contribute_nothing_go_first(narrow, tmp_path):
    source = build("deberta", tmp_path / "whole")
    module = EncoderModule(EncoderConfig(encoder=str(source)))
    with torch.no_grad():
        for layer in module.encoder.encoder.layer:
            layer.output.dense.weight[:, 5:17] = 0
    module.save_encoder(tmp_path / "sparse")
    every, most, few = (vectors(narrow(tmp_path / "sparse", [0, 1, 2], width)) for width in (32, 20, 12))
    assert torch.allclose(every, most, atol=1e-5)
    assert not torch.allclose(every, few, atol=1e-3)
