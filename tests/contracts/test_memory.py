"""Memory stays under 1 GB: long sentences by the hundred, and one word of 100,000 letters."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PARSE = """
import re, sys
from pathlib import Path
import nccp
from nccp.runtime.synthetic import make_sentences
kind, model = sys.argv[1:]
sentences = make_sentences([480] * 48) if kind == "long" else [["ab" * 50_000], ["the", "cat"]]
for words, parse in zip(sentences, nccp.load(model).parse_many(sentences, batch_size=128, threads=2)):
    assert parse.tree.leaves() == words
# not ru_maxrss, which a child takes over from the process that started it
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is in other units elsewhere")
@pytest.mark.parametrize("model", ["en", "en-fast"])
@pytest.mark.parametrize("kind", ["long", "letters"])
def test_peak_memory(model, kind):
    call = [sys.executable, "-c", _PARSE, kind, model]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1000, f"{done.stdout.strip()} MB"
