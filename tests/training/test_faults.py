"""Training on a disk that fails, and in folders whose files are damaged."""

from __future__ import annotations

import errno
import json
import random
import shutil

import pytest
import torch

from nccp.errors import DiskError, InputError, NccpError
from nccp.runtime import Bundle
from nccp.training.checkpoints import load_run, read_tensors
from nccp.training.export_run import export_run
from nccp.training.run_folder import RunFolder
from nccp.training.trainer import train
from tests import faults
from tests.training.grammar import small_config, write_treebank


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    bank = write_treebank(tmp_path_factory.mktemp("trees") / "bank", 8, 2)
    return small_config(bank, train={"epochs": 2, "batch": 4, "average": 0.9})


@pytest.fixture(scope="module")
def whole(config, tmp_path_factory):
    """A run without faults, and the operations on disk that it took."""
    path = tmp_path_factory.mktemp("whole") / "run"
    with faults.record(path) as operations:
        train(config, path, quiet=True)
    return path, list(operations)


def results(path):
    """What a run found, without times."""
    folder = RunFolder(path)
    tensors = {name: read_tensors(file)[0] for name, file in (("last", folder.last), ("best", folder.best))}
    keys = ("step", "epoch", "tag", "label", "joint", "f1")
    return tensors, [[record[key] for key in keys] for record in folder.read_history()]


def same(one, other):
    tensors, history = one
    return history == other[1] and all(
        torch.equal(tensor, other[0][file][name])
        for file, part in tensors.items()
        for name, tensor in part.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize(("lasting", "code"), [(False, errno.ENOSPC), (True, errno.EROFS)])
def test_every_operation_on_disk_may_fail(config, whole, tmp_path, lasting, code):
    expected = results(whole[0])
    assert {"open", "write", "sync", "rename", "mkdir"} == set(whole[1])
    reason = {errno.ENOSPC: "No space left on device", errno.EROFS: "Read-only file system"}[code]
    for number, operation in enumerate(whole[1]):
        path = tmp_path / f"run-{number}"
        folder = RunFolder(path)
        with faults.fail(path, number, lasting=lasting, code=code), pytest.raises(DiskError) as error:
            train(config, path, quiet=True)
        at = (number, operation, str(error.value))
        assert str(error.value).startswith(str(path)), at
        assert f": {reason}; once this is solved, " in str(error.value), at
        assert ("--resume" in str(error.value)) == folder.last.exists(), at
        check_whole(folder, at)
        train(config, path, resume=folder.last.exists(), quiet=True)
        assert same(results(path), expected), at


def check_whole(folder, at):
    """All files that are there are complete, and no temporary one is."""
    for file in folder.path.rglob("*"):
        assert not file.name.startswith("."), at
    for file in (folder.config, folder.symbols):
        assert not file.exists() or json.loads(file.read_text()), at
    for file in (folder.last, folder.best):
        assert not file.exists() or read_tensors(file), at
    for file in (folder.log, folder.history):
        assert not file.exists() or file.read_text() == "" or file.read_text().endswith("\n"), at
    folder.read_history()


def test_a_folder_that_cannot_be_made(config, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DiskError, match=r"file.*: (Not a directory|File exists); once this is solved"):
        train(config, tmp_path / "file" / "run", quiet=True)
    with (
        faults.fail(tmp_path / "run", 0, lasting=True, code=errno.EROFS),
        pytest.raises(DiskError, match=r"run: Read-only file system; once this is solved, give the same"),
    ):
        train(config, tmp_path / "run", quiet=True)
    assert not (tmp_path / "run").exists()


@pytest.fixture
def run(whole, tmp_path):
    """A copy of the whole run."""
    return RunFolder(shutil.copytree(whole[0], tmp_path / "copy"))


@pytest.mark.parametrize("name", ["last", "best", "symbols", "config"])
@pytest.mark.parametrize("seed", range(12))
def test_damaged_files_are_named(config, run, name, seed):
    """One bit flipped anywhere, or the end cut off: an error that names the file, or the same results."""
    path, rng = getattr(run, name), random.Random(seed)
    expected = results(run.path)
    content = bytearray(path.read_bytes())
    if seed % 3 == 0:
        del content[rng.randrange(len(content)) :]
    else:
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    message = ""
    try:
        load_run(run.path, "last" if name == "last" else "best")
        train(config, run.path, resume=True, quiet=True)
    except NccpError as error:
        message = str(error)
    if message:
        assert str(run.path if name == "config" else path) in message
    else:
        assert same(results(run.path), expected)


def test_a_checkpoint_of_another_kind(config, run):
    run.last.write_bytes(run.best.read_bytes())
    with pytest.raises(InputError, match=r"last\.safetensors: not a checkpoint to resume from"):
        train(config, run.path, resume=True, quiet=True)


def test_weights_of_another_size(run):
    tree = json.loads(run.config.read_text())
    tree["config"]["model"]["label_hidden"] = 30
    run.config.write_text(json.dumps(tree))
    with pytest.raises(InputError, match=r"copy: the weights do not fit the configuration"):
        load_run(run.path)


def test_a_start_without_a_checkpoint_forgets_the_history(config, run, whole):
    run.last.unlink()
    train(config, run.path, quiet=True)
    assert len(run.history.read_text().splitlines()) == len(run.read_history())
    assert same(results(run.path), results(whole[0]))


def test_a_run_with_a_cut_history_is_exported(run, tmp_path):
    run.history.write_bytes(run.history.read_bytes()[:-9])
    export_run(run.path, tmp_path / "out", precision="float32")
    assert Bundle.load(tmp_path / "out").manifest.training["epochs"] == 1.0


def test_a_damaged_history_is_named(run, tmp_path):
    first, *rest = run.history.read_text().splitlines(keepends=True)
    run.history.write_text(first.replace('"f1"', '"g1"') + "".join(rest))
    with pytest.raises(InputError, match=r"history\.jsonl:1: damaged line; delete this line"):
        export_run(run.path, tmp_path / "out", precision="float32")
    assert not (tmp_path / "out").exists()
