"""Where work is done: in this process, in several on this machine, or on a Ray cluster."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from nccp.errors import InputError, NccpError

T = TypeVar("T")
R = TypeVar("R")
T_in = TypeVar("T_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)


class Work(Protocol[T_in, R_out]):
    """Something to do with many items, in workers that prepare themselves once. It can be pickled."""

    def start(self) -> Callable[[T_in], R_out]:
        """Prepare a worker; what it gives is called with one item after another."""
        ...


class Engine(Protocol):
    """Runs work."""

    def map(self, work: Work[T, R], items: Sequence[T]) -> Generator[R]:
        """The result of each item, in any order. Each is done at least once, also if workers die.

        Closing it ends all work.
        """
        ...


class Outcome(NamedTuple, Generic[R]):
    """What a worker sends back: a result, or an error as text."""

    result: R | None
    error: str | None = None
    expected: bool = True
    """Whether the error is one that users can do something about."""

    def value(self) -> Any:
        """The result; an error is raised."""
        if self.error is None:
            return self.result
        raise InputError(self.error) if self.expected else NccpError(f"a worker failed:\n{self.error}")


def attempt(call: Callable[[T], R], item: T) -> Outcome[R]:
    """Call, and turn exceptions into a message that can travel."""
    try:
        return Outcome(call(item))
    except (NccpError, OSError) as error:
        return Outcome(None, str(error))
    except Exception:
        return Outcome(None, traceback.format_exc(), expected=False)


class Inline:
    """The engine without workers."""

    def map(self, work: Work[T, R], items: Sequence[T]) -> Generator[R]:
        """One item after the other, here."""
        call = work.start()
        for item in items:
            yield attempt(call, item).value()
