from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.errors import BundleError
from nccp.runtime.manifest import File, Manifest, read_manifest, seal, write_manifest
from tests.bundles import write_bundle


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    root = tmp_path_factory.mktemp("bundle")
    manifest = Manifest(
        name="small", labels=("S", "NP"), config={"checksum": ""}, files={"a.onnx": File(1, "b")}
    )
    write_manifest(root, manifest)
    return root, manifest


def test_what_is_written_is_read(written):
    root, manifest = written
    found = read_manifest(root)
    assert len(found.checksum) == 64
    assert (found.name, found.labels, found.config, found.files) == (
        manifest.name,
        manifest.labels,
        manifest.config,
        manifest.files,
    )
    write_manifest(root, found)  # a second time: the old checksum is no part of the new one
    assert read_manifest(root) == found


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_every_changed_byte_is_noticed(written, tmp_path_factory, place, change):
    text = bytearray((written[0] / "bundle.json").read_bytes())
    text[place % len(text)] ^= change
    root = tmp_path_factory.mktemp("changed")
    (root / "bundle.json").write_bytes(text)
    with pytest.raises(BundleError, match=r"bundle\.json"):
        read_manifest(root)


def test_without_a_checksum(written, tmp_path):
    about = json.loads((written[0] / "bundle.json").read_text())
    for checksum in ("", "0" * 64):
        (tmp_path / "bundle.json").write_text(json.dumps(about | {"checksum": checksum}))
        with pytest.raises(BundleError, match="damaged: it is not as nccp export wrote it"):
            read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.onnx": {"size": 5 << 30, "sha256": ""}}, "refused: files of 5,368,709,120 bytes"),
        ({f"{i}.onnx": {"size": 1 << 30, "sha256": ""} for i in range(5)}, "refused: files of 5,368,709,120"),
        ({"a.onnx": {"size": -1, "sha256": ""}}, "a size of -1"),
        ({"..": {"size": 1, "sha256": ""}}, "not the name of a file"),
        ({"a": {"size": 1, "sha256": "", "of": "../b"}}, "not the name of a file"),
        ({"a\n": {"size": 1, "sha256": ""}}, "not the name of a file"),
    ],
)
def test_files_that_cannot_be(tmp_path, files, message):
    about = {"format": "nccp-bundle", "version": 2, "checksum": "", "files": files}
    (tmp_path / "bundle.json").write_bytes(seal(json.dumps(about).encode()))
    with pytest.raises(BundleError, match=message):
        read_manifest(tmp_path)


def test_a_manifest_without_end(tmp_path):
    with (tmp_path / "bundle.json").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(BundleError, match="too large for the manifest"):
        read_manifest(tmp_path)


def test_a_manifest_nested_without_end(tmp_path):
    head = '{"format": "nccp-bundle", "version": 2, "checksum": "", "config": {"a": '
    (tmp_path / "bundle.json").write_bytes(seal((head + "[" * 100_000).encode()))
    with pytest.raises(BundleError, match=r"bundle\.json: damaged"):
        read_manifest(tmp_path)


_LIMITED_LOAD = """
import resource, sys, nccp
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
nccp.load(sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system")
@pytest.mark.parametrize("name", ["bundle.json", "labels.onnx"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_pipes_and_devices_are_not_read(name, kind, tmp_path):
    """Reading them would wait for ever, or fill the memory; a process of its own shows it."""
    bundle = write_bundle(tmp_path / "tiny")
    (bundle / name).unlink()
    if kind == "pipe":
        os.mkfifo(bundle / name)
    else:
        (bundle / name).symlink_to("/dev/zero")
    if name != "bundle.json":  # the manifest agrees with what the system says of its size
        text = json.loads((bundle / "bundle.json").read_text())
        text["files"][name]["size"] = 0
        (bundle / "bundle.json").write_bytes(seal(json.dumps({**text, "checksum": ""}).encode()))
    call = [sys.executable, "-c", _LIMITED_LOAD, str(bundle)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=100)
    assert f"{name}: not a regular file" in done.stderr
