"""Remove the pieces of an encoder that a language rarely uses; they may be half of a small model.

    python recipes/materials/small_vocabulary.py ../encoders/deberta 40000 ../encoders/deberta-40k \\
        ../raw-english/*.txt

The pieces that are most frequent in the texts are kept, and all single characters, so that every word can
still be spelled. A word whose piece was removed is cut into shorter pieces. Works for the tokenizers of BERT
(WordPiece) and DeBERTa-v3 (Unigram). Needs the extra [train].
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from pathlib import Path

from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

_TABLE = "embeddings.word_embeddings.weight"
_MARKS = "##", "▁"  # of pieces that continue a word, of pieces that begin one


def main(source: Path, size: int, out: Path, texts: list[Path]) -> None:
    """Write the folder ``out``."""
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    counts: Counter[int] = Counter()
    for text in texts:
        with text.open(encoding="utf-8") as lines:
            for encoding in tokenizer.encode_batch(lines.readlines(), add_special_tokens=False):
                counts.update(encoding.ids)
    shutil.copytree(source, out, ignore=shutil.ignore_patterns("model.safetensors", "vocab.txt", "spm.model"))
    described = json.loads((source / "tokenizer.json").read_text("utf-8"))
    model, added = described["model"], described["added_tokens"]
    listed = isinstance(model["vocab"], list)  # Unigram: pieces with scores, in the order of their rows
    vocabulary = {piece: row for row, (piece, _) in enumerate(model["vocab"])} if listed else model["vocab"]
    special = {token["content"]: token["id"] for token in added}
    rows: dict[str, int] = vocabulary | special
    needed = {row for piece, row in rows.items() if piece in special or len(_bare(piece)) <= 1}
    ranked = sorted(rows.values(), key=lambda row: (row not in needed, -counts[row], row))
    kept = sorted(ranked[: max(size, len(needed))])
    new = {row: place for place, row in enumerate(kept)}
    if listed:
        model["vocab"] = [entry for row, entry in enumerate(model["vocab"]) if row in new]
        model["unk_id"] = new[model["unk_id"]]
    else:
        model["vocab"] = {piece: new[row] for piece, row in model["vocab"].items() if row in new}
    for token in added:
        token["id"] = new[token["id"]]
    for token in described.get("post_processor", {}).get("special_tokens", {}).values():
        token["ids"] = [new[row] for row in token["ids"]]
    described |= {"truncation": None, "padding": None}
    (out / "tokenizer.json").write_text(json.dumps(described, ensure_ascii=False), "utf-8")
    config = json.loads((source / "config.json").read_text("utf-8"))
    config |= {"vocab_size": len(kept), "pad_token_id": new[config.get("pad_token_id", 0)]}
    (out / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    tensors = load_file(source / "model.safetensors")
    (name,) = (name for name in tensors if name.endswith(_TABLE))
    tensors[name] = tensors[name][kept]
    save_file(tensors, out / "model.safetensors", {"format": "pt"})
    share = sum(counts[row] for row in kept) / sum(counts.values())
    print(f"{len(kept):,} of {len(rows):,} pieces, {share:.2%} of all occurrences in the texts")


def _bare(piece: str) -> str:
    for mark in _MARKS:
        piece = piece.removeprefix(mark)
    return piece


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), [Path(text) for text in sys.argv[4:]])
