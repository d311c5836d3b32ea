"""Bundles damaged on purpose, with matching checksums: an error of nccp or trees of all words, never a crash.

Nothing tells such a bundle from one that was made so; what it must not do is end the process, take memory
without bound or raise an error that is not nccp's.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from nccp.errors import NccpError
from nccp.runtime import load
from nccp.runtime.manifest import list_files, seal
from tests.fuzz.bundle import SENTENCES, fuzz_bundles
from tests.fuzz.damage import damage

_MEMORY = 4 << 30  # bytes of address space


def fuzz(seed: int, seconds: float) -> str:
    """Damage small bundles of both kinds of model until the time is over."""
    return fuzz_bundles(__name__, seed, seconds)


def main(folder: Path, seed: int, seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    rng, began = random.Random(seed), time.monotonic()
    rounds: Counter[str] = Counter()
    while not rounds or time.monotonic() - began < seconds:
        home = shutil.copytree(folder / rng.choice(("binary", "multi")), folder / "hostile")
        about = json.loads((home / "bundle.json").read_text())
        name = rng.choice(sorted(about["files"] | {"bundle.json": {}}))
        if name == "bundle.json":
            key = rng.choice([key for key in about if key not in ("format", "version")])
            about[key] = _change(about[key], rng)
        else:
            path = home / name
            path.write_bytes(damage(path.read_bytes(), rng))
            about["files"] = msgspec.to_builtins(list_files(home))
        text = seal(json.dumps(about | {"checksum": ""}).encode())
        (home / "bundle.json").write_bytes(text)
        print(rounds.total(), about.get("name"), name, flush=True)
        try:
            parses = list(load(home, threads=1).parse_many(SENTENCES))
            assert [parse.tree.leaves() for parse in parses] == SENTENCES
            rounds["trees"] += 1
        except NccpError:
            rounds["errors"] += 1
        shutil.rmtree(home)
    print(f"{rounds.total():,} hostile bundles: {', '.join(f'{rounds[key]:,} {key}' for key in rounds)}")


def _change(about: Any, rng: random.Random) -> Any:
    """The same value with one part of it changed."""
    if isinstance(about, dict) and about and rng.random() < 0.9:
        key = rng.choice(list(about))
        return about | {key: _change(about[key], rng)}
    if isinstance(about, list) and about and rng.random() < 0.7:
        place = rng.randrange(len(about))
        return [*about[:place], _change(about[place], rng), *about[place + 1 :]]
    others: list[Any] = [None, True, 0, -1, 1, 7, 1 << 40, -0.5, 1e300, "", "x", "../x", [], ["x"], {}]
    return rng.choice([*others, about[1:] if isinstance(about, list) else 2])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
