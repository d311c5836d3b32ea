"""The documentation builds without a warning, and its pages fetch nothing when they are viewed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)[^>]+src="(https?:[^"]+)"|<link[^>]+href="(https?:[^"]+)\""""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the documentation needs the extra [docs]")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def test_pages_fetch_nothing(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        found = [url for pair in FETCHED.findall(page.read_text(encoding="utf-8")) for url in pair if url]
        assert not found, f"{page.relative_to(site)} fetches {found}"


def test_the_reference_is_made_from_the_code(site: Path) -> None:
    text = (site / "reference" / "configuration.html").read_text(encoding="utf-8")
    assert "context_layers" in text
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert "nccp treebank check" in commands
    scores = (site / "results" / "scores.html").read_text(encoding="utf-8")
    assert "ja-multi" in scores
