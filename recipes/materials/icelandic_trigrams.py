"""The 14 million trigrams of the PyPI package icegrams, one per line, to train Icelandic word vectors on.

    pip download --no-deps --only-binary :all: -d PACKAGES icegrams==1.1.2
    python recipes/materials/icelandic_trigrams.py PACKAGES runs/is.txt
    nccp vectors train runs/is.txt runs/is.vectors --model skipgram --dim 100 --epochs 3 --min-count 60 \\
        --buckets 40000 --maxn 5

icegrams (Miðeind, MIT) counted the trigrams of 100 million words of the Icelandic Gigaword Corpus, 2017, and
keeps those that occur three times or more. No code of the package is run. Its file stores three levels of
sorted numbers, each as an Elias-Fano list: the low bits of every number side by side, and the high bits in
unary. The levels are::

    words[i]                                        from the most frequent
    bigrams[unigram_starts[i]:unigram_starts[i+1]]  numbers of the words that follow word i
    trigrams[bigram_starts[k]:bigram_starts[k+1]]   places of third words among those that follow the second

A run of bigrams or trigrams has the last number of the run before added to each of its own, so that the whole
list is sorted. Bigrams and trigrams are stored in chunks of 2,048 numbers.
"""

from __future__ import annotations

import argparse
import gzip
import struct
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

_FILE = "icegrams/resources/trigrams.bin"
_SIGNATURE = b"Reynir 001.00.00"
_SECTIONS = (
    "trie", "freqs", "unigram_starts", "bigrams", "bigram_starts", "trigrams",
    "unigram_freqs", "bigram_freqs", "trigram_freqs", "vocabulary",
)  # fmt: skip
_ALPHABET = (
    "!$%'(),-./0123456789:;?ABCDEFGHIJKLMNOPQRSTUVWXYZ[]abcdefghijklmnopqrstuvwxyz"
    "°²³´µÀÁÄÅÆÉÍÐÓÖØÚÜÝÞßàáäåæçèéêëíîïðóôöøúüýþʹ‘’“”€"
)
_QUANTUM = 128  # numbers between two entries of the index of a list
_BATCH = 100_000


def read_list(data: bytes, start: int) -> Numbers:
    """The numbers of the Elias-Fano list at this place."""
    count, low_bits, high_bits = struct.unpack_from("<IHH", data, start)
    index = (count - 1) // _QUANTUM * 4 if high_bits else 0
    start += 8 + index
    size = (count * low_bits + 7) // 8
    bits = np.unpackbits(np.frombuffer(data, np.uint8, size, start), bitorder="little")
    low = bits[: count * low_bits].reshape(count, low_bits).astype(np.int64) @ (1 << np.arange(low_bits))
    if not high_bits:
        return low
    start += size
    most = min(len(data) - start, (count + (1 << high_bits)) // 8 + 1)
    ones = np.flatnonzero(np.unpackbits(np.frombuffer(data, np.uint8, most, start), bitorder="little"))
    return (ones[:count] - np.arange(count) << low_bits) | low


def read_chunks(data: bytes, start: int) -> Numbers:
    """The numbers of a list in chunks, each of which counts from its first number."""
    (count,) = struct.unpack_from("<I", data, start)
    places = struct.unpack_from(f"<{count}I", data, start + 4)
    firsts = [0, *read_list(data, start + 4 + 4 * count)[: count - 1].tolist()]
    return np.concatenate([first + read_list(data, start + place) for first, place in zip(firsts, places)])


def in_runs(numbers: Numbers, starts: Numbers) -> tuple[Numbers, Numbers]:
    """The numbers without what each run adds to its own, and the run that each belongs to."""
    runs = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    added = np.concatenate([[0], numbers])[starts[:-1]]
    return numbers - added[runs], runs


def read_trigrams(data: bytes) -> tuple[list[str], NDArray[np.int64]]:
    """The words, and the trigrams as three numbers each; word 0 is the edge of a sentence."""
    if data[:16] != _SIGNATURE:
        raise SystemExit(f"not the trigrams of icegrams 1: {data[:16]!r}")
    places = dict(zip(_SECTIONS, struct.unpack_from(f"<{len(_SECTIONS)}I", data, 16)))
    (index,) = struct.unpack_from("<I", data, places["vocabulary"])
    letters = gzip.decompress(data[places["vocabulary"] + 4 + 4 * index :]).split(b"\0")[:-1]
    words = ["".join(_ALPHABET[byte - 1] for byte in word) for word in letters]

    unigram_starts = read_list(data, places["unigram_starts"])
    seconds, firsts = in_runs(read_chunks(data, places["bigrams"]), unigram_starts)
    bigram_starts = read_list(data, places["bigram_starts"])
    thirds, bigrams = in_runs(read_chunks(data, places["trigrams"]), bigram_starts)
    thirds = seconds[unigram_starts[seconds[bigrams]] + thirds]
    return words, np.stack([firsts[bigrams], seconds[bigrams], thirds], axis=1)


def main() -> None:
    """Write the trigrams in a shuffled order, which does not depend on the machine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    (wheel,) = options.packages.glob("icegrams-1.*.whl")
    with zipfile.ZipFile(wheel) as archive:
        words, trigrams = read_trigrams(archive.read(_FILE))
    trigrams = np.random.default_rng(0).permutation(trigrams)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("w", encoding="utf-8") as file:
        for start in range(0, len(trigrams), _BATCH):
            for trigram in trigrams[start : start + _BATCH].tolist():
                file.write(" ".join(words[number] for number in trigram if number) + "\n")
    print(f"{len(trigrams):,} trigrams, {len(words):,} words")


if __name__ == "__main__":
    main()
