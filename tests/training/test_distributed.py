"""Two processes give the gradient of one with the doubled batch."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from nccp.training.checkpoints import read_tensors
from nccp.training.run_folder import RunFolder
from tests.training.grammar import write_treebank

pytestmark = pytest.mark.slow

SCRIPT = """
import sys
from tests.training.grammar import small_config
from nccp.training.trainer import train
kind, batch, bank, out = sys.argv[1:]
config = small_config(
    bank,
    model={"kind": kind, "dropout": 0.0, "recurrent_dropout": 0.0},
    input={"dropout": 0.0, "word_dropout": 0.0},
    train={"epochs": 1, "batch": int(batch), "learning_rate": 1e-3},
)
train(config, out, quiet=True)
"""


@pytest.mark.parametrize("kind", ["binary", "multi"])
def test_two_processes_equal_one_with_the_doubled_batch(tmp_path, kind):
    bank = write_treebank(tmp_path / "bank", train=64, dev=5)  # an odd number: one has more to evaluate
    script = tmp_path / "run.py"
    script.write_text(SCRIPT)
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    one = [sys.executable, str(script), kind, "16", str(bank), str(tmp_path / "one")]
    two = [sys.executable, *torchrun, str(script), kind, "8", str(bank), str(tmp_path / "two")]
    for command in (one, two):
        done = subprocess.run(command, capture_output=True, text=True, env=environment())
        assert done.returncode == 0, done.stderr
    one_f1, two_f1 = (RunFolder(tmp_path / name).read_history()[-1]["f1"] for name in ("one", "two"))
    assert two_f1 == pytest.approx(one_f1)
    states = [read_tensors(RunFolder(tmp_path / name).last)[0] for name in ("one", "two")]
    for name, value in states[0].items():
        if name.startswith("model."):
            torch.testing.assert_close(states[1][name], value, rtol=1e-3, atol=1e-5)
        if name.startswith("optimizer.") and name.endswith("exp_avg"):
            torch.testing.assert_close(states[1][name], value, rtol=1e-3, atol=1e-6)


def environment():
    import os
    from pathlib import Path

    root = str(Path(__file__).parents[2])
    return {**os.environ, "PYTHONPATH": root, "OMP_NUM_THREADS": "1"}
