"""English sentences of many genres for a teacher to parse, one tokenised sentence per line.

    python recipes/materials/genres.py ../shared/raw ../silver
    for FILE in ../silver/*.txt; do
        nccp parse --model en --input tokens $FILE > ${FILE%.txt}.a
        nccp parse --model en-multi --input tokens $FILE > ${FILE%.txt}.b
    done
    python recipes/materials/silver.py ../shared/raw ../silver ../silver-en

The folder holds ``genres/*.txt`` and ``amalgum/*.tok`` (tokens), ``sgd.txt`` (text) and ``ewt/*.conllu``.
Sentences are drawn with a fixed seed; ``--times 1.5`` draws half as many again, after the same first ones.
No sentence is taken from every tenth document of EWT: these can serve as development data.
The licences of all sources allow commercial use.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from conllu_sentences import read_conllu
from sentence_files import write_sentences

from nccp.languages import split_text

_LENGTHS = range(2, 61)
_ENDS = {".", "?", "!"}
_COUNTS = {"genres": 9_000, "amalgum": 4_000, "sgd": 6_000}
"""How many sentences to take from each file."""


def tokens(path: Path) -> Iterator[str]:
    """The lines of a tokenised file that hold one sentence."""
    for line in path.open(encoding="utf-8"):
        words = line.split()
        if not _ENDS.intersection(words[:-1]):
            yield " ".join(words)


def text(path: Path) -> Iterator[str]:
    """The sentences of plain text."""
    for line in path.open(encoding="utf-8"):
        for sentence in split_text(line, "en"):
            yield " ".join(token.text for token in sentence.tokens)


def draw(lines: Iterator[str], count: int) -> list[str]:
    """``count`` different sentences of suitable length, drawn at random."""
    found = [line for line in dict.fromkeys(lines) if len(line.split()) in _LENGTHS]
    random.Random(0).shuffle(found)
    return found[:count]


def main() -> None:
    """Write a file for each source."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--times", type=float, default=1, help="how many times as many sentences to draw")
    options = parser.parse_args()
    folder: Path = options.folder
    counts = {kind: round(count * options.times) for kind, count in _COUNTS.items()}
    drawn = {
        f"genres-{path.stem}": draw(tokens(path), counts["genres"])
        for path in sorted(folder.glob("genres/*.txt"))
    }
    for path in sorted(folder.glob("amalgum/*.tok")):
        drawn[f"amalgum-{path.stem}"] = draw(tokens(path), counts["amalgum"])
    drawn["sgd"] = draw(text(folder / "sgd.txt"), counts["sgd"])
    for path in sorted(folder.glob("ewt/*.conllu")):
        sentences = [sentence for sentence in read_conllu(path) if sentence.document % 10 != 9]
        drawn[f"ewt-{path.stem}"] = [" ".join(sentence.words) for sentence in sentences if sentence.is_plain]
    for name, lines in drawn.items():
        write_sentences(options.out / f"{name}.txt", lines)


if __name__ == "__main__":
    main()
