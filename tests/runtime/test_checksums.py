from __future__ import annotations

import os
import shutil
import time

import pytest

import nccp.runtime.checksums as checksums
from nccp.errors import BundleError
from nccp.runtime import Bundle
from nccp.runtime.checksums import Checked
from nccp.runtime.manifest import sha256
from tests.bundles import write_bundle

LONG_AGO = time.time() - 1000


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return write_bundle(tmp_path_factory.mktemp("bundles") / "tiny")


@pytest.fixture
def bundle(original, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    copy = shutil.copytree(original, tmp_path / "tiny")
    for path in copy.iterdir():
        os.utime(path, (LONG_AGO, LONG_AGO))
    return copy


@pytest.fixture
def reads(monkeypatch):
    """The files that were read to compare their checksums."""
    seen: list[str] = []

    def read(path):
        seen.append(path.name)
        return sha256(path)

    monkeypatch.setattr(checksums, "sha256", read)
    return seen


def flip(path, *, when):
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)
    os.utime(path, (when, when))


def test_files_are_compared_once(bundle, reads):
    Bundle.load(bundle).engine()
    assert sorted(reads) == sorted(Bundle.load(bundle).manifest.files)
    reads.clear()
    Bundle.load(bundle).engine()
    assert reads == []
    Bundle.load(bundle).verify()
    assert sorted(reads) == sorted(Bundle.load(bundle).manifest.files)


def test_a_changed_file_is_found_at_load(bundle):
    names = sorted(Bundle.load(bundle).manifest.files)
    assert len(names) > 4
    Bundle.load(bundle).engine()
    for name in names:
        whole = (bundle / name).read_bytes()
        flip(bundle / name, when=LONG_AGO + 1)
        with pytest.raises(BundleError, match=rf"{name}: damaged: its checksum"):
            Bundle.load(bundle).engine()
        (bundle / name).write_bytes(whole)
        os.utime(bundle / name, (LONG_AGO, LONG_AGO))
    Bundle.load(bundle).engine()


def test_a_file_changed_just_now_is_not_remembered(bundle, reads):
    path = bundle / "labels.onnx"
    os.utime(path)
    Bundle.load(bundle).engine()
    reads.clear()
    Bundle.load(bundle).engine()
    assert reads == ["labels.onnx"]


@pytest.mark.parametrize("text", [b"{", b"[]", b'{"a": 1}', b"\xff\xfe"])
def test_a_damaged_memory_is_none(bundle, reads, text, tmp_path):
    Bundle.load(bundle).engine()
    store = tmp_path / "cache" / "nccp" / "checked.json"
    store.write_bytes(text)
    reads.clear()
    Bundle.load(bundle).engine()
    assert reads
    assert store.read_bytes() != text


def test_a_memory_that_cannot_be_written(bundle, reads, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for _ in range(2):
        reads.clear()
        Bundle.load(bundle).engine()
        assert reads


def test_the_memory_is_bounded(bundle, monkeypatch):
    monkeypatch.setattr(checksums, "_MANY", 2)
    Bundle.load(bundle).engine()
    assert len(Checked.load()._files) == 2


def test_files_that_the_manifest_does_not_list(bundle):
    (bundle / "notes.txt").write_text("mine")
    Bundle.load(bundle).engine()
    (bundle / "vectors.safetensors").write_bytes(b"")
    with pytest.raises(BundleError, match=r"vectors\.safetensors: not a file of this bundle"):
        Bundle.load(bundle).engine()
