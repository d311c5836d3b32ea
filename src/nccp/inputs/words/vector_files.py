"""Files of word vectors. The format is detected from the first bytes, whatever the file is called.

    fastText .bin       memory-mapped; known words are mixed with their n-grams, as fastText does
    .vec, .vec.gz       text, a word and its numbers on each line, with or without a header
    .npz                arrays ``vectors``, ``words`` (newline-joined UTF-8) and ``rows``
    ours                safetensors, memory-mapped; written by ``Vectors.save``

Truncated, damaged and foreign files are refused with an error that says where.
"""

from __future__ import annotations

import gzip
import json
import mmap
import struct
import zipfile
import zlib
from array import array
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from nccp.errors import InputError
from nccp.files import atomic_write
from nccp.inputs.words.ngrams import NGrams, Table
from nccp.inputs.words.vectors import Vectors, WordIndex

FASTTEXT_MAGIC = struct.pack("<i", 793712314)
FASTTEXT_VERSION = 12
FORMAT, FORMAT_VERSION = "nccp-vectors", "1"
GZIP_MAGIC, ZIP_MAGIC = b"\x1f\x8b", b"PK\x03\x04"
KNOWN = "supported: fastText's .bin, .vec and .vec.gz text, .npz, and files saved by nccp vectors"

_SUPERVISED, _FLORET_MODE = 3, 2  # fastText's numbers for models, floret's for modes
_DTYPES = {"float32": "F32", "float16": "F16", "int8": "I8"} | {f"uint{n}": f"U{n}" for n in (8, 16, 32, 64)}
_LONGEST_HEADER = 100_000_000  # the limit that safetensors sets
_LONGEST_NGRAM = 100


def load_vectors(path: str | Path, *, limit: int | None = None) -> Vectors:
    """Read word vectors of any known format.

    ``limit`` keeps the first words of a ``.bin`` or ``.vec`` file, which are its most frequent ones.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            head = file.read(4096)
        if head.startswith(FASTTEXT_MAGIC):
            return read_fasttext(path, limit=limit)
        if head.startswith(ZIP_MAGIC):
            return read_npz(path)
        if len(head) > 8 and head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= _LONGEST_HEADER:
            return read_saved(path)
        if b"\0" in head and not head.startswith(GZIP_MAGIC):
            raise InputError(f"{path}: not a file of word vectors; {KNOWN}")
        return read_text(path, limit=limit)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def read_text(path: Path, *, limit: int | None = None) -> Vectors:
    """Read ``.vec`` text, plain or gzipped: ``word number number ...`` on each line."""
    with path.open("rb") as raw:
        zipped = raw.read(2) == GZIP_MAGIC
    with gzip.open(path) if zipped else path.open("rb") as file:
        try:
            return _read_lines(file, path, limit)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise InputError(f"{path}: the gzip file is damaged or truncated") from None


def _read_lines(file: Iterable[bytes], path: Path, limit: int | None) -> Vectors:
    words: list[bytes] = []
    numbers = array("f")
    promised, dim = 0, 0
    for line_number, line in enumerate(tqdm(file, desc=path.name, unit=" lines", disable=None), 1):
        if limit is not None and len(words) >= limit:
            break
        fields = line.split()
        if line_number == 1:
            if line.startswith(FASTTEXT_MAGIC):
                raise InputError(f"{path}: a gzipped fastText .bin; unpack it with gunzip first")
            if len(fields) == 2 and fields[0].isdigit() and fields[1].isdigit():
                promised, dim = map(int, fields)
                continue
            dim = min(len(fields) - 1, sum(1 for _ in takewhile(_is_number, reversed(fields))))
            if dim < 1:
                raise InputError(f"{path}:1: expected a word and numbers; {KNOWN}")
        # a word may hold spaces (". . ." in GloVe's), but then its last part is no number
        if dim < 1 or len(fields) <= dim or (len(fields) > dim + 1 and _is_number(fields[-dim - 1])):
            found = max(len(fields) - 1, 0)
            raise InputError(f"{path}:{line_number}: expected a word and {dim} numbers, found {found}")
        try:
            numbers.extend(map(float, fields[-dim:]))
        except ValueError as error:
            raise InputError(f"{path}:{line_number}: {error}") from None
        words.append(line.rsplit(None, dim)[0].strip())
    if not words:
        raise InputError(f"{path}: no word vectors in it")
    if len(words) < promised and (limit is None or len(words) < limit):
        raise InputError(f"{path}: truncated: its first line promises {promised} words, it has {len(words)}")
    values = np.frombuffer(numbers, np.float32).reshape(len(words), dim)
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        line_number = int(bad[0]) + 1 + (promised > 0)
        raise InputError(f"{path}:{line_number}: a number that is not finite")
    return Vectors.from_words(words, Table(values))


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def read_npz(path: Path) -> Vectors:
    """Read ``vectors`` (rows, dim), ``words`` (newline-joined UTF-8) and ``rows`` (the row of each word)."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            values, joined, rows = arrays["vectors"], arrays["words"].tobytes(), arrays["rows"]
    except KeyError as error:
        raise InputError(f"{path}: {error.args[0]}; word vectors need vectors, words and rows") from None
    except (ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged or not an .npz file: {error}") from None
    words = joined.split(b"\n")
    whole = values.ndim == 2 and rows.shape == (len(words),) and rows.dtype.kind in "iu"
    if not whole or rows.min() < 0 or rows.max() >= len(values) or values.dtype.kind != "f":
        shapes = f"vectors {values.shape}, rows {rows.shape} and {len(words)} words"
        raise InputError(f"{path}: {shapes} do not fit together")
    index, order = WordIndex.build(words)
    table = Table(values if values.itemsize <= 4 else values.astype(np.float32))
    return Vectors(index, rows[order], table)


def read_fasttext(path: Path, *, limit: int | None = None) -> Vectors:
    """Read a model saved by fastText, or by floret in its fastText mode.

    The matrix stays in the file: rows are read from disk when they are needed.
    """
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        return _read_fasttext(data, path, limit)
    except struct.error:
        raise _cut_short(path) from None


def _read_fasttext(data: mmap.mmap, path: Path, limit: int | None) -> Vectors:
    (version,) = struct.unpack_from("<i", data, 4)
    if not 11 <= version <= FASTTEXT_VERSION:
        raise InputError(f"{path}: version {version} of fastText's format; expected 11 or 12")
    dim, _, _, _, _, _, _, model, buckets, minn, maxn = struct.unpack_from("<11i", data, 8)
    at = _dictionary_start(data, path)
    size, words_count, _, _, pruned = struct.unpack_from("<3i2q", data, at)
    at += 28
    words: list[bytes] = []
    for _ in range(size):  # word, zero byte, int64 count, int8 type; words come before labels
        end = data.find(b"\0", at)
        if end < 0:
            raise _cut_short(path)
        words.append(data[at:end])
        at = end + 10
    at += 8 * max(pruned, 0)
    quantised, rows, columns = struct.unpack_from("<?2q", data, at)
    at += 17
    if quantised:
        # fastText quantises text classifiers only, so there is no pretrained table to lose here
        raise InputError(f"{path}: a quantised fastText model (.ftz); use the .bin it was made from")
    if columns != dim or rows < words_count:
        raise InputError(f"{path}: damaged: a matrix of {rows} x {columns} for {words_count} words of {dim}")
    if len(data) < at + 4 * rows * columns:
        raise _cut_short(path)
    matrix = np.frombuffer(data, "<f4", rows * columns, at).reshape(rows, columns)
    if maxn <= 0 or buckets <= 0 or rows == words_count or (version == 11 and model == _SUPERVISED):
        ngrams = None
    else:
        ngrams = NGrams(Table(matrix[words_count : words_count + buckets]), minn, maxn)
    kept = words[:words_count][:limit]
    return Vectors.from_words(kept, Table(matrix[: len(kept)]), ngrams, mixed=True)


def _dictionary_start(data: mmap.mmap, path: Path) -> int:
    """Where the dictionary begins: floret writes two more arguments, mode and hash count, unannounced."""
    for at, floret in ((64, False), (72, True)):  # after the arguments and the sampling threshold, a double
        size, words_count, labels, _, pruned = struct.unpack_from("<3i2q", data, at)
        if 0 < size == words_count + labels and min(words_count, labels) >= 0 and pruned >= -1:
            if floret and struct.unpack_from("<i", data, 52)[0] == _FLORET_MODE:
                raise InputError(f"{path}: trained in floret mode; train it with mode='fasttext'")
            return at
    raise InputError(f"{path}: damaged: the dictionary of the fastText model cannot be read")


def _cut_short(path: Path) -> InputError:
    return InputError(f"{path}: truncated: the file ends before its data does")


def write_saved(vectors: Vectors, path: str | Path) -> None:
    """Write safetensors: the length of a JSON header, the header, the arrays end to end."""
    arrays = {"words": np.frombuffer(vectors.index.joined, np.uint8), "rows": vectors.rows}
    info = {"format": FORMAT, "version": FORMAT_VERSION, "mixed": str(int(vectors.mixed))}
    tables = {"table": vectors.table}
    if vectors.ngrams is not None:
        tables["ngrams"] = vectors.ngrams.table
        ngrams = vectors.ngrams
        info |= {"minn": str(ngrams.minn), "maxn": str(ngrams.maxn), "lower": str(int(ngrams.lower))}
    for name, table in tables.items():
        arrays[name] = table.values
        if table.scales is not None:
            arrays[f"{name}_scales"] = table.scales
    if arrays["rows"].dtype.kind != "u":
        arrays["rows"] = arrays["rows"].astype(np.uint32)
    header: dict[str, Any] = {"__metadata__": info}
    order = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))  # wide types first: all aligned
    end = 0
    for name in order:
        begin, end = end, end + arrays[name].nbytes
        kind = _DTYPES[arrays[name].dtype.name]
        header[name] = {"dtype": kind, "shape": list(arrays[name].shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with atomic_write(path, binary=True) as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in order:
            array_ = arrays[name]
            file.write(np.ascontiguousarray(array_, array_.dtype.newbyteorder("<")).data)


def read_saved(path: str | Path, *, mapped: bool = True) -> Vectors:
    """The vectors of a file written by `write_saved`.

    The file is mapped into memory, and only the words are read at once. Whoever writes to it then changes the
    vectors, and whoever cuts it kills the process; if not ``mapped``, all of it is read.
    """
    path = Path(path)
    try:
        arrays, info = _read_safetensors(path, mapped)
        if info.get("format") != FORMAT:
            raise InputError(f"{path}: a safetensors file, but not of word vectors; {KNOWN}")
        if info["version"] != FORMAT_VERSION:
            version = info["version"]
            raise InputError(f"{path}: version {version} of the format; this nccp reads {FORMAT_VERSION}")
        table = _table(arrays, "table")
        ngrams = None
        if "ngrams" in arrays:
            minn, maxn = int(info["minn"]), int(info["maxn"])
            grams = _table(arrays, "ngrams")
            if not (0 <= minn <= maxn <= _LONGEST_NGRAM and len(grams)):
                raise ValueError(f"n-grams of {minn} to {maxn} characters in {len(grams)} rows")
            ngrams = NGrams(grams, minn, maxn, info["lower"] == "1")
        if arrays["rows"].ndim != 1 or arrays["rows"].dtype.kind != "u":
            raise ValueError(f"row numbers are {arrays['rows'].dtype} of shape {arrays['rows'].shape}")
        index = WordIndex(arrays["words"].tobytes())
        try:
            return Vectors(index, arrays["rows"], table, ngrams, mixed=info["mixed"] == "1")
        except InputError as error:
            raise ValueError(error) from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: damaged: {error}") from None


def _table(arrays: dict[str, NDArray[Any]], name: str) -> Table:
    table = Table(arrays[name], arrays.get(f"{name}_scales"))
    table.check(name)
    return table


def _read_safetensors(path: Path, mapped: bool) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """The arrays of a safetensors file, memory-mapped or read, and its metadata; needs numpy only."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(min(length, _LONGEST_HEADER)))
        file.seek(0)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if mapped else file.read()
    info = header.pop("__metadata__", {})
    kinds = {kind: np.dtype(name).newbyteorder("<") for name, kind in _DTYPES.items()}
    arrays = {}
    for name, entry in header.items() if info.get("format") == FORMAT else ():
        begin, end = entry["data_offsets"]
        if not 0 <= begin <= end:
            raise ValueError(f"the array {name} from byte {begin} to {end}")
        if 8 + length + end > len(data):
            raise _cut_short(path)
        kind = kinds[entry["dtype"]]
        flat = np.frombuffer(data, kind, (end - begin) // kind.itemsize, 8 + length + begin)
        arrays[name] = flat.reshape(entry["shape"])
    return arrays, info
