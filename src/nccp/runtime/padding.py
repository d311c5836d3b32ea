"""Where the sequences of a flat batch lie when they are laid beside each other for a recurrent layer.

Flat, three sequences of 3, 1 and 2 nodes are rows 0 to 5. Beside each other they are columns, one line per
step of the recurrence; backwards each is reversed within its own length, so all begin in the first line::

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


LONG = 160
"""Sequences of more nodes are a group apart in BiLSTM_ori, whose graph computes them in another way. Which
way that is must not depend on a sequence's neighbours: the last digits differ."""


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
    steps = spread(np.zeros_like(lengths), lengths)
    return Columns(
        starts + inside,
        starts + lengths - 1 - inside,
        lengths,
        starts[column] + steps,
        steps,
        lengths[column] - 1 - steps,
        column,
    )


class Boundaries(NamedTuple):
    """The n + 1 boundaries of each of several flat sequences, and their neighbours' rows.

    Where there is no neighbour stands N, a row of zeros behind the last one.
    """

    before: Places  # (N + S,)
    behind: Places  # (N + S,)
    previous: Places  # (N,) of each node, the one before it in its sequence
    following: Places  # (N,)


def boundaries(lengths: Lengths) -> Boundaries:
    """The boundaries of sequences laid end to end."""
    nodes = np.arange(int(lengths.sum()))
    last = np.cumsum(lengths) - 1
    none = len(nodes)
    before = np.full(none + len(lengths), none)
    behind = before.copy()
    at = nodes + np.repeat(np.arange(len(lengths)), lengths)  # the boundary before each node
    behind[at], before[at + 1] = nodes, nodes
    previous, following = nodes - 1, nodes + 1
    previous[last - lengths + 1], following[last] = none, none
    return Boundaries(before, behind, previous, following)


def spread(starts: Places, lengths: Lengths) -> Places:
    """The rows of all sequences that begin at ``starts``: ``starts[0], starts[0] + 1, ...``"""
    return np.arange(int(lengths.sum())) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)


def by_length(
    lengths: Lengths, most: int, waste: float, apart: int | None = None
) -> Iterator[NDArray[np.int64]]:
    """Groups of at most ``most`` sequences, the longest at most ``waste`` times the shortest.

    Sequences longer than ``apart`` are never together with others.
    """
    order = np.argsort(lengths, kind="stable")
    ordered = lengths[order]
    end = len(order)
    while end:
        first = max(int(np.searchsorted(ordered, ordered[end - 1] / waste)), end - most)
        if apart is not None and ordered[end - 1] > apart:
            first = max(first, int(np.searchsorted(ordered, apart, "right")))
        yield order[first:end]
        end = first
