"""Reading compressed and damaged files, and locks."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pytest

from nccp.errors import InputError
from nccp.files import FileLock, atomic_write, open_bytes, open_text

TEXT = ("The cat sat on the mat. " * 9 + "Größe 東京\r\n") * 5000


def zstd(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    half = len(data) // 2
    return b"".join(zstandard.ZstdCompressor().compress(part) for part in (data[:half], data[half:]))


PACKERS = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd,
}


@pytest.mark.parametrize("form", PACKERS)
def test_compressed_text_is_recognised_by_its_bytes(form, tmp_path):
    path = tmp_path / "text"
    path.write_bytes(PACKERS[form](TEXT.encode()))
    with open_text(path) as file:
        assert file.read() == TEXT
    path.write_bytes(PACKERS[form](b""))
    with open_bytes(path) as file:
        assert file.read() == b""


@pytest.mark.parametrize("form", [form for form in PACKERS if form != "plain"])
def test_truncated_data_is_an_error(form, tmp_path):
    path = tmp_path / "text.x"
    packed = PACKERS[form](TEXT.encode())
    path.write_bytes(packed[:-9])
    with open_bytes(path) as file, pytest.raises(InputError, match=rf"text\.x: damaged {form} data"):
        file.read()
    path.write_bytes(packed[:40] + bytes(len(packed)))
    with open_bytes(path) as file, pytest.raises(InputError, match=rf"text\.x: damaged {form} data"):
        file.read()


def test_binary_data_is_refused(tmp_path):
    path = tmp_path / "odd"
    path.write_bytes(b"text\0text")
    with pytest.raises(InputError, match="odd: binary data"):
        open_text(path)
    path.write_text("wide", encoding="utf-16")
    with open_text(path, "utf-16") as file:
        assert file.read() == "wide"
    with pytest.raises(InputError, match="unknown encoding 'utf-9'"):
        open_text(path, "utf-9")
    with pytest.raises(InputError, match="No such file"):
        open_text(tmp_path / "none")
    with pytest.raises(InputError, match="directory"):
        open_text(tmp_path)


def test_text_that_begins_like_a_compressed_file(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"BZh was here \xff\n")
    with open_text(path) as file:
        assert file.read() == "BZh was here \udcff\n"


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(TypeError), atomic_write(path) as file:
        file.writelines(["new" * 100_000, None])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_has_one_holder(tmp_path):
    one, two = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    with one:
        assert not two.try_acquire()
    assert two.try_acquire()
    two.release()
