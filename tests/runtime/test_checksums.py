from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

import nccp.runtime.checksums as checksums
from nccp.errors import BundleError
from nccp.export.bundle import export_model
from nccp.inputs.words.ngrams import Table
from nccp.inputs.words.vectors import Vectors
from nccp.runtime import Bundle, load
from nccp.runtime.checksums import Checked
from nccp.runtime.manifest import Manifest, sha256
from nccp.trees import parse_tree
from tests.bundles import write_bundle
from tests.runtime.networks import random_parser

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
    assert set(reads) == {"labels.onnx"}


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


def swap_after(monkeypatch, method, change):
    """Have ``change`` run once, right after a method of `Bundle` has returned."""
    original = getattr(Bundle, method)

    def run(self):
        result = original(self)
        change()
        return result

    monkeypatch.setattr(Bundle, method, run)


def test_a_file_that_changes_between_the_comparison_and_the_reading(bundle, monkeypatch):
    Bundle.load(bundle).engine()  # from here on the checksums are remembered
    for name in sorted(Bundle.load(bundle).manifest.files):
        whole = (bundle / name).read_bytes()
        with monkeypatch.context() as patch:
            swap_after(patch, "_check_files", partial(flip, bundle / name, when=LONG_AGO))
            with pytest.raises(BundleError, match=name):
                Bundle.load(bundle).engine()
        (bundle / name).write_bytes(whole)
        os.utime(bundle / name, (LONG_AGO, LONG_AGO))
    Bundle.load(bundle).engine()


def test_a_file_that_is_replaced_while_the_model_is_loaded(bundle, original, monkeypatch):
    def replace():
        shutil.copy2(original / "labels.onnx", bundle / "new")
        os.utime(bundle / "new", (LONG_AGO, LONG_AGO))
        os.replace(bundle / "new", bundle / "labels.onnx")

    swap_after(monkeypatch, "input", replace)
    with pytest.raises(BundleError, match=r"labels\.onnx: changed while the model was loaded: load it again"):
        Bundle.load(bundle).engine()


def test_a_file_that_comes_while_the_model_is_loaded(bundle, monkeypatch):
    swap_after(monkeypatch, "_check_files", lambda: (bundle / "words.json").write_text('["a"]'))
    assert "words.json" not in Bundle.load(bundle).manifest.files
    with pytest.raises(BundleError, match=r"words\.json: not a file of this bundle"):
        Bundle.load(bundle).engine()


def test_a_change_in_the_same_tick_of_the_clock(bundle, monkeypatch):
    """As the file system of a fast machine shows it: other bytes, the same times."""
    monkeypatch.setattr(checksums, "_identity", lambda _: checksums._Identity(0, 0, 0, 10**30, 0))
    swap_after(monkeypatch, "_check_files", lambda: flip(bundle / "orient.onnx", when=LONG_AGO))
    with pytest.raises(BundleError, match=r"orient\.onnx: damaged"):
        Bundle.load(bundle).engine()


_CHANGED_LATER = """
import sys
from pathlib import Path
from nccp import load
parser = load(sys.argv[1])
for path in Path(sys.argv[1]).iterdir():
    size = path.stat().st_size
    with path.open("r+b") as file:  # in place, as cp and rsync --inplace do
        if sys.argv[2] == "cut":
            file.truncate(8)
        else:
            file.write(bytes(size))
print(parser.parse(["the", "cat", "unheard-of"]).brackets())
"""


@pytest.mark.parametrize("how", ["none", "overwritten", "cut"])
def test_a_loaded_model_does_not_depend_on_its_files(how, tmp_path, monkeypatch):
    """A memory-mapped file that is cut would end the process with SIGBUS."""
    vectors = Vectors.from_words(["the", "cat"], Table(np.eye(2, 20, dtype=np.float32) * 9))
    vectors.save(tmp_path / "vectors")
    parser = random_parser(input={"vectors": str(tmp_path / "vectors"), "ngrams": 8, "buckets": 50})
    export_model(parser, tmp_path / "tiny", [parse_tree("(S (DT the) (NN cat))")], Manifest(licence="CC0"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    expected = load(tmp_path / "tiny").parse(["the", "cat", "unheard-of"]).brackets()
    code = _CHANGED_LATER if how != "none" else _CHANGED_LATER.replace("iterdir()", "glob('none')")
    call = [sys.executable, "-c", code, str(tmp_path / "tiny"), how]
    done = subprocess.run(call, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, expected), done.stderr
