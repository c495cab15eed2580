"""The age of the oldest operation that has not succeeded yet."""
from __future__ import annotations

import pytest

from ludarium_eventstore import StoreUnavailable
from ludarium_eventstore.unfinished import FORGET, Unfinished


class Stepped:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def fail(unfinished: Unfinished, clock: Stepped, seconds: float) -> None:
    with pytest.raises(StoreUnavailable), unfinished.operation():
        clock.at += seconds
        raise StoreUnavailable("no verdict in time")


def test_an_operation_counts_while_it_lasts() -> None:
    clock = Stepped()
    unfinished = Unfinished(clock)
    with unfinished.operation(before=2):
        clock.at += 3
        with unfinished.operation():
            clock.at += 1
            assert unfinished.age() == 6
    assert unfinished.age() == 0


def test_giving_up_and_trying_again_does_not_make_it_younger() -> None:
    clock = Stepped()
    unfinished = Unfinished(clock)
    for _ in range(3):
        fail(unfinished, clock, 10)
    assert unfinished.age() == 30
    with unfinished.operation():
        pass
    assert unfinished.age() == 0


def test_a_failure_that_nobody_repeats_is_forgotten() -> None:
    clock = Stepped()
    unfinished = Unfinished(clock)
    fail(unfinished, clock, 10)
    clock.at += FORGET
    assert unfinished.age() == 10 + FORGET
    clock.at += 1
    assert unfinished.age() == 0


def test_a_refusal_is_an_answer() -> None:
    clock = Stepped()
    unfinished = Unfinished(clock)
    fail(unfinished, clock, 10)
    with pytest.raises(ValueError), unfinished.operation():
        raise ValueError
    assert unfinished.age() == 0


def test_each_step_counts_for_itself() -> None:
    clock = Stepped()
    unfinished = Unfinished(clock)
    with unfinished.operation():
        clock.at += 50
        unfinished.progressed()
        clock.at += 2
        assert unfinished.age() == 2
