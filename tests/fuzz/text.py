"""Odd text: the command does not crash, and every word comes out again, in order."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time

from nccp.characters import replace_surrogates

LINES = 500
PIECES = [
    *(" ", "\t", "\r", "\f", "\v", "\x1c", "\x85", "\u2028", "\u3000", "\u200b", "\ufeff"),
    *("(", ")", "()", "-LRB-", "\\/", "``", "''", '"', "“", "’s", "n't", "...", "—", "-", "e.g.", "U.S."),
    *("a", "The", "word", "3.14", "$5", "http://a.b/c?d", "@me", "#x"),
    *("🙂", "👩‍👩‍👧", "مرحبا", "日本語。", "中文", "e\u0301"),
]


def odd_line(rng: random.Random) -> bytes:
    """Random bytes, random characters, or pieces that have a meaning to some part of the parser."""
    size = rng.choice((0, 1, 2, 5, 10, 30, 60))
    kind = rng.randrange(4)
    if kind == 0:
        line = rng.randbytes(size)
    elif kind == 1:
        line = "".join(chr(rng.randrange(0x110000)) for _ in range(size)).encode("utf-8", "surrogatepass")
    else:
        joint = rng.choice(("", " "))
        line = joint.join(rng.choice(PIECES) for _ in range(size)).encode()
        if kind == 3 and line:
            line = line[: rng.randrange(len(line))]  # may end in the midst of a character
    return line.replace(b"\n", b"").replace(b"\0", b"\1")  # a file with zero bytes is refused: it is no text


def letters(text: str) -> str:
    return ascii("".join(text.split()))


def fuzz(seed: int, seconds: float) -> str:
    """Parse odd lines in each form of input until the time is over."""
    rng, began, lines = random.Random(seed), time.monotonic(), 0
    while not lines or time.monotonic() - began < seconds:
        for form in ("text", "lines", "tokens"):
            check_lines(form, [odd_line(rng) for _ in range(LINES)])
            lines += LINES
    return f"{lines:,} odd lines: every word came out again"


def check_lines(form: str, lines: list[bytes]) -> None:
    """Parse lines as this form of input, and compare the words with the letters of the lines."""
    call = [sys.executable, "-m", "nccp", "parse", "--input", form, "--output", "json"]
    done = subprocess.run(call, input=b"\n".join(lines) + b"\n", capture_output=True)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line)["words"] for line in done.stdout.splitlines()]
    texts = [replace_surrogates(line.decode("utf-8", "surrogateescape")) for line in lines]
    texts[0] = texts[0].removeprefix("\ufeff")
    if form == "text":
        assert letters("".join(word for words in found for word in words)) == letters("".join(texts))
    else:
        assert [letters("".join(words)) for words in found] == [letters(text) for text in texts]
