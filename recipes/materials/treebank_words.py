"""The training sentences of a treebank and the words of static vectors as text, to choose sub-word pieces by.

python recipes/materials/treebank_words.py ../shared/treebanks/ktb ../shared/vectors/ja.npz ../ja-text
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from nccp.treebanks import open_treebank


def main(treebank: str, vectors: str, out: Path) -> None:
    """Write ``trees.txt`` and ``vectors.txt``."""
    out.mkdir(parents=True, exist_ok=True)
    lines = [" ".join(entry.tree.leaves()) + "\n" for entry in open_treebank(treebank).read("train")]
    (out / "trees.txt").write_text("".join(lines), "utf-8")
    words = np.load(vectors)["words"].tobytes()
    (out / "vectors.txt").write_bytes(words + b"\n")
    count = len(words.splitlines())
    print(f"{len(lines):,} sentences, {count:,} words with vectors")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
