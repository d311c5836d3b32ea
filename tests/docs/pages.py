"""Reads the code blocks of a Markdown page and runs them as a reader would, from the top to the bottom.

A block runs as it stands: ``sh`` blocks with bash in the page's folder, ``python`` blocks after those before.
A comment before a block changes that:

    <!-- not run: REASON -->     the block is skipped: it installs something or needs what a test has not
    <!-- background -->          the command keeps running (a server) until the page ends
    <!-- fails -->               the command is expected to end with an error
    <!-- output -->              the block shows what the block before it printed, and must equal it
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"(?:^[ ]*<!--\s*(?P<mark>[^>]*?)\s*-->\s*\n)?"
    r"^(?P<indent>[ ]*)```(?P<language>\w+)[^\n]*\n(?P<code>.*?)^[ ]*```",
    re.MULTILINE | re.DOTALL,
)
_RUN = ("sh", "python")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    language: str
    code: str
    mark: str
    line: int

    @property
    def skipped(self) -> str:
        """Why the block is not run, or an empty text."""
        name, _, reason = self.mark.partition(":")
        return reason.strip() if name == "not run" else ""


def read_blocks(path: Path) -> list[Block]:
    """The blocks of a page that hold commands, code or expected output."""
    text = path.read_text(encoding="utf-8")
    blocks = []
    for match in _BLOCK.finditer(text):
        mark = match["mark"] or ""
        if match["language"] in _RUN or mark == "output":
            indent = len(match["indent"])
            code = "".join(line[indent:] for line in match["code"].splitlines(keepends=True))
            blocks.append(Block(match["language"], code, mark, text.count("\n", 0, match.start()) + 1))
    return blocks


def run_page(path: Path, folder: Path, environment: dict[str, str]) -> int:
    """Run every block of the page in ``folder``; how many were run. Fails with the block's own output."""
    background: list[subprocess.Popen[bytes]] = []
    python: list[str] = []
    printed, count = "", 0
    try:
        for block in read_blocks(path):
            where = f"{path.name}:{block.line}"
            if block.mark == "output":
                assert printed.strip() == block.code.strip(), f"{where}: the output differs:\n{printed}"
                continue
            if block.skipped:
                continue
            count += 1
            if block.mark == "background":
                background.append(_start(block.code, folder, environment))
                continue
            if block.language == "python":
                python.append(block.code)
                script = "\n".join((*python[:-1], "print('\\x1e', flush=True)", python[-1]))
                command = [sys.executable, "-c", script]
            else:
                command = ["bash", "-euo", "pipefail", "-c", block.code]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            failed = done.returncode != 0
            assert failed == (block.mark == "fails"), (
                f"{where}: exit {done.returncode}\n{done.stdout}{done.stderr}"
            )
            printed = done.stdout.rpartition("\x1e\n")[2]
    finally:
        for process in background:
            process.terminate()
        for process in background:
            process.wait()
    return count


def _start(code: str, folder: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a server and wait until it listens on the port that its command names."""
    port = re.search(r"--port (\d+)", code)
    assert port, "a background command must name its --port"
    process = subprocess.Popen(["bash", "-c", f"exec {code.strip()}"], cwd=folder, env=environment)
    import socket

    while True:
        assert process.poll() is None, f"ended with {process.returncode}: {code}"
        try:
            socket.create_connection(("127.0.0.1", int(port[1])), timeout=1).close()
            return process
        except OSError:
            time.sleep(0.1)


def reader_environment(home: Path) -> dict[str, str]:
    """The environment of a reader: the commands of this Python first on the path, one thread per library."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(home), "OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
