"""A short round of every fuzzer; ``python scripts/fuzz`` runs long ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import FUZZERS, find_fuzzer

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", FUZZERS)
def test_a_short_round(name):
    assert find_fuzzer(name)(1, 3.0)


def test_every_fuzzer_is_listed():
    modules = {path.stem for path in FOLDER.glob("*.py") if "\ndef fuzz(" in path.read_text(encoding="utf-8")}
    assert modules == set(FUZZERS)


def test_the_command():
    call = [
        sys.executable,
        FOLDER.parents[1] / "scripts" / "fuzz",
        "bundle",
        "--seed",
        "3",
        "--seconds",
        "0.1",
    ]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("bundle (seed 3): ")
