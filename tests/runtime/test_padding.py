from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nccp.runtime.padding import boundaries, by_length, lay_out, spread

lengths_lists = st.lists(st.integers(1, 12), min_size=1, max_size=12).map(lambda x: np.array(x, np.int64))


def test_the_picture() -> None:
    at = lay_out(np.array([0, 3, 4]), np.array([3, 1, 2]))
    assert at.ahead.tolist() == [[0, 3, 4], [1, 3, 5], [2, 3, 5]]
    assert at.back.tolist() == [[2, 3, 5], [1, 3, 4], [0, 3, 4]]
    assert at.nodes.tolist() == [0, 1, 2, 3, 4, 5]
    assert at.steps.tolist() == [0, 1, 2, 0, 0, 1]
    assert at.mirrored.tolist() == [2, 1, 0, 0, 1, 0]
    assert at.column.tolist() == [0, 0, 0, 1, 2, 2]


@given(lengths_lists)
def test_every_node_finds_itself_in_both_directions(lengths: np.ndarray) -> None:
    starts = np.cumsum(lengths) - lengths
    order = np.random.default_rng(0).permutation(len(lengths))
    at = lay_out(starts[order], lengths[order])
    assert (at.ahead[at.steps, at.column] == at.nodes).all()
    assert (at.back[at.mirrored, at.column] == at.nodes).all()
    assert sorted(at.nodes.tolist()) == list(range(lengths.sum()))


@given(lengths_lists)
def test_boundaries_by_hand(lengths: np.ndarray) -> None:
    count = int(lengths.sum())
    before, behind, previous, following = [], [], [], []
    start = 0
    for length in lengths.tolist():
        nodes = list(range(start, start + length))
        before += [count, *nodes]
        behind += [*nodes, count]
        previous += [count, *nodes[:-1]]
        following += [*nodes[1:], count]
        start += length
    found = boundaries(lengths)
    assert [part.tolist() for part in found] == [before, behind, previous, following]


@given(lengths_lists, st.integers(1, 5), st.sampled_from([1.0, 1.5, 3.0]))
def test_groups_hold_each_sequence_once(lengths: np.ndarray, most: int, waste: float) -> None:
    groups = list(by_length(lengths, most, waste))
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(lengths)))
    for group in groups:
        assert 1 <= len(group) <= most
        assert lengths[group].max() <= waste * lengths[group].min()


@given(lengths_lists, st.integers(1, 12))
def test_long_sequences_are_apart(lengths: np.ndarray, apart: int) -> None:
    groups = list(by_length(lengths, 100, 3.0, apart))
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(lengths)))
    assert all(len({length > apart for length in lengths[group].tolist()}) == 1 for group in groups)


@pytest.mark.parametrize("waste", [1.0, 1.15, 2.0])
def test_sequences_of_one_length_go_together(waste: float) -> None:
    assert [len(group) for group in by_length(np.full(7, 5), 100, waste)] == [7]


def test_spread() -> None:
    assert spread(np.array([5, 0, 9]), np.array([2, 3, 1])).tolist() == [5, 6, 0, 1, 2, 9]
