"""How much one request may ask for, so that no one can take the server away from the others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What goes beyond is refused in one sentence, with status 413, 422 or 503."""

    body: int = 8 << 20
    """Bytes of a request."""
    sentences: int = 10_000
    """Sentences of a request."""
    words: int = 1000
    """Words of a sentence."""
    letters: int = 20_000
    """Characters of a sentence."""
    layered: int = 200
    """Sentences of a request that asks for layers."""
    layered_words: int = 300
    """Words of each of them: the nodes of all layers can be half as many as that squared."""
    depth: int = 500
    """Levels of a tree that is sent here."""
    seconds: float = 60
    """Until a request is answered."""
    stream_seconds: float = 600
    """Until the last line of a streamed answer."""
    waiting: int = 50_000
    """Sentences that may wait for one model; beyond, new requests are turned away."""


class Refused(Exception):
    """A request that cannot be answered: its status, and why in one plain sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why
