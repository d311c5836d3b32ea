"""The page's scripts, checked without a browser: imports exist, and nothing makes markup of text."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from nccp.web.app import PAGE

SCRIPTS = {path.name: path.read_text("utf-8") for path in sorted(PAGE.glob("*.js"))}
MARKUP = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "DOMParser",
    "new Function",
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_imports_exist(name):
    for names, source in re.findall(r'import \{([^}]*)\} from "\./([\w.-]+)"', SCRIPTS[name]):
        exported = re.findall(r"export (?:async )?(?:function\*?|class|const|let) (\w+)", SCRIPTS[source])
        for one in filter(None, (part.strip() for part in names.split(","))):
            assert one in exported, f"{name} imports {one} from {source}"


def test_every_script_is_used():
    page = (PAGE / "index.html").read_text("utf-8")
    used = {source for text in SCRIPTS.values() for source in re.findall(r'from "\./([\w.-]+)"', text)}
    used |= set(re.findall(r'src="page/([\w.-]+\.js)"', page))
    assert used == set(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_text_never_becomes_markup(name):
    assert [word for word in MARKUP if word in SCRIPTS[name]] == []


def test_nothing_is_fetched_from_elsewhere():
    for path in PAGE.iterdir():
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text("utf-8")))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_syntax():
    for name in SCRIPTS:
        done = subprocess.run(["node", "--check", PAGE / name], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
