"""Bytes that are damaged as disks, networks and people damage them."""

from __future__ import annotations

import random


def damage(data: bytes, rng: random.Random) -> bytes:
    """A copy of ``data`` that differs from it: bits flipped, bytes replaced, cut out, doubled or appended."""
    while (changed := _damage(data, rng)) == data:
        pass
    return changed


def _damage(data: bytes, rng: random.Random) -> bytes:
    text = bytearray(data)
    start = rng.randrange(len(text) + 1)
    stop = min(len(text), start + rng.choice((1, 2, 8, 100, 10_000)))
    kind = rng.randrange(6)
    if kind == 0:
        for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
            place = rng.randrange(max(1, len(text)))
            text[place : place + 1] = bytes(byte ^ 1 << rng.randrange(8) for byte in text[place : place + 1])
    elif kind == 1:
        text[start:stop] = rng.randbytes(stop - start)
    elif kind == 2:
        text[start:stop] = bytes(stop - start)
    elif kind == 3:
        del text[start:stop]
    elif kind == 4:
        text[start:start] = text[start:stop]
    else:
        text = text[:start] if rng.random() < 0.5 else text + rng.randbytes(rng.randrange(1, 9))
    return bytes(text)
