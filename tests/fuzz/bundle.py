"""Damaged bundles: an error of nccp or the same trees, never a crash, never other trees.

One or two files of a small bundle are damaged, cut, removed or replaced by another file; then it is loaded
and parses a few sentences. This runs in a process of its own, so that a crash is seen.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from nccp.errors import NccpError
from nccp.runtime import load
from tests.fuzz.damage import damage

SENTENCES = [["the", "cat", "sat"], ["a"], ["no", "one", "saw", "the", "old", "man", "."]]


def fuzz(seed: int, seconds: float) -> str:
    """Damage small bundles of both kinds of model until the time is over."""
    return fuzz_bundles(__name__, seed, seconds)


def fuzz_bundles(module: str, seed: int, seconds: float) -> str:
    """Run a module's rounds over new bundles in another process; the last line that it prints is a report."""
    from tests.bundles import write_bundle

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_bundle(folder / "binary")
        write_bundle(folder / "multi", {"kind": "multi"})
        call = [sys.executable, "-m", module, name, str(seed), str(seconds)]
        settings = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "OMP_NUM_THREADS": "1"}
        root = Path(__file__).parents[2]
        done = subprocess.run(call, capture_output=True, text=True, env=settings, cwd=root, errors="replace")
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"exit code {done.returncode} at {last}\n{done.stderr[-3000:]}"
    return last[0]


def parse(bundle: Path) -> list[str]:
    """The trees of the sentences, with their scores."""
    return [f"{one.brackets()} {one.score:.6f}" for one in load(bundle, threads=1).parse_many(SENTENCES)]


def main(folder: Path, seed: int, seconds: float) -> None:
    rng, began = random.Random(seed), time.monotonic()
    homes = [folder / "binary", folder / "multi"]
    long_ago = time.time() - 1000
    for path in folder.glob("*/*"):
        os.utime(path, (long_ago, long_ago))  # so that its checksum is remembered
    expected = {home: parse(home) for home in homes}
    rounds: Counter[str] = Counter()
    while not rounds or time.monotonic() - began < seconds:
        home, other = rng.sample(homes, 2)
        changed = _change(home, other, rng)
        print(rounds.total(), home.name, ", ".join(changed), flush=True)
        try:
            rounds["the same trees" if parse(home) == expected[home] else "other trees"] += 1
        except NccpError as error:
            rounds["errors" if str(home) in str(error) else f"errors that name no file: {error}"] += 1
        assert set(rounds) <= {"errors", "the same trees"}, f"{changed}: {rounds}"
        for name in changed:
            (home / name).unlink(missing_ok=True)
            shutil.copy2(folder / "whole" / home.name / name, home / name)
    assert [parse(home) for home in homes] == list(expected.values())
    print(f"{rounds.total():,} damaged bundles: {', '.join(f'{rounds[key]:,} {key}' for key in rounds)}")


def _change(home: Path, other: Path, rng: random.Random) -> dict[str, str]:
    """Change one or two files; their names, and what was done."""
    changed = {}
    names = sorted(path.name for path in home.iterdir())
    for name in rng.sample(names, rng.choice((1, 1, 1, 2))):
        path, kind = home / name, rng.randrange(12)
        if kind == 0:
            path.unlink()
            changed[name] = "removed"
        elif kind == 1:
            source = rng.choice([home, other]) / rng.choice(names)
            if not source.exists() or source.read_bytes() == path.read_bytes():
                continue
            path.write_bytes(source.read_bytes())
            changed[name] = f"replaced by {source.parent.name}/{source.name}"
        else:
            path.write_bytes(damage(path.read_bytes(), rng))
            changed[name] = "damaged"
    return changed


if __name__ == "__main__":
    root = Path(sys.argv[1])
    for kind in ("binary", "multi"):
        shutil.copytree(root / kind, root / "whole" / kind)
    main(root, int(sys.argv[2]), float(sys.argv[3]))
