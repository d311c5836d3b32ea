"""The page of promises names tests that exist, and its figures come from stored results."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")


def hook():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "hooks" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_that_is_named_exists():
    named = re.findall(r"\b(?:tests|benchmarks|scripts)/[\w./]+\w", TEXT)
    assert len(named) > 30
    assert not [name for name in named if not (ROOT / name).exists()]


def test_figures_come_from_files(tmp_path, monkeypatch):
    reference = hook()
    monkeypatch.setattr(reference, "ROOT", tmp_path)
    assert reference.on_page_markdown("{{ promises memory }}") == "*Not measured yet.*"
    data = tmp_path / "docs" / "results" / "data"
    data.mkdir(parents=True)
    result = {
        "about": "a machine",
        "peak_mb": {"en": {"10": 301.5, "480": 1234.5}},
        "rows": [{"process": "server", "files": 12}],
        "requests": 10_000,
        "milliseconds": {"50 %": 12.34},
        "steady": True,
        "samples": {"a": [1, 2]},
        "first_failure": None,
    }
    (data / "memory.json").write_text(json.dumps(result))
    text = reference.on_page_markdown("{{ promises memory }}")
    assert "a machine" in text
    assert "|  | 10 | 480 |\n| --- | --- | --- |\n| en | 301.5 | 1,234 |" in text
    assert "| server | 12 |" in text
    assert "| requests | 10,000 |\n| milliseconds, 50 % | 12.34 |\n| steady | yes |" in text
    assert "samples" not in text
