"""Writing files so that nothing is ever half there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def atomic_write(path: str | Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a temporary file beside ``path``; it takes the name only if the block succeeds.

    Readers see the old file or the new one, never a part; on an error the old one stays.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb" if binary else "w", **({} if binary else _TEXT)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


_TEXT: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"}


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
