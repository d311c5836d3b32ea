"""Where the sequences of a flat batch lie when they are laid beside each other for a recurrent layer.

Flat, three sequences of 3, 1 and 2 nodes are rows 0 to 5. Beside each other they are columns, a step of the
recurrence a line; backwards each is reversed within its own length, so that all begin in the first line::

            ahead      back
    step 0  0 3 4      2 3 5
    step 1  1 . 5      1 . 4
    step 2  2 . .      0 . .

What fills the places behind a sequence's end is never read. Sequences of similar length go together, as
short ones beside long ones would be mostly filling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Lengths = NDArray[np.int64]


class Columns(NamedTuple):
    """Sequences beside each other."""

    ahead: Places  # (T, S) the row of each cell
    back: Places  # (T, S) the same in backward order
    lengths: Lengths  # (S,)
    nodes: Places  # (n,) the rows that are there, in the order of the columns
    steps: Places  # (n,) their line ahead
    mirrored: Places  # (n,) their line backwards
    column: Places  # (n,)


def lay_out(starts: Places, lengths: Lengths) -> Columns:
    """Columns of the sequences that begin at ``starts``."""
    step = np.arange(int(lengths.max()))[:, None]
    inside = np.minimum(step, lengths - 1)  # the filling repeats a sequence's last node
    column = np.repeat(np.arange(len(lengths)), lengths)
    steps = np.arange(len(column)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return Columns(
        starts + inside,
        starts + lengths - 1 - inside,
        lengths,
        starts[column] + steps,
        steps,
        lengths[column] - 1 - steps,
        column,
    )


def by_length(lengths: Lengths, most: int, waste: float) -> Iterator[NDArray[np.int64]]:
    """Groups of at most ``most`` sequences, the longest less than ``waste`` times the shortest."""
    order = np.argsort(lengths, kind="stable")
    ordered = lengths[order]
    end = len(order)
    while end:
        first = int(np.searchsorted(ordered, ordered[end - 1] / waste, side="right"))
        first = min(max(first, end - most), end - 1)
        yield order[first:end]
        end = first
