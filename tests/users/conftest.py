"""What the five users have: a folder of their own, the installed package and its command.

Of the checkout they see nothing but the treebank sample of the examples. CI runs these tests with the built
wheels and all extras; ``light`` is a second, new environment without any extra, so without torch.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nccp.files import FileLock
from tests.docs.pages import reader_environment

ROOT = Path(__file__).parents[2]
WHEELS = ("nccp", "nccp_model_en_multi")
Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class User:
    """Someone with a folder, who types commands and runs Python."""

    home: Path
    python_path: Path = Path(sys.executable)

    def run(self, line: str, *, fails: bool = False, stdin: str | None = None) -> Done:
        """Type a command; ``fails``: whether it is expected to end with an error."""
        done = subprocess.run(self._words(line), input=stdin, capture_output=True, **self._settings())
        assert (done.returncode != 0) == fails, f"{line}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def prints(self, line: str, *, stdin: str | None = None) -> str:
        """What a command prints."""
        return self.run(line, stdin=stdin).stdout

    def python(self, code: str) -> str:
        """Run a script; what it prints."""
        command = [str(self.python_path), "-c", code]
        done = subprocess.run(command, capture_output=True, **self._settings())
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, line: str) -> subprocess.Popen[str]:
        """Type a command that keeps running; its standard output is a pipe."""
        settings = self._settings()
        return subprocess.Popen(self._words(line), stdout=subprocess.PIPE, start_new_session=True, **settings)

    def write(self, name: str, text: str) -> Path:
        """Save a file."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def _words(self, line: str) -> list[str]:
        """A command line for the operating system, with the ``nccp`` of the user's environment."""
        program, *arguments = shlex.split(line)
        return [str(self.python_path.with_name(program)), *arguments]

    def _settings(self) -> dict[str, Any]:
        """Variables that could lead to other models or to the checkout are not set."""
        hidden = {"NCCP_MODELS", "NCCP_TOKEN"}
        if self.python_path != Path(sys.executable):
            hidden.add("PYTHONPATH")
        variables = reader_environment(self.home).items()
        return {"cwd": self.home, "env": {k: v for k, v in variables if k not in hidden}, "text": True}


@pytest.fixture
def user(tmp_path: Path) -> User:
    """With the environment that runs the tests, in which all extras are installed."""
    return User(tmp_path)


@pytest.fixture(scope="session")
def light_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheels and no extra, made once for all processes of pytest."""
    wheels = [path for name in WHEELS for path in (ROOT / "build" / "wheels").glob(f"{name}-*.whl")]
    if len(wheels) < len(WHEELS):
        pytest.skip("no wheels in build/wheels: bash scripts/check builds them")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "light"
    python = folder / "bin" / "python"
    with FileLock(folder.with_suffix(".lock")):
        if not (folder / "complete").exists():
            venv.create(folder)
            pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-compile"]
            subprocess.run(
                [*pip, "-c", str(ROOT / "constraints.txt"), *map(str, wheels)],
                check=True,
                env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            )
            (folder / "complete").touch()
    return python


@pytest.fixture
def light(tmp_path: Path, light_python: Path) -> User:
    """With the new environment."""
    return User(tmp_path, light_python)


@pytest.fixture(scope="session")
def sample() -> Path:
    """520 trees of CRAFT, which everyone can download with the examples."""
    return ROOT / "examples" / "craft-sample"
