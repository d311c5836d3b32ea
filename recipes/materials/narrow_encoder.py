"""Make a small encoder of the DeBERTa in a model, for a student to start from: some layers, each narrower.

    python recipes/materials/narrow_encoder.py en 0,4,8 512 ../encoders/narrow ../student/genres-*.txt

Of each layer named, the feed-forward network keeps the 512 inner units that contribute most to its output on
a sample of the text (mean size of the unit times the length of its output weights). Attention scores lose the
part from position to content (``nccp.inputs.encoder.torch_deberta``). Needs the extra [train].
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nccp.inputs.encoder.config import EncoderConfig
from nccp.inputs.encoder.torch_module import EncoderModule
from nccp.runtime.models import find_model

_SAMPLE = 200
"""Sentences of each text that contributions are measured on."""


@torch.no_grad()
def main(model: str, layers: list[int], width: int, out: Path, texts: list[Path]) -> None:
    """Write the folder ``out`` in the format of Hugging Face."""
    module = EncoderModule(EncoderConfig(encoder=str(find_model(model)))).eval()
    encoder: Any = module.encoder
    kept = [encoder.encoder.layer[place] for place in layers]
    sizes = _unit_sizes(module, kept, [line.split() for text in texts for line in _head(text)])
    for layer, size in zip(kept, sizes):
        inner, outer = layer.intermediate.dense, layer.output.dense
        units = (size * outer.weight.norm(dim=0)).topk(width).indices.sort().values
        inner.weight.data, inner.bias.data = inner.weight[units], inner.bias[units]
        outer.weight.data = outer.weight[:, units]
        for factor in layer.attention.self.query_proj.parameters():
            factor *= (2 / 3) ** 0.5  # a score is divided by the root of its number of parts
    encoder.encoder.layer = torch.nn.ModuleList(kept)
    module.save_encoder(out)
    about = json.loads((out / "config.json").read_text("utf-8"))
    about |= {"num_hidden_layers": len(layers), "intermediate_size": width, "pos_att_type": ["c2p"]}
    (out / "config.json").write_text(json.dumps(about, indent=2), "utf-8")


def _head(text: Path) -> list[str]:
    with text.open(encoding="utf-8") as lines:
        return [line for line, _ in zip(lines, range(_SAMPLE))]


def _unit_sizes(module: EncoderModule, layers: list[Any], sentences: list[list[str]]) -> list[Tensor]:
    """The mean size of each inner unit of these layers."""
    sums = [torch.zeros(layer.intermediate.dense.out_features) for layer in layers]

    def watch(total: Tensor) -> Any:
        return lambda _, __, output: total.add_(output.abs().flatten(0, -2).sum(0))

    hooks = [layer.intermediate.register_forward_hook(watch(total)) for layer, total in zip(layers, sums)]
    for start in range(0, len(sentences), 50):
        module(module.features(sentences[start : start + 50]))
    for hook in hooks:
        hook.remove()
    return sums


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    source, places, width, folder, *texts = sys.argv[1:]
    layers = [int(place) for place in places.split(",")]
    main(source, layers, int(width), Path(folder), [Path(text) for text in texts])
