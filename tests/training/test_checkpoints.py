"""Checkpoints are read whole, also while a running training replaces them."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from nccp.training.checkpoints import read_tensors, write_tensors

WRITER = """
import itertools, sys
from pathlib import Path
import torch
from nccp.training.checkpoints import write_tensors
for step in itertools.count(1):
    write_tensors(Path(sys.argv[1]), {"model.a": torch.full((50, 5), float(step))}, {"step": step})
    if step == 1:
        print("begun", flush=True)
"""


def test_there_and_back(tmp_path):
    tensors = {"model.a": torch.rand(3, 4), "model.b": torch.arange(5)}
    write_tensors(tmp_path / "one", tensors, {"step": 7})
    again, state = read_tensors(tmp_path / "one")
    assert state == {"step": 7}
    assert again.keys() == tensors.keys()
    assert all(torch.equal(again[name], tensors[name]) for name in tensors)


@pytest.mark.slow
def test_read_while_it_is_replaced(tmp_path):
    path = tmp_path / "last.safetensors"
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            for _ in range(1000):  # opened twice, one of a hundred was found damaged
                tensors, state = read_tensors(path)
                assert bool((tensors["model.a"] == state["step"]).all())
        finally:
            process.kill()
