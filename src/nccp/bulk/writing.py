"""Shards on disk: Parquet, JSON lines, or brackets with a table beside them. Same rows, same bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

import msgspec

from nccp.bulk.options import Options
from nccp.bulk.schema import COLUMNS, SCHEMA_VERSION, Row
from nccp.errors import need
from nccp.files import atomic_write

_GROUP_ROWS, _GROUP_WORDS, _GROUP_CHARS = 5_000, 1 << 16, 1 << 22
"""A row group of Parquet ends with any of these. It is held in memory, about 500 bytes per word."""
_IDENTITY = ("source", "document", "document_id", "sentence", "start", "end", "score", "fallback")


class File(msgspec.Struct, frozen=True):
    """A file of a shard."""

    name: str
    size: int
    sha256: str


def write_shard(folder: Path, number: int, rows: Iterable[Row], options: Options) -> tuple[File, ...]:
    """Write a shard; its files appear under their names only when all of it is written."""
    write, suffixes = _FORMATS[options.format]
    pack = "" if options.format == "parquet" or options.compression == "none" else f".{options.compression}"
    paths = [folder / f"part-{number:06}{suffix}{pack}" for suffix in suffixes]
    with ExitStack() as stack:
        outputs = [_Output(stack.enter_context(atomic_write(path, binary=True))) for path in paths]
        with ExitStack() as packers:
            write([packers.enter_context(_packed(output, pack)) for output in outputs], rows)
    return tuple(
        File(path.name, output.size, output.sha256.hexdigest()) for path, output in zip(paths, outputs)
    )


class _Output(io.RawIOBase):
    """A file that remembers the digest of what is written to it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.size, self.sha256 = file, 0, hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._file.write(data)
        view = memoryview(data)
        self.sha256.update(view)
        self.size += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        return self.size


@contextmanager
def _packed(output: _Output, pack: str) -> Iterator[IO[bytes]]:
    """What is written is compressed on the way; the settings are fixed, and no time is written."""
    file = cast(IO[bytes], output)
    if pack == ".gz":
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
            yield cast(IO[bytes], packed)
    elif pack == ".zst":
        zstandard = need("zstandard", "bulk", "writing .zst files")
        with zstandard.ZstdCompressor(level=3).stream_writer(file, closefd=False) as packed:
            yield packed
    else:
        yield file


def _write_json(files: list[IO[bytes]], rows: Iterable[Row]) -> None:
    encode = msgspec.json.Encoder().encode
    for row in rows:
        files[0].write(encode(row) + b"\n")


def _write_brackets(files: list[IO[bytes]], rows: Iterable[Row]) -> None:
    trees, table = files
    table.write("\t".join(_IDENTITY).encode() + b"\n")
    for row in rows:
        trees.write(row["tree"].encode() + b"\n")
        table.write("\t".join(_cell(row[name]) for name in _IDENTITY).encode() + b"\n")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return " ".join(str(value).split()) if isinstance(value, str) else str(value).lower()


def _write_parquet(files: list[IO[bytes]], rows: Iterable[Row]) -> None:
    need("pyarrow", "bulk", "writing Parquet files")
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema(
        [(name, _arrow_type(pyarrow, kind)) for name, kind in COLUMNS.items()],
        metadata={"nccp_schema_version": str(SCHEMA_VERSION)},
    )
    with pyarrow.parquet.ParquetWriter(
        pyarrow.PythonFile(files[0], "w"), schema, compression="zstd", compression_level=3
    ) as writer:
        for group in _groups(rows):
            writer.write_table(pyarrow.Table.from_pylist(group, schema), row_group_size=len(group))
            group.clear()  # while the next one is made, this one is of no use


def _arrow_type(pyarrow: Any, kind: str) -> Any:
    if kind.startswith("list<"):
        return pyarrow.list_(_arrow_type(pyarrow, kind[5:-1]))
    return {
        "string": pyarrow.string(),
        "int64": pyarrow.int64(),
        "double": pyarrow.float64(),
        "bool": pyarrow.bool_(),
    }[kind]


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    group: list[Row] = []
    words = chars = 0
    for row in rows:
        group.append(row)
        words += len(row["words"])
        chars += len(row["tree"])
        if len(group) == _GROUP_ROWS or words >= _GROUP_WORDS or chars >= _GROUP_CHARS:
            yield group
            group, words, chars = [], 0, 0
    if group:
        yield group


_FORMATS: dict[str, tuple[Callable[[list[IO[bytes]], Iterable[Row]], None], tuple[str, ...]]] = {
    "parquet": (_write_parquet, (".parquet",)),
    "jsonl": (_write_json, (".jsonl",)),
    "brackets": (_write_brackets, (".mrg", ".tsv")),
}
