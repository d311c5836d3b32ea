"""The learning rate over time, and when training ends."""

from __future__ import annotations

import pytest

from nccp.config import TrainConfig
from nccp.training.schedule import Schedule


def test_the_papers_schedule_falls_after_patience_and_returns_to_full_after_a_new_best():
    schedule = Schedule(TrainConfig(patience=2, stop=6))
    assert schedule.evaluated(50.0)
    factors = []
    for _ in range(4):
        assert not schedule.evaluated(40.0)
        factors.append(schedule.factor(10.0, 0.0))
    assert factors == [1.0, 1.0, 0.75, 0.5]
    assert schedule.evaluated(51.0)
    assert schedule.factor(11.0, 0.0) == 1.0


def test_the_papers_schedule_has_no_cap_and_ends_by_its_stop():
    schedule = Schedule(TrainConfig(patience=2, stop=3))
    schedule.evaluated(50.0)
    assert not schedule.over(10_000.0, 10_000.0)
    for _ in range(3):
        schedule.evaluated(40.0)
    assert schedule.over(10_001.0, 0.0)


def test_a_cap_that_is_asked_for_holds():
    assert Schedule(TrainConfig(epochs=4)).over(4.0, 0.0)
    assert Schedule(TrainConfig(minutes=4.0)).over(0.5, 4.0)


def test_the_linear_schedule_ends_at_zero_by_whichever_budget_is_spent_first():
    schedule = Schedule(TrainConfig(schedule="linear", warmup=0.0, epochs=10, minutes=100.0))
    assert schedule.factor(5.0, 0.0) == pytest.approx(0.5)
    assert schedule.factor(5.0, 90.0) == pytest.approx(0.1)
    assert Schedule(TrainConfig(schedule="linear", warmup=0.0, minutes=10.0)).factor(99.0, 5.0) == 0.5
