"""Files on disk: atomic writes, partial lines, locks, and reading compressed files."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from nccp.errors import InputError, need

if sys.platform == "win32":  # pragma: no cover
    import msvcrt
else:
    import fcntl


@contextmanager
def atomic_write(path: str | Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a temporary file beside ``path``; it takes the name only if the block succeeds.

    Readers see the old file or the new one, never a part; on an error the old one stays.
    """
    path = Path(path)
    with _named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with _removed_on_error(temporary):
            with os.fdopen(descriptor, "wb" if binary else "w", **({} if binary else _TEXT)) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in errors of the operating system that name none, or its temporary name."""
    try:
        yield
    except OSError as error:
        if not error.filename or f".{path.name}." in os.fsdecode(error.filename):
            error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def _removed_on_error(temporary: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


_TEXT: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"}


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def drop_partial_line(path: str | Path) -> None:
    """Cut off a last line without a line end, as a full disk or a kill leaves it. Nobody may be writing."""
    path = Path(path)
    if path.exists():
        content = path.read_bytes()
        if content and not content.endswith(b"\n"):
            os.truncate(path, content.rfind(b"\n") + 1)


class FileLock:
    """A lock of the operating system on a file. It ends with the process that holds it, however that ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: Any = None

    def acquire(self) -> bool:
        """Wait until the lock is free, and take it."""
        return self._take(wait=True)

    def try_acquire(self) -> bool:
        """Take the lock without waiting; whether it worked."""
        return self._take(wait=False)

    def _take(self, *, wait: bool) -> bool:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = open(self.path, "ab")  # noqa: SIM115 - open for as long as the lock is held
        try:
            if sys.platform == "win32":  # pragma: no cover
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            file.close()
            if wait:
                raise
            return False
        self._file = file
        return True

    def release(self) -> None:
        self._file.close()
        self._file = None

    def __enter__(self) -> FileLock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


COMPRESSED = (".gz", ".zst", ".bz2", ".xz")
"""What the names of compressed files end in. Reading goes by the first bytes of a file, not by its name."""

_MAGIC = {
    "gzip": re.compile(rb"\x1f\x8b\x08"),
    "bzip2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
}
_FOREIGN = {
    b"%PDF-": "a PDF document",
    b"{\\rtf": "an RTF document",
    b"PK\x03\x04": "a zip archive or office document",
}
"""Formats that may have no zero byte near their start, by their first bytes."""
_SIGNATURE = 10
_HEAD = 8192
_WIDE = ("utf-16", "utf-32")  # encodings whose text holds zero bytes


def list_files(folder: str | Path) -> Iterator[str]:
    """The files of a folder and its subfolders, sorted; names that start with ``.`` or ``_`` are left out."""
    for here, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        yield from (os.path.join(here, name) for name in sorted(files) if not name.startswith((".", "_")))


def open_bytes(path: str | Path, stream: IO[bytes] | None = None) -> IO[bytes]:
    """Open a file for reading; gzip, bzip2, xz and zstd are decompressed, recognised by their first bytes.

    With a ``stream``, such as standard input, that is read, and ``path`` is its name in errors; it is left
    open. Damaged or truncated data raises an `InputError` that names the file.
    """
    if stream is not None:
        if not hasattr(stream, "peek"):
            stream = io.BufferedReader(_Stream(path, stream, "", keep=True))
        return _decompressed(path, stream, cast(io.BufferedReader, stream).peek(_SIGNATURE), keep=True)
    try:
        file = open(path, "rb")  # noqa: SIM115 - the caller closes it
        try:
            head = file.peek(_SIGNATURE)
        except OSError:
            file.close()
            raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return _decompressed(path, file, head, keep=False)


def _decompressed(path: str | Path, file: IO[bytes], head: bytes, *, keep: bool) -> IO[bytes]:
    form = next((form for form, magic in _MAGIC.items() if magic.match(head)), "")
    if keep and not form:
        return file  # read by lines as they come: a person may be typing them
    return io.BufferedReader(_Stream(path, file, form, keep), 1 << 16)


def open_text(path: str | Path, encoding: str = "utf-8", stream: IO[bytes] | None = None) -> IO[str]:
    """Open a text file for reading, decompressed; lines end at ``\\n`` only. ``stream`` as in `open_bytes`.

    Bytes that are invalid in the encoding become lone surrogates (``surrogateescape``). A file that begins
    with binary data, recognised by zero bytes or by the signature of a well-known format, is refused.
    """
    try:
        wide = codecs.lookup(encoding).name.startswith(_WIDE)
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}") from None
    file = cast(io.BufferedReader, open_bytes(path, stream))
    try:
        head = file.peek(_HEAD)[:_HEAD]
        foreign = next((name for signature, name in _FOREIGN.items() if head.startswith(signature)), "")
        if foreign:
            raise InputError(f"{path}: {foreign}, not a text file; extract its text first")
        if not wide and b"\0" in head:
            advice = (
                "use --encoding utf-16"
                if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
                else ("for another encoding use --encoding")
            )
            raise InputError(f"{path}: binary data, not {encoding} text; {advice}")
    except BaseException:
        if stream is None:
            file.close()
        raise
    return io.TextIOWrapper(file, encoding, errors="surrogateescape", newline="\n")


class _Stream(io.RawIOBase):
    """The bytes of a file, decompressed; reading errors become `InputError`."""

    def __init__(self, path: str | Path, file: IO[bytes], form: str, keep: bool = False) -> None:
        """``keep``: closing this leaves the file open."""
        self._path, self._form, self._file, self._keep = path, form, file, keep
        self._inner, self._errors = _decompress(file, form)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return not self._form

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read(len(buffer))
        except self._errors as error:
            reason = f"damaged {self._form} data: {error}" if self._form else error
            raise InputError(f"{self._path}: {reason}") from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed and not self._keep:
            self._file.close()
        super().close()


def _decompress(file: IO[bytes], form: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """What to read from, and the exceptions that reading may raise."""
    if form == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=file), (OSError, EOFError, zlib.error)
    if form == "bzip2":
        import bz2

        return bz2.BZ2File(file), (OSError, EOFError, ValueError)
    if form == "xz":
        import lzma

        return lzma.LZMAFile(file), (OSError, EOFError, lzma.LZMAError)
    if form == "zstd":
        zstandard = need("zstandard", "bulk", "reading .zst files")
        return _Zstd(zstandard, file), (OSError, EOFError, zstandard.ZstdError)
    return file, (OSError,)


class _Zstd:
    """A zstd reader that notices truncated data, which that of the zstandard package does not."""

    def __init__(self, zstandard: Any, file: IO[bytes]) -> None:
        self._begin = zstandard.ZstdDecompressor().decompressobj
        self._file, self._rest, self._ready = file, b"", b""
        self._frame: Any = None

    def read(self, size: int) -> bytes:
        while not self._ready:
            data = self._rest or self._file.read(4096)  # little at a time: it may expand ten-thousandfold
            self._rest = b""
            if not data:
                if self._frame is not None:
                    raise EOFError("the file ends in the middle of a frame")
                return b""
            self._frame = self._frame or self._begin()
            self._ready = self._frame.decompress(data)
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, None
        made, self._ready = self._ready[:size], self._ready[size:]
        return made
