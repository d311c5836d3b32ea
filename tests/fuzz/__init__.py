"""Fuzzers: random, damaged and hostile input, bounded in time and repeatable by a seed.

A fuzzer is a function of a seed and a number of seconds. It returns a line that says what it did, and raises
`AssertionError` with what is needed to repeat the failure. To add one, write ``fuzz(seed, seconds)`` in a
module here and list the module in `FUZZERS`. ``python scripts/fuzz`` runs them; CI runs a short round of
each.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

Fuzzer = Callable[[int, float], str]

FUZZERS = ("text", "brackets", "config", "bundle", "hostile_bundle", "http")


def find_fuzzer(name: str) -> Fuzzer:
    """The fuzzer of a module; imported now, as some need torch to make their material."""
    fuzz: Fuzzer = import_module(f"tests.fuzz.{name}").fuzz
    return fuzz
