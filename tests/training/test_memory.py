"""Memory that was given back is used again, not mapped anew."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

CODE = """
import resource
import numpy as np
from nccp.training.memory import keep_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    np.ones(1 << 23)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

keep_memory()
print(faults(), faults())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked to keep memory")
def test_large_blocks_are_used_again():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    first, second = map(int, done.stdout.split())
    assert first > 100
    assert second < first / 20
