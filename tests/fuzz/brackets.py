"""Malformed, deep and damaged trees: every reader gives trees or an error with its place."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from nccp.errors import NccpError
from nccp.treebanks import FORMATS, open_treebank
from nccp.trees import format_tree, parse_trees
from tests.fuzz.damage import damage

PIECES = [
    *("(", ")", "(", ")", "((", "))", "(S ", "(NP", "(-NONE- *T*-1)", "()", "( ( ", "(TOP", "(ID 1;x)"),
    *(" ", "\n", "\t", "\r\n", "\x00", "\ufeff", "\u3000", "#1:1.[0] ", "|", "Head:", "<S ID=1>", "</S>"),
    *("a", "word", "-LRB-", "\\", "東京", "🙂", "NP-SBJ=1", "(lemma a)", "(META x)", "*", ";;", "%"),
]
GOOD = "(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat)) (. .)))\n"


def fuzz(seed: int, seconds: float) -> str:
    """Read odd trees as text and as files of every format until the time is over."""
    rng, began, rounds = random.Random(seed), time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        while not rounds or time.monotonic() - began < seconds:
            text = odd_trees(rng)
            where = f"seed {seed}, round {rounds.total()}: {text[:200]!r}"
            rounds[_read_text(text.decode("utf-8", "surrogateescape"), where)] += 1
            path = Path(folder, f"train.{rng.choice(('mrg', 'psd', 'txt', 'gld', 'tree', 'fid'))}")
            path.write_bytes(text)
            rounds[_read_file(path, rng.choice([None, *FORMATS]), where)] += 1
            path.unlink()
            assert set(rounds) <= {"trees", "errors"}, f"errors without a place: {set(rounds)}"
    return f"{rounds.total():,} odd texts: {rounds['trees']:,} trees, {rounds['errors']:,} errors"


def odd_trees(rng: random.Random) -> bytes:
    """Pieces in any order, a damaged tree, or brackets nested without sense."""
    kind = rng.randrange(4)
    if kind == 0:
        return "".join(rng.choice(PIECES) for _ in range(rng.choice((1, 5, 30, 300)))).encode()
    if kind == 1:
        return damage(GOOD.encode() * rng.choice((1, 3, 50)), rng)
    if kind == 2:
        depth = rng.choice((10, 1_000, 50_000))
        return (b"(X " * depth + b"(A a)" + b")" * (depth - rng.choice((0, 0, 1, -1)))) + b"\n"
    return rng.randbytes(rng.choice((0, 1, 10, 1000)))


def _read_text(text: str, where: str) -> str:
    try:
        trees = parse_trees(text)
        assert parse_trees("".join(format_tree(tree) + "\n" for tree in trees)) == trees, where
    except NccpError as error:
        return "errors" if str(error).startswith("<text>:") else f"{where}: {error}"
    except Exception as error:
        raise AssertionError(f"{where}: {error!r}") from error
    return "trees"


def _read_file(path: Path, form: str | None, where: str) -> str:
    try:
        for entry in open_treebank(path, form).read():
            entry.tree.leaves()
    except NccpError as error:
        return "errors" if path.name in str(error) else f"{where}, as {form}: {error}"
    except Exception as error:
        raise AssertionError(f"{where}, as {form}: {error!r}") from error
    return "trees"
