"""Reading treebank files as text, with errors that give the position and the reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nccp.errors import InputError

UTF8 = "utf-8-sig"  # with or without a byte order mark


def read_text(
    path: Path, encodings: tuple[str, ...] = (UTF8,), is_likely: Callable[[str], bool] = lambda text: True
) -> str:
    """The text of a file, in the first of ``encodings`` that can decode it and gives a likely text.

    If none gives a likely text, the first that can decode it is used.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if (zero := data.find(0)) >= 0:
        raise InputError(f"{path}:{position(data, zero)}: a binary file, not text")
    texts, failures = [], []
    for encoding in encodings:
        try:
            texts.append(data.decode(encoding))
        except UnicodeDecodeError as error:
            failures.append(error.start)
        else:
            if is_likely(texts[-1]):
                return texts[-1]
    if texts:
        return texts[0]
    at = max(failures)  # where the encoding that went furthest stopped
    names = " nor ".join(encoding.removesuffix("-sig").upper() for encoding in encodings)
    raise InputError(f"{path}:{position(data, at)}: byte 0x{data[at]:02x} is not {names}")


def position(data: bytes, offset: int) -> str:
    """``line:column`` of a byte, both from 1, columns in bytes."""
    line_start = data.rfind(b"\n", 0, offset) + 1
    return f"{data.count(10, 0, offset) + 1}:{offset - line_start + 1}"


def first_line(path: Path) -> str:
    """The start of the first line that is not blank, to detect the format; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            text = file.read(2000).decode("utf-8-sig", errors="replace")
    except OSError:
        return ""
    return text.lstrip().partition("\n")[0]
