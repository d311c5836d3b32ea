"""Configuration files and overrides that are wrong in any way: a configuration or an error of nccp."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from nccp.config import describe_config, load_config
from nccp.errors import NccpError
from tests.fuzz.damage import damage

KEYS = [key.name for key in describe_config()]
VALUES = [
    *("0", "-1", "1", "3", "1e300", "-1e-300", "nan", "inf", "true", '""', '"x"', "[]", "{}", "[1]", "[[]]"),
    *(
        "99999999999999999999",
        "'''a",
        '"\\u0000"',
        "1979-05-27",
        "[{path = 1}]",
        '[{path = "x"}]',
        "{a = {}}",
    ),
]
GOOD = """[model]
kind = "multi"
size = 32
[input]
kind = "words"
words = 16
[[data.treebanks]]
path = "bank"
[train]
epochs = 2
"""


def fuzz(seed: int, seconds: float) -> str:
    """Load odd configurations until the time is over."""
    rng, began, rounds = random.Random(seed), time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "odd.toml")
        while not rounds or time.monotonic() - began < seconds:
            text, overrides = odd_config(rng), [odd_line(rng, "=") for _ in range(rng.choice((0, 0, 1, 2)))]
            path.write_bytes(text)
            where = f"seed {seed}, round {rounds.total()}: {text[:200]!r} {overrides!r}"
            try:
                load_config(path, overrides)
                rounds["configurations"] += 1
            except NccpError as error:
                rounds["errors" if str(error).strip() else f"errors without a text: {where}"] += 1
            except Exception as error:
                raise AssertionError(f"{where}: {error!r}") from error
    assert set(rounds) <= {"configurations", "errors"}, str(rounds)
    figures = f"{rounds['configurations']:,} accepted, {rounds['errors']:,} refused"
    return f"{rounds.total():,} odd configurations: {figures}"


def odd_config(rng: random.Random) -> bytes:
    """Damaged text, lines of keys and values that may not go together, or deep nesting."""
    kind = rng.randrange(6)
    if kind == 0:
        return damage(GOOD.encode(), rng)
    if kind > 3:
        return GOOD.encode()  # with overrides, maybe
    if kind == 1:
        depth = rng.choice((10, 500, 2_000))
        return f"model = {'[' * depth}{']' * depth}".encode()
    if kind == 2:
        depth = rng.choice((10, 500, 2_000))
        return f"{'.'.join(['a'] * depth)} = 1".encode()
    return "\n".join(odd_line(rng, " = ") for _ in range(rng.choice((1, 2, 8)))).encode()


def odd_line(rng: random.Random, sign: str) -> str:
    key = rng.choice([*KEYS, "extends", "x", "model", "train.epoch", "data.treebanks.path", "", ".", "a.b.c"])
    return f"{key}{sign}{rng.choice(VALUES)}"
