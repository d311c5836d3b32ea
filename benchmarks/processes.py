"""The processes below one of ours: whom a benchmark or a test may kill, and what processor time they use."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


def descendants(pid: int) -> dict[int, str]:
    """All processes that ``pid`` has started, directly or not, with their command lines."""
    children: dict[int, list[int]] = {}
    lines: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it has just ended
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found, below = {}, [pid]
    while below:
        for child in children.get(below.pop(), []):
            found[child] = lines[child]
            below.append(child)
    return found


def processor_seconds(pid: int) -> float:
    """What a process itself has used so far; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK


@dataclass
class Usage:
    """Processor time of a process and of all that it starts."""

    seconds: float = 0.0


@contextmanager
def watch_usage(process: subprocess.Popen[bytes], every: float = 0.25) -> Iterator[Usage]:
    """Look at the processes now and then, so that those count which nobody waits for (those of Ray)."""
    seen: dict[int, float] = {}
    usage, over = Usage(), threading.Event()

    def look() -> None:
        while not over.wait(every):
            for pid in (process.pid, *descendants(process.pid)):
                seen[pid] = max(seen.get(pid, 0.0), processor_seconds(pid))
            usage.seconds = sum(seen.values())

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield usage
    finally:
        over.set()
        thread.join()
