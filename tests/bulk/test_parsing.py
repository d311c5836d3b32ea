"""The work of a shard, where it cannot be done."""

from __future__ import annotations

import pytest

from nccp.bulk.folder import ATTEMPTS, RunFolder
from nccp.bulk.options import Options
from nccp.bulk.parsing import ParseShards
from nccp.bulk.plan import ModelIdentity, identify_model, locate_model
from nccp.errors import InputError


def test_a_worker_with_another_model_or_version_is_refused(bundle):
    model = identify_model(bundle)
    ParseShards("out", Options(), bundle, model, 1, "run").start()
    with pytest.raises(InputError, match="is not the one that the run was planned with"):
        ParseShards("out", Options(), bundle, ModelIdentity("small", "en", "other"), 1, "run").start()
    with pytest.raises(InputError, match=r"has nccp .*, but the run was planned with 0\.0"):
        ParseShards("out", Options(), bundle, model, 1, "run", "0.0").start()


def test_workers_find_the_model_from_any_folder(bundle, monkeypatch, tmp_path):
    assert locate_model(bundle) == bundle
    (tmp_path / "mine").symlink_to(bundle)
    monkeypatch.chdir(tmp_path)
    assert locate_model("./mine") == str(tmp_path / "mine")
    monkeypatch.setenv("NCCP_MODELS", str(tmp_path))
    monkeypatch.chdir("/")
    assert locate_model("mine") == "mine"


def test_workers_that_die_over_a_shard_are_counted(tmp_path):
    folder = RunFolder(tmp_path)
    killed = [folder.attempt(5, run) for run in [*["run"] * ATTEMPTS, "another"]]
    for attempt in killed:
        attempt.__enter__()  # and never leave
    with pytest.raises(InputError, match="3 workers died over shard 5"), folder.attempt(5, "run"):
        pass
    with folder.cleaned():
        pass
    assert list(tmp_path.rglob("*")) == [tmp_path / "_done"]
