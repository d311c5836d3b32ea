import json
import sys
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from nccp.errors import InputError, MissingExtra
from nccp.inputs.encoder.torch_pretrained import load_encoder
from tests.inputs.encoder.tiny_encoders import build


@pytest.fixture
def bert(tmp_path):
    return Path(build("bert", tmp_path / "bert"))


def test_what_is_found_out_about_each_kind(tmp_path):
    specs = {}
    for kind in ("bert", "roberta", "xlnet"):
        pretrained = load_encoder(build(kind, tmp_path / kind))
        specs[kind] = pretrained.subwords.spec
        assert (pretrained.size, pretrained.layers) == (16, 3)
        assert all(p.dtype == torch.float32 for p in pretrained.encoder.parameters())
    bert, roberta, xlnet = specs.values()
    assert (len(bert.before), len(bert.after), len(roberta.before), len(roberta.after)) == (1, 1, 1, 1)
    assert (xlnet.before, len(xlnet.after), xlnet.after_types) == ((), 2, (0, 2))
    assert (bert.space, roberta.space, xlnet.space) == ("", " ", "")
    assert (bert.limit, roberta.limit, xlnet.limit) == (30, 30, 512)


@pytest.mark.parametrize("name", ["/nowhere/at/all", "./nowhere", "~/nowhere", "no/where/here"])
def test_no_such_folder(name):
    with pytest.raises(InputError, match="no such folder"):
        load_encoder(name)


def test_a_folder_of_something_else(tmp_path):
    with pytest.raises(InputError, match=r"no config\.json"):
        load_encoder(str(tmp_path))


def test_a_hub_name_without_a_network(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match=r"nobody/nothing: .*cannot be reached"):
        load_encoder("nobody/nothing")


def test_pickles_are_refused_and_the_advice_holds(bert):
    weights = bert / "model.safetensors"
    torch.save(load_file(weights), bert / "pytorch_model.bin")
    weights.unlink()
    with pytest.raises(InputError, match=r"a pickle \(pytorch_model.bin\).*save_pretrained") as caught:
        load_encoder(str(bert))
    advice = str(caught.value).split('python -c "')[1].rstrip('"')
    exec(advice, {})
    assert load_encoder(str(bert)).size == 16


def test_no_weights(bert):
    (bert / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"no model\.safetensors"):
        load_encoder(str(bert))


def test_weights_that_lack_something(bert):
    weights = load_file(bert / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, bert / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"missing: encoder\.layer\.1\.output\.dense\.weight"):
        load_encoder(str(bert))
    assert load_encoder(str(bert), layers=1).layers == 1


def test_damaged_weights(bert):
    data = (bert / "model.safetensors").read_bytes()
    (bert / "model.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="bert: "):
        load_encoder(str(bert))


def test_code_in_the_folder_is_not_run(bert):
    config = json.loads((bert / "config.json").read_text())
    config.update(model_type="own", auto_map={"AutoConfig": "own.Config", "AutoModel": "own.Model"})
    (bert / "config.json").write_text(json.dumps(config))
    (bert / "own.py").write_text("raise SystemExit('it ran')")
    with pytest.raises(InputError, match="code of its own"):
        load_encoder(str(bert))


def test_half_precision_weights_are_read_as_floats(bert):
    weights = {name: tensor.half() for name, tensor in load_file(bert / "model.safetensors").items()}
    save_file(weights, bert / "model.safetensors", metadata={"format": "pt"})
    assert all(p.dtype == torch.float32 for p in load_encoder(str(bert)).encoder.parameters())


def test_quiet_without_leaving_a_trace(bert, capfd):
    level = transformers.utils.logging.get_verbosity()
    load_encoder(str(bert), layers=1)
    assert capfd.readouterr() == ("", "")
    assert transformers.utils.logging.get_verbosity() == level
    assert transformers.utils.logging.is_progress_bar_enabled()


def test_without_transformers(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"needs transformers: pip install '.*\[train\]'"):
        load_encoder("anything")
