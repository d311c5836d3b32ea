from __future__ import annotations

import json

import pytest

from nccp.errors import InputError
from nccp.training.run_folder import RunFolder

ROW = {"epoch": 1.0, "step": 10, "minutes": 0.5, "f1": 50.0, "words_per_second": 100.0}


@pytest.fixture
def folder(tmp_path):
    folder = RunFolder(tmp_path)
    folder.add_history(ROW)
    folder.add_history({**ROW, "step": 20, "epoch": 2.0, "f1": 40.0})
    return folder


def test_history(folder):
    folder.add_history({**ROW, "f1": 60.0})  # a resumed run repeats a step
    assert [(row["step"], row["f1"]) for row in folder.read_history()] == [(10, 60.0), (20, 40.0)]
    assert folder.summary() == {"epochs": 2.0, "minutes": 0.5, "best_epoch": 1.0, "words_per_second": 100}
    assert RunFolder(folder.path / "none").summary() == {}


@pytest.mark.parametrize("kept", [1, 30, -2, -1])
def test_a_cut_last_line_is_ignored_and_replaced(folder, kept):
    whole = folder.history.read_bytes()
    first = whole.index(b"\n") + 1
    folder.history.write_bytes(whole[:first] + whole[first:][:kept])
    assert folder.summary()["epochs"] == 1.0
    folder.add_history({**ROW, "step": 30})
    assert [row["step"] for row in folder.read_history()] == [10, 30]
    assert all(json.loads(line) for line in folder.history.read_text().splitlines())


def test_a_damaged_line_is_named(folder):
    folder.history.write_text("{oops\n" + folder.history.read_text())
    with pytest.raises(InputError, match=r"history\.jsonl:1: damaged line"):
        folder.summary()


def test_files_that_are_not_of_a_run(tmp_path):
    folder = RunFolder(tmp_path)
    with pytest.raises(InputError, match=r"config\.json: No such file.*folder of a training run"):
        folder.read_config()
    folder.config.write_text("{")
    folder.symbols.write_text("[]")
    with pytest.raises(InputError, match=r"config\.json: damaged"):
        folder.read_config()
    with pytest.raises(InputError, match=r"symbols\.json: not the symbols"):
        folder.read_symbols()
