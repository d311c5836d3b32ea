"""How well the trees of models fit the gold dependencies of EWT, on documents that no training tree is from.

    python recipes/materials/dependency_check.py ../shared/raw en en-fast

A phrase fits if exactly one of its words depends on a word outside of it (`silver.py`). No gold trees of
these genres are at hand; this compares models by attachment, not by labels.
"""

from __future__ import annotations

import sys
from pathlib import Path

from conllu_sentences import read_conllu
from silver import phrases_fit

import nccp


def main(raw: Path, models: list[str]) -> None:
    """Print a row for each model: the share of fitting phrases and of sentences in which all fit."""
    genres = {
        path.stem: [sentence for sentence in read_conllu(path) if sentence.document % 10 == 9]
        for path in sorted(raw.glob("ewt/*.conllu"))
    }
    for model in models:
        parser, cells, whole = nccp.load(model), [], []
        for genre, sentences in genres.items():
            parses = parser.parse_many([sentence.words for sentence in sentences])
            fits = [list(phrases_fit(parse.tree, s.heads)) for parse, s in zip(parses, sentences)]
            marks = [mark for marks in fits for mark in marks]
            cells.append(f"{genre} {sum(marks) / len(marks):.2%} of {len(marks):,}")
            whole += map(all, fits)
        print(f"{model}: {', '.join(cells)}; sentences without a misfit {sum(whole) / len(whole):.2%}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
