"""Keep freed memory in the process: the next training step needs it again."""

from __future__ import annotations

import ctypes
import sys

_OPTIONS = {-1: 2**31 - 1, -2: 2**28, -4: 0}  # of malloc.h: M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_MAX


def keep_memory() -> None:
    """Ask glibc not to return freed memory to the system, which takes a sixth off a step with an encoder.

    Otherwise large blocks are mapped again at each step, and zeroed page by page. Without glibc this does
    nothing.
    """
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if hasattr(library, "mallopt"):
        for option, value in _OPTIONS.items():
            library.mallopt(option, value)  # type: ignore[union-attr]
