"""Files of tokenised sentences, one per line: how the materials write them."""

from __future__ import annotations

from pathlib import Path


def write_sentences(path: Path, lines: list[str]) -> None:
    """Write a file and print how much it holds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    print(f"{path.stem}: {len(lines):,} sentences, {sum(len(line.split()) for line in lines):,} words")
