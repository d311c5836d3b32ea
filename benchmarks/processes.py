"""The processes below one of ours: whom a benchmark or a test may kill."""

from __future__ import annotations

from pathlib import Path


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
