"""Tokenised English text, one sentence per line, to train word vectors on: what the recipes of the paper use.

    python recipes/materials/raw_words.py ../shared/raw runs/raw.txt
    nccp vectors train runs/raw.txt runs/raw.vectors --model skipgram --epochs 3 --buckets 100000

The folder holds ``genres/*.txt`` and ``amalgum/*.tok`` (tokens separated by spaces) and ``ewt/*.conllu``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from conllu_sentences import read_conllu


def read_sentences(folder: Path) -> Iterator[list[str]]:
    """The words of every sentence, file by file in alphabetical order."""
    for path in [*sorted(folder.glob("genres/*.txt")), *sorted(folder.glob("amalgum/*.tok"))]:
        yield from (words for line in path.open(encoding="utf-8") if (words := line.split()))
    for path in sorted(folder.glob("ewt/*.conllu")):
        yield from (sentence.words for sentence in read_conllu(path))


def main() -> None:
    """Write the text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with options.out.open("w", encoding="utf-8") as file:
        for words in read_sentences(options.folder):
            file.write(" ".join(words) + "\n")
            count += len(words)
    print(f"{count:,} words")


if __name__ == "__main__":
    main()
