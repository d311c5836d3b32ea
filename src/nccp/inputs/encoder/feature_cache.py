"""The vectors that a frozen encoder computes for each sentence, computed once and kept on disk.

    CACHE/
      4f0c.../                    one folder for an encoder with its options
        about.json                which encoder, for people
        18c2f-4711.features       the records that one process added, end to end

    record:  magic (8) | key (16) | words (4) | checksum (4) | float16 vectors (words, planes, size)

A process appends only to a file of its own, so any number of them may share a cache without locks. A
truncated record (after a kill, or on a full disk) ends its file; the records before it are used. A record
whose checksum fails is computed again.
"""

from __future__ import annotations

import json
import os
import struct
import threading
import time
import zlib
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from nccp.errors import InputError
from nccp.files import atomic_write

Halves = NDArray[np.float16]
_MAGIC = b"nccpfeat"
_HEAD = struct.Struct("<8s16sII")


def sentence_key(words: Iterable[str]) -> bytes:
    """A 16-byte key for a sentence."""
    return blake2b(msgspec.msgpack.encode(list(words)), digest_size=16).digest()


class FeatureCache:
    """Sentences' vectors by key, (n, *shape) each, in ``folder``/``identity``.

    ``identity`` is a digest of all that the vectors depend on besides the words; ``about`` is written to the
    folder for people.
    """

    def __init__(
        self, folder: str | Path, identity: str, shape: tuple[int, int], about: dict[str, Any]
    ) -> None:
        self.folder, self.shape = Path(folder).expanduser() / identity, shape
        self._width = 2 * shape[0] * shape[1]  # bytes per word
        self._files: list[_Mapped] = []
        self._index: dict[bytes, tuple[int, int, int]] = {}  # key: file, place, words
        self._writing = threading.Lock()
        self._own: BinaryIO | None = None
        self._process = 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not (self.folder / "about.json").exists():
                with atomic_write(self.folder / "about.json") as file:
                    json.dump(about, file, indent=2)
            for path in sorted(self.folder.glob("*.features")):
                self._read_index(path)
        except OSError as error:
            raise InputError(f"{self.folder}: cannot open the feature cache: {error.strerror}") from None

    def __len__(self) -> int:
        return len(self._index)

    def __deepcopy__(self, memo: dict[int, Any]) -> FeatureCache:
        return self  # copies of a model share their cache

    def get(self, key: bytes) -> Halves | None:
        """The vectors of a sentence, (n, *shape); None if they are missing or damaged."""
        entry = self._index.get(key)
        if entry is None:
            return None
        number, place, words = entry
        data = self._files[number].read(place, _HEAD.size + words * self._width)
        payload = data[_HEAD.size :]
        if len(payload) < words * self._width or zlib.crc32(payload.data) != _HEAD.unpack_from(data.data)[3]:
            del self._index[key]
            return None
        return payload.view(np.float16).reshape(words, *self.shape)

    def put(self, items: Iterable[tuple[bytes, Halves]]) -> None:
        """Add the vectors of sentences; they have been passed to the operating system when this returns."""
        with self._writing:
            try:
                self._append(items)
            except OSError as error:
                self._own = None  # nothing may follow a truncated record
                raise InputError(f"{self.folder}: cannot write the feature cache: {error.strerror}") from None

    def _append(self, items: Iterable[tuple[bytes, Halves]]) -> None:
        if self._own is None or self._process != os.getpid():  # a forked child starts a file of its own
            self._process = os.getpid()
            path = self.folder / f"{time.time_ns():x}-{self._process}.features"
            self._own = path.open("xb")
            self._files.append(_Mapped(path))
        added = {}
        for key, vectors in items:
            payload = np.ascontiguousarray(vectors, np.float16).tobytes()
            added[key] = len(self._files) - 1, self._own.tell(), len(vectors)
            self._own.write(_HEAD.pack(_MAGIC, key, len(vectors), zlib.crc32(payload)) + payload)
        self._own.flush()
        self._index.update(added)

    def _read_index(self, path: Path) -> None:
        """Read the records of a file up to its end, or up to a truncated one."""
        mapped = _Mapped(path)
        data, place = mapped.read(0, path.stat().st_size), 0
        while place + _HEAD.size <= len(data):
            magic, key, words, _ = _HEAD.unpack_from(data.data, place)
            end = place + _HEAD.size + words * self._width
            if magic != _MAGIC or end > len(data):
                break
            self._index[key] = len(self._files), place, words
            place = end
        self._files.append(mapped)


class _Mapped:
    """A growing file in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._data: NDArray[np.uint8] = np.zeros(0, np.uint8)

    def read(self, place: int, count: int) -> NDArray[np.uint8]:
        if place + count > len(self._data) and self.path.stat().st_size:
            self._data = np.asarray(np.memmap(self.path, np.uint8, "r"))
        return self._data[place : place + count]
